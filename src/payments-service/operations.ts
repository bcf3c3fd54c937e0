import type { Implementation } from './operation.ts'
import { getWallet } from './operations/get-wallet.ts'

/** Every operation that this service offers; those that are declared but not here answer 501. */
export const implementations: readonly Implementation[] = [getWallet]
