import { AlreadyWritten, InsufficientFunds } from '../../ledger/ledger.ts'
import { token } from '../../lib/entropy.ts'
import { floorToSat, type Msats, msats } from '../../lib/money/amount.ts'
import { Overtaken } from '../core/commit-end.ts'
import { type Book, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { FIRST_POLL_MS, reserveEntry } from '../engine/outgoing/record-outcome.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { invoiceOfWallet, isTheirs, NoInvoice } from '../engine/own-wallets/invoice-of-receiver.ts'
import type { LiveLink } from '../engine/payouts/live-link.ts'
import { PAYOUTS } from '../engine/payouts/payout-kind.ts'
import { reservePayout } from '../engine/payouts/reserve-payout.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { mustBeElsewhere, mustBeFree } from '../withdrawals/conditions.ts'
import { feeLimits } from '../withdrawals/fee-limits.ts'
import { invoiceOf, offerOf } from '../withdrawals/fetch-invoice.ts'
import { readAddress } from '../withdrawals/read-destination.ts'
import { type PayableWithdrawal, payableBy } from '../withdrawals/start-withdrawal.ts'
import { WITHDRAWALS } from '../withdrawals/withdrawal-kind.ts'
import type { NextPayment } from './next-payments.ts'

/** How long a wind-down's code can be scanned, in seconds: the longest time that an interface like ours permits. */
export const CODE_SECONDS = 30 * 24 * 3_600
const INVOICE_SECONDS = 3_600
const DESCRIPTION = 'Your balance, since this bot ends'

/** A member, and the round that pays them. */
export interface Payee {
  readonly windDownId: string
  readonly round: number
  readonly member: string
}

/**
 * Pays a member's balance in one way: reserves the sum and records the attempt in one transaction, then sends the
 * payment. A way without anything to pay is recorded as failed. Resolves when the payment is sent. Does nothing if the
 * balance has changed meanwhile, because another round follows.
 */
export async function payOut(context: TippingContext, payee: Payee, next: NextPayment): Promise<void> {
  const send = await reserved(context, payee, next).catch(async (error: unknown) => {
    if (isOvertaken(error)) return undefined
    const problem = problemOf(error)
    if (problem === undefined) throw error
    await context.commit({ write: (tx) => note(context, tx, payee, { next, problem }) })
    return undefined
  })
  await send?.()
}

/** Whether an error shows that the balance has shrunk, or that somebody else is paying it. */
function isOvertaken(error: unknown): boolean {
  return error instanceof InsufficientFunds || error instanceof AlreadyWritten || error instanceof Overtaken
}

/** Returns why a way has nothing to pay; undefined if the way is not at fault. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof TippingRefusal) return error.code
  return error instanceof NoInvoice || isTheirs(error) ? 'no-invoice' : undefined
}

type Send = () => Promise<void>

async function reserved(context: TippingContext, payee: Payee, next: NextPayment): Promise<Send> {
  const { route, amount, feeLimit } = next
  switch (route.way) {
    case 'account':
      return await reserveForAccount(context, payee, next, route.link)
    case 'address':
      return await reserveForAddress(context, payee, next, route.address)
    case 'wallet': {
      const asked = { amount, description: DESCRIPTION, seconds: INVOICE_SECONDS }
      const invoice = await invoiceOfWallet(context, route.connection, asked)
      const payable = { kind: 'invoice', invoice: invoice.text, paymentHash: invoice.paymentHash } as const
      return await reserveWithdrawal(context, payee, next, { ...payable, amount, feeLimit })
    }
    case 'code':
      return await reserveWithdrawal(context, payee, next, {
        ...{ kind: 'request', openSeconds: CODE_SECONDS, amount, feeLimit },
      })
    default:
      return route satisfies never
  }
}

/** Reserves a payment to an address, of no more than it accepts at a time. The rest is sent in the next round. */
async function reserveForAddress(
  context: TippingContext,
  payee: Payee,
  next: NextPayment,
  destination: string,
): Promise<Send> {
  await mustBeElsewhere(context, destination)
  const address = { ...readAddress(context, destination), member: payee.member }
  const offer = await offerOf(context, address)
  const amount = floorToSat(next.amount < offer.max ? next.amount : offer.max)
  if (amount === 0n || amount < offer.min) {
    throw new TippingRefusal('address-range', { address: address.name, smallest: offer.min, largest: offer.max })
  }
  const payable = payableBy(await invoiceOf(context, address, offer, amount))
  const feeLimit = (await feeLimits(context))(amount)
  return await reserveWithdrawal(context, payee, next, { ...payable, kind: 'address', destination, amount, feeLimit })
}

type NewWithdrawal = Partial<PayableWithdrawal> & {
  readonly kind: 'invoice' | 'address' | 'request'
  readonly destination?: string
  readonly openSeconds?: number
  readonly amount: Msats
  readonly feeLimit: Msats
}

async function reserveWithdrawal(
  context: TippingContext,
  payee: Payee,
  next: NextPayment,
  withdrawal: NewWithdrawal,
): Promise<Send> {
  const { member } = payee
  const [id, card, callbackToken, at] = [
    context.entropy.uuid(),
    context.entropy.uuid(),
    token(context.entropy),
    now(context),
  ]
  const { amount, feeLimit, paymentHash } = withdrawal
  await context.commit({
    entries: [reserveEntry({ id, member }, msats(amount + feeLimit))],
    rows: [
      operationRow({ id, verb: 'withdraw', record: id, createdAt: at }),
      context.cards.row({ id: card, kind: 'withdrawal', record: id, audience: { member } }),
    ],
    write: async (tx) => {
      await note(context, tx, payee, { next: { ...next, amount }, payment: id })
      if (paymentHash !== undefined) await mustBeFree(tx, paymentHash)
      const state = { state: 'reserved', card, token: callbackToken, process: context.ownership.me }
      await tx.withdrawal.create({
        data: { id, member, ...withdrawal, ...state, key: `withdrawal-${id}`, createdAt: at },
      })
      const first = new Date(at.getTime() + FIRST_POLL_MS)
      await schedulePoll(tx, { id, kind: 'withdrawal', bornAt: at, token: callbackToken }, first)
    },
  })
  return () => sendReserved(context, WITHDRAWALS, id)
}

async function reserveForAccount(
  context: TippingContext,
  payee: Payee,
  next: NextPayment,
  link: LiveLink,
): Promise<Send> {
  const { windDownId, member } = payee
  const notice = { windDownId_kind_member: { windDownId, kind: 'told', member } }
  const told = await context.database.read.windDownNotice.findUnique({ where: notice })
  const cause = context.entropy.uuid()
  const { amount } = next
  // A payout has no card of its own. The message about the end shows what is left.
  const plan = { cause, card: told?.card ?? cause, link, amount, description: DESCRIPTION, at: now(context) }
  const payout = reservePayout(context, plan)
  await context.commit({
    entries: [payout.entry],
    rows: [payout.operation, payout.row],
    write: (tx) => note(context, tx, payee, { next, payment: payout.id }),
  })
  return () => sendReserved(context, PAYOUTS, payout.id)
}

/** Notes an attempt. Throws Overtaken if the wind-down or its round is over, or the member has had their turn. */
async function note(
  context: Book,
  tx: Tx,
  { windDownId, round, member }: Payee,
  { next, ...how }: { readonly next: NextPayment } & ({ readonly payment: string } | { readonly problem: string }),
): Promise<void> {
  await context.ownership.assertHas(tx, 'upkeep')
  const where = { id: windDownId, state: 'on', round }
  if ((await tx.windDown.count({ where })) !== 1) throw new Overtaken('the wind-down is over')
  if ((await tx.windDownAttempt.count({ where: { windDownId, round, member } })) > 0) {
    throw new Overtaken(`${member} has had their turn`)
  }
  const { amount, route } = next
  const attempt = { id: context.entropy.uuid(), windDownId, round, member, way: route.way, amount }
  await tx.windDownAttempt.create({ data: { ...attempt, ...how, createdAt: now(context) } })
}
