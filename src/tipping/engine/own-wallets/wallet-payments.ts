import { pause } from '../../../lib/clock.ts'
import { isPreimageOf } from '../../../lib/lightning/preimage.ts'
import { NwcWalletError } from '../../../lib/nostr/wallet-connect/nwc-client.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { PollJob, WalletPayment } from '../../generated/client.ts'
import { restoredSince } from '../outgoing/outgoing-payments-switch.ts'
import { END, inMs, type Next, paceMs, pollAgain } from '../polling/poller.ts'
import { countAgain, uncount } from './counted-payments.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { invoiceOfReceiver, isTheirs, NoInvoice } from './invoice-of-receiver.ts'
import { BY_HAND, invoiceCardOf, OFFER_AFTER_MS, offerByHand } from './pay-by-hand.ts'
import { cameOfPromise } from './promise-book.ts'
import type { WalletContext, WalletPaymentRunner } from './wallet-context.ts'

/**
 * Payments from one member's wallet to another's. The bot never holds the sats, so nothing is refunded. Nobody may pay
 * twice, and no paid gift may be called failed.
 *
 * `asked` → `paying` → `paid` | `failed` | `unknown` → `unconfirmed`. The invoice is fixed in the transaction that
 * makes the payment `paying`, before the giver's wallet is asked, and stays the only invoice of its gift.
 */

/** Why nothing was paid. */
export type WalletFailure =
  /** `receiver`: the receiver's side provided no invoice. */
  'receiver' | 'insufficient' | 'budget' | 'not-allowed' | 'busy' | 'expired' | 'disconnected' | 'interrupted'

/**
 * The failure of a payment that a restored book cannot judge. The payment may have been made, and is shown as
 * unconfirmed.
 */
export const LOST_IN_RESTORE = 'restored'

/**
 * The errors of `pay_invoice` that, according to NIP-47 ("Error codes"), mean that the payment did not begin.
 * PAYMENT_FAILED, INTERNAL, OTHER and unknown codes do not mean that.
 */
const NOTHING_LEFT: ReadonlyMap<string, WalletFailure> = new Map<string, WalletFailure>([
  ['INSUFFICIENT_BALANCE', 'insufficient'],
  ['QUOTA_EXCEEDED', 'budget'],
  ['RESTRICTED', 'not-allowed'],
  ['UNAUTHORIZED', 'not-allowed'],
  ['NOT_IMPLEMENTED', 'not-allowed'],
  ['UNSUPPORTED_ENCRYPTION', 'not-allowed'],
])

/** How long a payment may wait to be taken up before its process is assumed to be gone. */
export const TAKE_UP_AFTER_MS = 60_000
/**
 * A time longer than any difference between clocks: this long after its expiry, an invoice is certainly refused by the
 * receiver's side.
 */
const LATE_MS = 120_000
/**
 * How long after an invoice's expiry proof is sought. Without proof from either side, the payment then stays
 * unconfirmed.
 */
const GIVE_UP_AFTER_MS = 24 * 3_600_000
const ASK_AGAIN_AFTER_MS = [2_000, 5_000, 10_000]

export class WalletPayments implements WalletPaymentRunner {
  readonly #context: () => WalletContext
  /** The end of each connection's queue, because a wallet gets one payment request at a time. */
  readonly #queues = new Map<string, Promise<void>>()
  readonly #mine = new Set<string>()

  constructor(context: () => WalletContext) {
    this.#context = context
  }

