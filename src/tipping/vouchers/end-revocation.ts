import { msats } from '../../lib/money/amount.ts'
import { WALLET } from '../core/chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { OutgoingContext } from '../engine/outgoing/outgoing.ts'
import { accountsOf } from '../engine/outgoing/record-outcome.ts'
import type { Voucher } from '../generated/client.ts'
import { logReturnedCodes } from './log-returned-codes.ts'

/** How a live voucher ended: it was taken back, or somebody redeemed it. */
export type RevocationOutcome = 'revoked' | 'redeemed'

/** Records the end of a live voucher. */
export async function endRevocation(
  context: OutgoingContext,
  voucher: Voucher,
  outcome: RevocationOutcome,
): Promise<void> {
  await commitEnd(context, changeForRevocation(context, voucher, outcome))
}

/**
 * Returns the change for the end of a live voucher. The change's `write` throws if somebody else has ended the voucher.
 * A revoked voucher returns its amount to its maker, or to the pool that paid for it. A redeemed voucher moves nothing,
 * because its sats left when the code was made.
 */
export function changeForRevocation(context: OutgoingContext, voucher: Voucher, outcome: RevocationOutcome): EndChange {
  const { id, amount, card } = voucher
  const moves = [{ from: WALLET, to: accountsOf(voucher).account, amount: msats(amount) }]
  return {
    entries: outcome === 'revoked' ? [{ operation: id, step: 'revoked', moves }] : [],
    write: async (tx) => {
      const gone = { code: null, walletRequest: null, walletAmount: null }
      const data = { state: outcome, ...gone, revoking: false, reason: null, endedAt: now(context) }
      const { count } = await tx.voucher.updateMany({ where: { id, state: 'live' }, data })
      if (count !== 1) throw new Overtaken(`voucher ${id} is over`)
      await context.cards.raise(tx, await cardsOf(tx, id, card))
      await logReturnedCodes(context, tx, voucher)
    },
  }
}

/**
 * Returns the ids of the voucher's card, which may be its drop's or batch's, and of the cards of the person who has its
 * code.
 */
async function cardsOf(tx: Pick<Tx, 'card' | 'dropClaim'>, id: string, card: string) {
  const [gift, claim] = await Promise.all([
    tx.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }),
    tx.dropClaim.findUnique({ where: { voucherId: id } }),
  ])
  return [card, gift?.id, claim?.card].filter((each) => each !== undefined)
}
