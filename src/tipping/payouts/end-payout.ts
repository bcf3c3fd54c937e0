import { msats } from '../../lib/money/amount.ts'
import { raiseAlert } from '../alerts/alerts.ts'
import { held, member, OPERATOR, WALLET } from '../chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../commit-end.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Payout } from '../generated/client.ts'
import { schedulePoll } from '../polling/poller.ts'
import type { PayoutOutcome } from './payout-outcome.ts'

/** After this an unknown payout is asked about for the first time. */
export const FIRST_POLL_MS = 2_000

/** Records what became of a payout. */
export async function endPayout(context: TippingContext, payout: Payout, outcome: PayoutOutcome): Promise<void> {
  await commitEnd(context, changeForPayout(context, payout, outcome))
  if (outcome.kind === 'unknown') void context.poller.wake()
}

/** What is written when this became of a payout; its `write` throws when somebody else moved it on. */
export function changeForPayout(context: TippingContext, payout: Payout, outcome: PayoutOutcome): EndChange {
  const { id, card } = payout
  if (outcome.kind === 'unknown') {
    return {
      entries: [],
      write: async (tx) => {
        await move(tx, id, ['sending', 'unknown'], {
          state: 'unknown',
          reason: outcome.evidence,
          ...(outcome.transactionId === null ? {} : { transactionId: outcome.transactionId }),
        })
        await schedulePoll(tx, { id, kind: 'payout', bornAt: payout.sentAt ?? now(context) }, later(context))
        await context.cards.raise(tx, [card])
      },
    }
  }
  if (outcome.kind === 'kept') {
    const moves = [{ from: held(payout.member), to: member(payout.member), amount: msats(payout.amount) }]
    return {
      entries: [{ operation: id, step: 'void', moves }],
      write: async (tx) => {
        const { because, reason } = outcome
        await move(tx, id, ['reserved', 'sending', 'unknown'], {
          state: 'kept',
          because,
          reason,
          endedAt: now(context),
        })
        await context.cards.raise(tx, [card])
      },
    }
  }
  return paid(context, payout, outcome)
}

function paid(context: TippingContext, payout: Payout, outcome: PayoutOutcome & { kind: 'paid' }): EndChange {
  const { id, amount, card, lightningId } = payout
  const { receiverId, transactionId, fee } = outcome
  const astray = receiverId !== null && receiverId !== lightningId
  return {
    entries: [
      {
        operation: id,
        step: 'post',
        moves: [
          { from: held(payout.member), to: WALLET, amount: msats(amount) },
          { from: OPERATOR, to: WALLET, amount: fee },
          // Somebody else was paid: the operator makes it good.
          { from: OPERATOR, to: member(payout.member), amount: msats(astray ? amount : 0n) },
        ],
      },
    ],
    write: async (tx) => {
      const state = astray ? 'misdirected' : 'paid'
      const endedAt = now(context)
      await move(tx, id, ['sending', 'unknown'], { state, transactionId, receiverId, reason: null, endedAt })
      await context.cards.raise(tx, [card])
      if (!astray) return
      await tx.link.updateMany({
        where: { member: payout.member, lightningId, endedAt: null },
        data: { frozenAt: endedAt },
      })
      const text = `a payout of ${amount} msats to ${lightningId} settled to ${receiverId}; the link of its member is frozen`
      await raiseAlert(context, tx, { kind: 'payout-misdirected', about: id, text })
    },
  }
}

async function move(tx: Tx, id: string, from: string[], data: Partial<Payout>): Promise<void> {
  const { count } = await tx.payout.updateMany({ where: { id, state: { in: from } }, data })
  if (count !== 1) throw new Overtaken(`payout ${id} has moved on`)
}

function later(context: TippingContext): Date {
  return new Date(context.clock.now() + FIRST_POLL_MS)
}
