import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { WalletPayment } from '../../generated/client.ts'
import { LOST_IN_RESTORE, type WalletFailure } from './wallet-payments.ts'

/**
 * The state of a share that a wallet pays.
 * - `asked`: the giver's wallet was asked.
 * - `unsure`: the wallet may have paid; both sides are asked for proof.
 * - `direct`: proven to be in the recipient's own wallet.
 * - `unpaid`: proven not to have been paid.
 * - `unconfirmed`: neither side proves anything, and the bot has stopped asking.
 */
export type WalletShareState = 'asked' | 'unsure' | 'direct' | 'unpaid' | 'unconfirmed'

/** A share that a wallet pays, with its state. */
export interface WalletShareView {
  readonly recipient: string
  readonly amount: Msats
  readonly state: WalletShareState
  /** Why the giver's wallet paid nothing. */
  readonly failure?: WalletFailure
}

const WALLET_STATES: Readonly<Record<string, WalletShareState>> = {
  asked: 'asked',
  paying: 'asked',
  unknown: 'unsure',
  paid: 'direct',
  failed: 'unpaid',
  unconfirmed: 'unconfirmed',
}

export function viewWalletShare({ recipient, amount, state, failure }: WalletPayment): WalletShareView {
  const about = { recipient, amount: msats(amount) }
  if (failure === LOST_IN_RESTORE) return { ...about, state: 'unconfirmed' }
  return {
    ...{ ...about, state: WALLET_STATES[state] ?? 'unsure' },
    ...(failure !== null && { failure: failure as WalletFailure }),
  }
}
