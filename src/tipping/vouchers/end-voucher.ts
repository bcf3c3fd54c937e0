import type { Entry, Move } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { held, member, OPERATOR, WALLET } from '../chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../commit-end.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Voucher } from '../generated/client.ts'
import { schedulePoll } from '../polling/poller.ts'
import type { CreatedVoucher } from './run-voucher.ts'

/**
 * What is known of a voucher's creation after asking. Only proof leads to `created` or `failed`. `lost`: operators say
 * that there is a code, which nobody here knows.
 */
export type VoucherOutcome =
  | { readonly kind: 'created'; readonly voucher: CreatedVoucher }
  | { readonly kind: 'failed' | 'lost'; readonly reason: string | null }
  | { readonly kind: 'unknown'; readonly evidence: string }

const FIRST_POLL_MS = 2_000

/** Records what became of a voucher's creation. */
export async function endVoucher(context: TippingContext, voucher: Voucher, outcome: VoucherOutcome): Promise<void> {
  await commitEnd(context, changeForVoucher(context, voucher, outcome))
  void context.poller.wake()
}

/** What is written when this became of a voucher's creation; its `write` throws when somebody else moved it on. */
export function changeForVoucher(context: TippingContext, voucher: Voucher, outcome: VoucherOutcome): EndChange {
  switch (outcome.kind) {
    case 'unknown':
      return {
        entries: [],
        write: async (tx) => {
          await move(tx, voucher.id, ['sending'], { state: 'unknown', reason: outcome.evidence })
          await pollFrom(context, tx, voucher)
          await context.cards.raise(tx, [voucher.card])
        },
      }
    case 'failed':
    case 'lost':
      return withoutCode(context, voucher, outcome)
    case 'created':
      return created(context, voucher, outcome.voucher)
  }
}

/** There is no code for the member, so everything comes back; whatever left for one that was lost, the operator bears. */
function withoutCode(
  context: TippingContext,
  voucher: Voucher,
  { kind, reason }: VoucherOutcome & { kind: 'failed' | 'lost' },
): EndChange {
  const { id, amount, feeLimit, dropId } = voucher
  const whole = msats(amount + feeLimit)
  const [reserved, own] = [held(voucher.member), member(voucher.member)]
  const entry: Entry =
    kind === 'failed'
      ? { operation: id, step: 'void', moves: [{ from: reserved, to: own, amount: whole }] }
      : {
          operation: id,
          step: 'post',
          moves: [
            { from: reserved, to: WALLET, amount: whole },
            { from: OPERATOR, to: own, amount: whole },
          ],
        }
  return {
    entries: [entry],
    write: async (tx) => {
      const fee = kind === 'lost' ? feeLimit : null
      // What never was need not be taken back, though somebody asked for that.
      const end = { state: 'failed', revoking: false, reason, fee, endedAt: now(context) }
      await move(tx, id, ['reserved', 'sending', 'unknown'], end)
      // A drop has a share less for every code that did not come about.
      if (dropId) await loseShare(context, tx, dropId)
      await context.cards.raise(tx, [voucher.card])
    },
  }
}

function created(context: TippingContext, voucher: Voucher, made: CreatedVoucher): EndChange {
  const { id, amount, recipient } = voucher
  return {
    entries: [{ operation: id, step: 'post', moves: movesOf(voucher, made.fee) }],
    write: async (tx) => {
      await move(tx, id, ['sending', 'unknown'], {
        state: 'live',
        voucherId: made.id,
        code: made.code,
        fee: made.fee,
        reason: null,
      })
      await pollFrom(context, tx, voucher)
      await context.cards.raise(tx, [voucher.card])
      if (recipient === null) return
      await tx.card.create({
        data: context.cards.values({
          id: context.entropy.uuid(),
          kind: 'voucher-gift',
          record: id,
          audience: { member: recipient },
        }),
      })
    },
  }

  function movesOf({ feeLimit }: Voucher, fee: Msats): Move[] {
    const [reserved, own] = [held(voucher.member), member(voucher.member)]
    const within = fee < feeLimit ? fee : feeLimit
    return [
      { from: reserved, to: WALLET, amount: msats(amount + within) },
      { from: reserved, to: own, amount: msats(feeLimit - within) },
      // Whatever the provider takes beyond the limit is the operator's, never the member's.
      { from: OPERATOR, to: WALLET, amount: msats(fee - within) },
    ]
  }
}

async function loseShare(context: TippingContext, tx: Tx, id: string): Promise<void> {
  const drop = await tx.drop.update({ where: { id }, data: { shares: { decrement: 1 } } })
  if (drop.draw || drop.claimed < drop.shares) return
  await tx.drop.updateMany({ where: { id, state: 'open' }, data: { state: 'closed', closedAt: now(context) } })
}

async function pollFrom(context: TippingContext, tx: Tx, { id, createdAt: bornAt }: Voucher): Promise<void> {
  const first = new Date(context.clock.now() + FIRST_POLL_MS)
  await schedulePoll(tx, { id, kind: 'voucher', bornAt }, first)
}

async function move(tx: Tx, id: string, from: string[], data: Partial<Voucher>): Promise<void> {
  const { count } = await tx.voucher.updateMany({ where: { id, state: { in: from } }, data })
  if (count !== 1) throw new Overtaken(`voucher ${id} has moved on`)
}
