import type { TippingContext } from '../engine/tipping-context.ts'
import type { Faucet } from './faucet.ts'
import { faucetAmount, takeFromFaucet } from './take-from-faucet.ts'

export function bindFaucet(context: TippingContext): Faucet {
  return {
    get amount() {
      return faucetAmount(context)
    },
    take: (command) => takeFromFaucet(context, command),
  }
}
