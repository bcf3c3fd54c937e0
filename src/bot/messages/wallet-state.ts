import type { ShareState, WalletShareState } from '../../tipping/tipping.ts'

/** The states of a share that goes from wallet to wallet, in the order in which cards list them. */
export const WALLET_STATES: readonly WalletShareState[] = ['direct', 'asked', 'unsure', 'unpaid', 'unconfirmed']

/** Whether a share goes from wallet to wallet. */
export function isWalletState(state: ShareState): state is WalletShareState {
  return WALLET_STATES.some((each) => each === state)
}
