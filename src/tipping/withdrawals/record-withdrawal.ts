import { type Msats, msats } from '../../lib/money/amount.ts'
import { held, member, OPERATOR, WALLET } from '../chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../commit-end.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Withdrawal } from '../generated/client.ts'
import type { WithdrawalOutcome } from './withdrawal-outcome.ts'

/** After this a withdrawal is asked about for the first time. */
export const FIRST_POLL_MS = 2_000

/** Records what is known of a withdrawal. */
export async function recordOutcome(
  context: TippingContext,
  withdrawal: Withdrawal,
  outcome: WithdrawalOutcome,
): Promise<void> {
  await commitEnd(context, changeForWithdrawal(context, withdrawal, outcome))
  void context.poller.wake()
}

const SENT = ['sending', 'unknown', 'offered', 'claimed']

/** What is written when this is known of a withdrawal; its `write` throws when somebody else moved it on. */
export function changeForWithdrawal(
  context: TippingContext,
  withdrawal: Withdrawal,
  outcome: WithdrawalOutcome,
): EndChange {
  switch (outcome.kind) {
    case 'unknown':
      return {
        entries: [],
        write: (tx) =>
          move(context, tx, withdrawal, ['sending', 'unknown'], { state: 'unknown', reason: outcome.evidence }),
      }
    case 'open':
      return { entries: [], write: (tx) => move(context, tx, withdrawal, SENT, openData(context, withdrawal, outcome)) }
    case 'returned':
      return {
        entries: [{ operation: withdrawal.id, step: 'void', moves: [backTo(withdrawal, wholeOf(withdrawal))] }],
        write: (tx) => {
          const { because, reason } = outcome
          const data = { state: 'returned', because, reason, request: null, endedAt: now(context) }
          return move(context, tx, withdrawal, ['reserved', ...SENT], data)
        },
      }
    default:
      return withdrawal.state === 'paid' ? priced(context, withdrawal, outcome) : paid(context, withdrawal, outcome)
  }
}

function openData(
  { settings }: TippingContext,
  { sentAt }: Withdrawal,
  { remoteId, offer }: WithdrawalOutcome & { kind: 'open' },
): Partial<Withdrawal> {
  if (offer === undefined) return { state: 'sending', remoteId, reason: null }
  const { request, claimed } = offer
  const expiresAt = offer.expiresAt ?? new Date((sentAt?.getTime() ?? 0) + settings.withdrawalOpenSeconds * 1_000)
  return { state: claimed ? 'claimed' : 'offered', remoteId, request, expiresAt, reason: null }
}

/** The amount has left; so has the fee, as far as it is known. What it took beyond its limit is the operator's. */
function paid(
  context: TippingContext,
  withdrawal: Withdrawal,
  { fee, remoteId }: WithdrawalOutcome & { kind: 'paid' },
): EndChange {
  const amount = { from: held(withdrawal.member), to: WALLET, amount: msats(withdrawal.amount) }
  const moves = [amount, ...(fee === undefined ? [] : feeMoves(withdrawal, fee))]
  const data = { state: 'paid', fee: fee ?? null, remoteId, reason: null, request: null, endedAt: now(context) }
  return {
    entries: [{ operation: withdrawal.id, step: 'post', moves }],
    write: (tx) => move(context, tx, withdrawal, SENT, data),
  }
}

/** The fee of a payment that has ended was named at last. */
function priced(
  context: TippingContext,
  withdrawal: Withdrawal,
  { fee }: WithdrawalOutcome & { kind: 'paid' },
): EndChange {
  if (fee === undefined || withdrawal.fee !== null) return { entries: [], write: async () => undefined }
  const moves = feeMoves(withdrawal, fee).filter((each) => each.amount > 0n)
  return {
    entries: moves.length === 0 ? [] : [{ operation: withdrawal.id, step: 'fee', moves }],
    write: (tx) => move(context, tx, withdrawal, ['paid'], { fee }),
  }
}

function feeMoves(withdrawal: Withdrawal, fee: Msats) {
  const { member: owner, feeLimit } = withdrawal
  const borne = msats(fee > feeLimit ? feeLimit : fee)
  return [
    { from: held(owner), to: WALLET, amount: borne },
    backTo(withdrawal, msats(feeLimit - borne)),
    { from: OPERATOR, to: WALLET, amount: msats(fee - borne) },
  ]
}

function backTo({ member: owner }: Withdrawal, amount: Msats) {
  return { from: held(owner), to: member(owner), amount }
}

function wholeOf({ amount, feeLimit }: Withdrawal): Msats {
  return msats(amount + feeLimit)
}

async function move(
  context: TippingContext,
  tx: Tx,
  withdrawal: Withdrawal,
  from: readonly string[],
  data: Partial<Withdrawal>,
): Promise<void> {
  const { id, card } = withdrawal
  const before = await tx.withdrawal.findFirst({ where: { id, state: { in: [...from] } } })
  if (before === null) throw new Overtaken(`withdrawal ${id} has moved on`)
  await tx.withdrawal.updateMany({ where: { id }, data })
  // It has been watched since it was reserved. Of one that has ended, the next look sees that, and is the last.
  const nextAt = new Date(context.clock.now() + FIRST_POLL_MS)
  await tx.pollJob.updateMany({ where: { id }, data: { nextAt } })
  // Looking again and finding the same is nothing new to people.
  const changed = (data.state !== undefined && data.state !== before.state) || typeof data.fee === 'bigint'
  if (changed && card !== null) await context.cards.raise(tx, [card])
}