  /** Asks the giver's wallet to make these payments, one after the other. Does not wait until they have been made. */
  start(connection: string, ids: readonly string[]): void {
    const { activity } = this.#context()
    for (const id of ids) {
      this.#mine.add(id)
      const before = this.#queues.get(connection) ?? Promise.resolve()
      const turn = before.then(() => activity.run('pay from a wallet', () => this.#pay(id)))
      // Waiting for a turn counts as work, too.
      void activity.run('wait for a wallet', () => turn)
      const ended = turn.finally(() => {
        this.#mine.delete(id)
        if (this.#queues.get(connection) === ended) this.#queues.delete(connection)
      })
      this.#queues.set(connection, ended)
    }
  }

  async #pay(id: string): Promise<void> {
    const context = this.#context()
    const payment = await context.database.read.walletPayment.findUnique({ where: { id } })
    if (payment?.state !== 'asked') return
    const wallet = await context.wallets.connections.wallet(payment.connection)
    if (wallet === undefined) return await endFailed(context, payment, 'disconnected', 'no wallet is connected')
    const paying = await this.#fix(context, payment)
    if (paying === undefined) return
    const { invoice, paymentHash } = paying
    for (let attempt = 0; ; attempt += 1) {
      try {
        const preimage = await inTime(context, paying, wallet.pay(invoice))
        if (preimage !== undefined && isPreimageOf(preimage, paymentHash)) {
          return await endPaid(context, paying, { preimage, says: 'pay_invoice: preimage' })
        }
        return await endUnknown(context, paying, 'pay_invoice: paid, without its preimage')
      } catch (error) {
        if (!isTheirs(error)) throw error
        const code = error instanceof NwcWalletError ? error.code : ''
        const again = code === 'RATE_LIMITED' ? ASK_AGAIN_AFTER_MS[attempt] : undefined
        if (again !== undefined) {
          // It is the same invoice, so it can be paid once.
          await pause(context.clock, again)
          continue
        }
        const failure = code === 'RATE_LIMITED' ? 'busy' : NOTHING_LEFT.get(code)
        if (failure === undefined) await endUnknown(context, paying, said(error))
        else await this.#refused(context, paying, failure, said(error))
        return await offerByHand(context, paying)
      }
    }
  }

  /**
   * Handles a wallet that denies having begun a payment. Looks for proof on both sides anyway, because the wallet may
   * be wrong.
   */
  async #refused(context: WalletContext, paying: Paying, failure: WalletFailure, says: string): Promise<void> {
    const { paid } = await evidenceOf(context, paying)
    if (paid) await endPaid(context, paying, paid)
    else await endFailed(context, paying, failure, says)
  }

  /**
   * Gets the invoice, and stores it as the payment's only one. Returns undefined if that failed, or if the payment had
   * already left the state `asked`.
   */
  async #fix(context: WalletContext, payment: WalletPayment): Promise<Paying | undefined> {
    try {
      const { invoice, verify = null } = await invoiceOfReceiver(context, payment)
      const { text, paymentHash, expiresAt } = invoice
      const fixed = { invoice: text, paymentHash, verify, expiresAt, state: 'paying' }
      const { count } = await context.commit({
        write: async (tx) => {
          // Another gift may already have used this invoice. Paying it again would pay for nothing.
          const before = await tx.walletPayment.findUnique({ where: { paymentHash } })
          if (before !== null) throw new NoInvoice('the invoice was used before')
          return await tx.walletPayment.updateMany({ where: { id: payment.id, state: 'asked' }, data: fixed })
        },
      })
      return count === 0 ? undefined : { ...payment, ...fixed }
    } catch (error) {
      if (!(error instanceof NoInvoice)) throw error
      await endFailed(context, payment, 'receiver', said(error))
      return undefined
    }
  }

  /** Whether this process is handling the payment with this id. */
  has(id: string): boolean {
    return this.#mine.has(id)
  }
}

/**
 * Waits for a wallet's answer. If that takes long, the giver is offered to pay by hand; the wallet may still pay the
 * same invoice.
 */
async function inTime<T>(context: WalletContext, payment: WalletPayment, answer: Promise<T>): Promise<T> {
  const offer = () => void context.activity.run('offer to pay by hand', () => offerByHand(context, payment))
  const cancel = context.clock.after(OFFER_AFTER_MS, offer)
  return await answer.finally(cancel)
}

type Paying = WalletPayment & { readonly invoice: string; readonly paymentHash: string; readonly expiresAt: Date }

function isPaying(payment: WalletPayment): payment is Paying {
  return payment.invoice !== null
}

/** Looks for proof of a payment whose outcome is unknown. */
export async function pollWalletPayment(context: WalletContext, { id }: Pick<PollJob, 'id'>): Promise<Next> {
  const payment = await context.database.read.walletPayment.findUnique({ where: { id } })
  if (payment === null || payment.state === 'paid') return END
  if (!isPaying(payment)) return await pollAsked(context, payment)
  // Nothing expires while the clock is doubted.
  const past = context.clockWatch.isSteady()
    ? context.clock.now() - payment.expiresAt.getTime() - LATE_MS
    : Number.NEGATIVE_INFINITY
  const evidence = await evidenceOf(context, payment)
  if (evidence.paid) return await ended(endPaid(context, payment, evidence.paid))
  const soon = inMs(Math.min(paceMs(payment.createdAt, context.clock.now()), Math.max(-past, 2_000)))
  // Its giver may still pay it by hand.
  if (payment.state === 'failed') return past > 0 ? await pollRefused(context, payment, evidence, past) : soon
  if (past > 0) return await pollExpired(context, payment, evidence, past)
  if (payment.state === 'paying' && !context.wallets.payments.has(id)) {
    await endUnknown(context, payment, 'its process is gone')
    await offerByHand(context, payment)
  }
  return soon
}

async function pollAsked(context: WalletContext, payment: WalletPayment): Promise<Next> {
  if (payment.state !== 'asked') return END
  if (context.wallets.payments.has(payment.id)) return inMs(TAKE_UP_AFTER_MS)
  // The wallet may have paid an invoice that a restored book does not contain.
  if (await restoredSince(context.database.read, payment.createdAt)) {
    const evidence = 'the books were restored since, and what the wallet was asked for is lost'
    // The sum stays counted against the limit, because it may have been paid.
    const end = { state: 'failed', failure: LOST_IN_RESTORE, evidence, endedAt: now(context) }
    return await ended(change(context, payment, end))
  }
  // The recipient of a drop's share waits for it, and no person would send it again. Its invoice is fixed once, however
  // many processes start.
  if (payment.card !== null || (await cameOfPromise(context.database.read, payment))) {
    context.wallets.payments.start(payment.connection, [payment.id])
    return inMs(TAKE_UP_AFTER_MS)
  }
  return await ended(endFailed(context, payment, 'interrupted', 'its process is gone, and asked for nothing'))
}

