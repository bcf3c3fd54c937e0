import { InsufficientFunds } from '../../ledger/ledger.ts'
import { token } from '../../lib/entropy.ts'
import { floorToSat, largestSendable, type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { Overtaken } from '../core/commit-end.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { memberOfForwardJob } from '../engine/gifts/onward.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { FIRST_POLL_MS, reserveEntry } from '../engine/outgoing/record-outcome.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { END, inMs, type Next, schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Member, PollJob } from '../generated/client.ts'
import { mustBeElsewhere, mustBeFree } from './conditions.ts'
import { feeLimits } from './fee-limits.ts'
import { invoiceOf, offerOf } from './fetch-invoice.ts'
import { MIN_FORWARD, noteProblem } from './forward-state.ts'
import { readAddress } from './read-destination.ts'
import { type PayableWithdrawal, payableBy } from './start-withdrawal.ts'
import { WITHDRAWALS } from './withdrawal-kind.ts'

/**
 * The pause before the next check while a payment is open. Each outcome schedules a check, except one that two
 * operators decide.
 */
const WHILE_OPEN_MS = 3_600_000
const WHILE_PAUSED_MS = 10 * 60_000
const AFTER_RACE_MS = 1_000

/**
 * The most payments of one member that leave in an hour, with any outcome: each payment costs fees and rows, and the
 * address sets its smallest amount. Later sums are sent with the next payment.
 */
const MAX_AN_HOUR = 6
const HOUR_MS = 3_600_000

type Owner = Member & { readonly forwardTo: string }

/** Forwards a member's due tips, if they are worth a payment and no other forwarding payment is under way. */
export async function pollForward(context: TippingContext, job: PollJob): Promise<Next> {
  const id = memberOfForwardJob(job.id)
  const { read } = context.database
  const owner = await read.member.findFirst({ where: { id } })
  if (owner === null || owner.forwardTo === null || owner.forwardDue === 0n) return END
  const open = { member: id, forwarded: true, state: { in: ['reserved', 'sending', 'unknown'] } }
  if ((await read.withdrawal.count({ where: open })) > 0) return inMs(WHILE_OPEN_MS)
  const waitMs = (owner.forwardAfter?.getTime() ?? 0) - context.clock.now()
  if (waitMs > 0) return inMs(waitMs)
  const turnMs = await untilTurn(context, id)
  if (turnMs > 0) return inMs(turnMs)
  if (!context.outgoingSwitch.open) return inMs(WHILE_PAUSED_MS)
  return await forward(context, { ...owner, forwardTo: owner.forwardTo })
}

/**
 * Returns the milliseconds until another payment may leave; 0 if it may leave now. Counts payments in the book, so a
 * new address changes nothing.
 */
async function untilTurn({ database, clock }: ReadonlyBook, member: string): Promise<number> {
  const since = new Date(clock.now() - HOUR_MS)
  const lately = await database.read.withdrawal.findMany({
    where: { member, forwarded: true, createdAt: { gt: since } },
    orderBy: { createdAt: 'desc' },
    take: MAX_AN_HOUR,
    select: { createdAt: true },
  })
  const first = lately[MAX_AN_HOUR - 1]
  return first === undefined ? 0 : first.createdAt.getTime() - since.getTime()
}

async function forward(context: TippingContext, owner: Owner): Promise<Next> {
  const { id: member, forwardTo, forwardDue, keepHere } = owner
  const spendable = (await context.ledger.balance(memberAccount(member))) - keepHere
  const budget = msats(spendable < 0n ? 0n : spendable < forwardDue ? spendable : forwardDue)
  const limitOf = await feeLimits(context)
  const most = largestSendable(budget, limitOf)
  if (most < MIN_FORWARD) return END
  let reserved: string
  try {
    await mustBeElsewhere(context, forwardTo)
    const address = { ...readAddress(context, forwardTo), member }
    const offer = await offerOf(context, address)
    const amount = floorToSat(smallestOf(most, offer.max, context.settings.maxAmount))
    // More may come, so this is not a failure.
    if (amount < offer.min || amount < MIN_FORWARD) return END
    reserved = await reserve(
      context,
      owner,
      { amount, limit: limitOf(amount) },
      payableBy(await invoiceOf(context, address, offer, amount)),
    )
  } catch (error) {
    if (error instanceof InsufficientFunds || error instanceof Overtaken) return inMs(AFTER_RACE_MS)
    if (!(error instanceof TippingRefusal)) throw error
    const failure = { member, address: forwardTo, problem: error.code, due: 0n }
    await context.commit({ write: (tx) => noteProblem(context, tx, failure) })
    // The job stores the time of the next attempt.
    return END
  }
  await context.payouts.run('withdrawal', [() => sendReserved(context, WITHDRAWALS, reserved)])
  return inMs(WHILE_OPEN_MS)
}

function smallestOf(...amounts: readonly Msats[]): Msats {
  return amounts.reduce((smallest, amount) => (amount < smallest ? amount : smallest))
}

/** Reserves amount and fee limit for the address's invoice. Resolves to the withdrawal's id. */
async function reserve(
  context: Book,
  owner: Owner,
  { amount, limit }: { readonly amount: Msats; readonly limit: Msats },
  payable: PayableWithdrawal,
): Promise<string> {
  const { id: member, forwardTo, keepHere } = owner
  const reserved = msats(amount + limit)
  const [id, callbackToken, at] = [context.entropy.uuid(), token(context.entropy), now(context)]
  await context.commit({
    // Other moves in the same batch may lower the due sum, too.
    alone: true,
    entries: [reserveEntry({ id, member }, reserved)],
    rows: [operationRow({ id, verb: 'withdraw', record: id, createdAt: at })],
    write: async (tx) => {
      // The reserving move lowers the due sum, as every move out of a balance does.
      const where = { id: member, forwardTo, keepHere, forwardDue: { gte: reserved } }
      if ((await tx.member.count({ where })) !== 1) throw new Overtaken(`what ${member} is due has changed`)
      await mustBeFree(tx, payable.paymentHash)
      await tx.withdrawal.create({
        data: {
          ...{ id, member, amount, feeLimit: limit, kind: 'address', forwarded: true, destination: forwardTo },
          ...{ ...payable, state: 'reserved', token: callbackToken },
          // It answers no command, so there is no such message. /balance and /history show it.
          card: id,
          ...{ key: `withdrawal-${id}`, createdAt: at, process: context.ownership.me },
        },
      })
      const first = new Date(at.getTime() + FIRST_POLL_MS)
      await schedulePoll(tx, { id, kind: 'withdrawal', bornAt: at, token: callbackToken }, first)
    },
  })
  return id
}