/**
 * Handles a payment that the wallet refused, after its invoice has expired. Until the receiver's side proves that the
 * invoice stays unpaid, the giver may have paid it by hand if it was shown.
 */
async function pollRefused(context: WalletContext, payment: Paying, { unpaid }: Evidence, past: number): Promise<Next> {
  const pace = inMs(paceMs(payment.createdAt, context.clock.now()))
  if (unpaid) return END
  if ((await invoiceCardOf(context.database.read, payment.id)) === null) return past < GIVE_UP_AFTER_MS ? pace : END
  const evidence = "the wallet refused; the invoice was shown to its giver, and the receiver's side does not answer"
  const end = { state: 'unknown', failure: null, evidence, endedAt: null }
  await change(context, payment, end, (tx) => countAgain(tx, payment))
  return pace
}

/**
 * Handles a payment whose invoice has expired, so that nothing can pay it any more. Only the receiver's side can prove
 * that the invoice was not paid earlier.
 */
async function pollExpired(context: WalletContext, payment: Paying, { unpaid }: Evidence, past: number): Promise<Next> {
  const says = "the invoice is over, and the receiver's side shows it unpaid"
  if (unpaid) return await ended(endFailed(context, payment, 'expired', says))
  if (past < GIVE_UP_AFTER_MS) return inMs(paceMs(payment.createdAt, context.clock.now()))
  if (payment.state === 'unconfirmed') return END
  return await ended(change(context, payment, { state: 'unconfirmed', endedAt: now(context) }))
}

async function ended(change: Promise<void>): Promise<Next> {
  await change
  return END
}

function said(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}

type PaymentEnd = Partial<Pick<WalletPayment, 'state' | 'preimage' | 'failure' | 'evidence' | 'endedAt'>>

/** Ends a payment as paid, even if another end was recorded first. */
async function endPaid(
  context: WalletContext,
  payment: Paying,
  { preimage = null, says }: { readonly preimage?: string | null | undefined; readonly says: string },
): Promise<void> {
  const end = { state: 'paid', failure: null, preimage, evidence: says, endedAt: now(context) }
  await change(context, payment, end, async (tx, before) => {
    if (before === 'failed') await countAgain(tx, payment)
    if (payment.card !== null) return
    const member = await tx.member.findFirst({ where: { id: payment.recipient, receipts: true, forgottenAt: null } })
    if (member === null) return
    const card = { id: context.entropy.uuid(), kind: 'receipt', record: payment.id } as const
    await tx.card.create({ data: context.cards.values({ ...card, audience: { member: payment.recipient } }) })
  })
}

async function endFailed(
  context: WalletContext,
  payment: WalletPayment,
  failure: WalletFailure,
  says: string,
): Promise<void> {
  const end = { state: 'failed', failure, evidence: says, endedAt: now(context) }
  await change(context, payment, end, (tx) => uncount(tx, payment))
}

async function endUnknown(context: WalletContext, payment: Paying, says: string): Promise<void> {
  await change(context, payment, { state: 'unknown', evidence: says })
  // Poll it from now on.
  await context.commit({ write: (tx) => pollAgain(tx, [payment.id], now(context)) })
  void context.poller.wake()
}

/**
 * Changes a payment that has not changed since it was read, or that is now proven to be paid, and has its cards
 * redrawn.
 */
async function change(
  context: WalletContext,
  { id, tipId, state, card: own, connection }: WalletPayment,
  data: PaymentEnd,
  also: (tx: Tx, before: string) => Promise<void> = async () => {},
): Promise<void> {
  await context.commit({
    write: async (tx) => {
      // A proof counts even if somebody else has written meanwhile.
      const where = data.state === 'paid' ? { id, state: { not: 'paid' } } : { id, state }
      const before = await tx.walletPayment.findFirst({ where, select: { state: true } })
      if (before === null) return
      await tx.walletPayment.updateMany({ where, data })
      await also(tx, before.state)
      const { card } = await tx.tip.findUniqueOrThrow({ where: { id: tipId } })
      const invoice = await invoiceCardOf(tx, id)
      // If no wallet was asked for a tip, people see the tip only after it is paid.
      const isUntold = connection === BY_HAND && data.state !== 'paid'
      const all = [isUntold ? undefined : card, own, invoice?.id]
      await context.cards.raise(
        tx,
        all.filter((each) => typeof each === 'string'),
      )
    },
  })
}
