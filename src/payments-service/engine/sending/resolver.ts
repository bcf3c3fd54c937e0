import pLimit from 'p-limit'
import { pauseAfterFailures } from '../../../lib/pause-after-failures.ts'
import { type RoundWorker, startWorker } from '../../../lib/worker.ts'
import type { PaymentLookUp } from '../../backends/backend.ts'
import type { Payment } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'
import { NOTHING_SENT } from './decisions.ts'
import { finishPayment, type ProvenOutcome, proves, voidUnsent } from './finish-payment.ts'
import { wrongPreimage } from './log-outcome.ts'
import { ASKED_STATES, OPEN_STATES } from './payment-record.ts'

/** The pauses between look-ups, in ms. The longest one repeats forever. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 900_000]
const MAX_PAUSE_MS = 3_600_000
/** The time limit for a node's answer to a look-up. */
const LOOK_UP_TIMEOUT_MS = 10_000
/** How long a node must report that it has no record of a payment before that is believed. */
const CONFIRM_ABSENCE_AFTER_MS = 60_000
/** How old a payment without a known outcome must be before every look-up of it alerts operators. */
const ALERT_AFTER_MS = 600_000
const MAX_CONCURRENT_LOOK_UPS = 16
/**
 * How long a call to the node may run. Afterwards only look-ups find its outcome. For a call of another process, which
 * may only have been frozen, the time starts when the payment is taken over.
 */
export const SENDER_TIMEOUT_MS = 600_000
/** The longest wait, because the wall clock may have been set back. */
const MAX_WAIT_MS = 60_000
const MIN_WAIT_MS = 1_000

const NEVER_SENT: ProvenOutcome = {
  state: 'failed',
  code: 'other',
  reason: 'The node never received it.',
  evidence: 'the node has no record of it, and nobody is sending it any more',
}

export interface Unresolved {
  readonly count: number
  /** The milliseconds since the oldest of these payments was accepted; 0 if there is none. */
  readonly oldestMs: number
}

/**
 * Owns every payment of this process whose outcome is unknown: asks the node again, with growing pauses, for as long as
 * necessary, across restarts. Takes over the work of processes that are gone. Time alone never ends a payment. A
 * payment that this process is still sending ends here only with proof that it was paid, because "failed" and "absent"
 * may refer to an earlier moment.
 */
export class Resolver {
  readonly #parts: NodeParts
  readonly #isSending: (id: string) => boolean
  /**
   * Since when (monotonic ms) the node has reported, without interruption, that it has no record of a payment. This
   * time counts only while the book agrees: another process may have owned the payment in between, and got another
   * answer.
   */
  readonly #absentSince = new Map<string, number>()
  /** When (monotonic ms) payments that another process may still be sending were taken over. */
  readonly #takenOver = new Map<string, number>()
  readonly #worker: RoundWorker
  #closed = false
  /** The number of successive rounds in which a result could not be written. */
  #failures = 0

  constructor(parts: NodeParts, isSending: (id: string) => boolean) {
    this.#parts = parts
    this.#isSending = isSending
    const { clock, logger } = parts
    this.#worker = startWorker({
      clock,
      round: () => this.#lookUpDue(),
      pauseMs: (failures) => (failures === 0 ? this.#untilDue() : MAX_WAIT_MS),
      firstInMs: Number.POSITIVE_INFINITY,
      failed: (error) => logger.error({ err: error }, 'payments could not be looked up'),
    })
  }

  /**
   * Takes over the payments that ended processes left open, returns sums that were never sent, and looks up all the
   * other payments once.
   */
  async start(): Promise<void> {
    await this.takeOver()
    const left = await this.#parts.database.read.payment.findMany({ where: this.#open() })
    await pLimit(MAX_CONCURRENT_LOOK_UPS).map(left, async (payment) => {
      if (!this.#closed) await this.#settle(payment)
    })
    this.#worker.wakeIn(await this.#untilDue())
  }

  /** Takes over the open payments that no living process owns, so that they are looked up immediately. */
  async takeOver(): Promise<void> {
    const { database, ledger, ownership, clock, logger } = this.#parts
    const open = { status: { in: OPEN_STATES } }
    const left = { ...open, ...(await ownership.nobodysIn(database.read, 'sender')) }
    if ((await database.read.payment.count({ where: left })) === 0) return
    const nextLookUpAt = new Date(clock.now())
    const taken = await ledger.commit({
      write: async (tx) => {
        const { nobodys, mine } = await ownership.takeOverIn(tx, 'sender')
        const payments = await tx.payment.findMany({
          where: { ...open, ...nobodys },
          select: { id: true, status: true },
        })
        const where = { id: { in: payments.map(({ id }) => id) } }
        await tx.payment.updateMany({ where, data: { ...mine, absentSince: null, nextLookUpAt } })
        return payments
      },
    })
    logger.info({ payments: taken.length }, 'open payments of a process that is gone are taken over')
    for (const { id, status } of taken) {
      if (status !== 'held' && !ownership.alone) this.#takenOver.set(id, clock.monotonic())
    }
    this.expect(nextLookUpAt.getTime())
  }

  /** Takes over a payment whose sender does not know its outcome. */
  async adopt(id: string, evidence: string): Promise<void> {
    this.#parts.logger.warn({ payment: id, evidence }, 'what became of a payment is not known; it will be looked up')
    const lookUpAt = this.#parts.clock.now() + pauseAfter(0)
    await this.#parts.ledger.commit({
      write: (tx) =>
        tx.payment.updateMany({
          where: { id, status: { in: ASKED_STATES }, sender: this.#parts.ownership.me },
          data: { status: 'unknown', nextLookUpAt: new Date(lookUpAt) },
        }),
    })
    this.expect(lookUpAt)
  }

  /** Notes that a payment may have to be looked up at this time (milliseconds since 1970). */
  expect(at: number): void {
    this.#worker.wakeIn(Math.min(Math.max(at - this.#parts.clock.now(), 0), MAX_WAIT_MS))
  }

  async unresolved(): Promise<Unresolved> {
    const { _count, _min } = await this.#parts.database.read.payment.aggregate({
      where: { OR: [{ status: 'unknown' }, { status: 'sending', attempts: { gt: 0 } }] },
      _count: true,
      _min: { createdAt: true },
    })
    const oldest = _min.createdAt?.getTime()
    return { count: _count, oldestMs: oldest === undefined ? 0 : Math.max(this.#parts.clock.now() - oldest, 0) }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#worker.close()
  }

  async #lookUpDue(): Promise<void> {
    const now = this.#parts.clock.now()
    // A time beyond the longest pause was set before the wall clock was set back.
    const due = [{ lte: new Date(now) }, { gt: new Date(now + 2 * MAX_PAUSE_MS) }]
    const payments = await this.#parts.database.read.payment.findMany({
      where: { ...this.#open(), OR: due.map((nextLookUpAt) => ({ nextLookUpAt })) },
      orderBy: { nextLookUpAt: 'asc' },
      take: MAX_CONCURRENT_LOOK_UPS,
    })
    const written = await Promise.all(payments.map((payment) => this.#settle(payment)))
    this.#failures = written.includes(false) ? this.#failures + 1 : 0
  }

  /**
   * Returns the milliseconds until the next payment is due, or longer after rounds in which a result could not be
   * written.
   */
  async #untilDue(): Promise<number> {
    const next = await this.#parts.database.read.payment.findFirst({
      where: { ...this.#open(), nextLookUpAt: { not: null } },
      orderBy: { nextLookUpAt: 'asc' },
      select: { nextLookUpAt: true },
    })
    if (!next?.nextLookUpAt) return Number.POSITIVE_INFINITY
    const least = this.#failures === 0 ? MIN_WAIT_MS : pauseAfterFailures(this.#failures)
    return Math.min(Math.max(next.nextLookUpAt.getTime() - this.#parts.clock.now(), least), MAX_WAIT_MS)
  }

  /** Returns the condition for this process's open payments. */
  #open() {
    return { status: { in: OPEN_STATES }, sender: this.#parts.ownership.me }
  }

  /**
   * Ends a payment if its outcome can be proven now; otherwise schedules the next look-up. Never throws. Resolves to
   * false if the result could not be written.
   */
  async #settle(payment: Payment): Promise<boolean> {
    try {
      await (payment.status === 'held' ? this.#giveUp(payment) : this.#askNode(payment))
      return true
    } catch (error) {
      this.#parts.logger.error({ err: error, payment: payment.id }, 'a payment could not be resolved')
      return false
    }
  }

  async #askNode(payment: Payment): Promise<void> {
    const found = await this.#lookUp(payment)
    if (this.#closed) return
    const end = (await this.#judge(payment, found)) ?? (await this.#decided(payment, found))
    if (end === undefined) return await this.#askLater(payment, found)
    for (const kept of [this.#absentSince, this.#takenOver]) kept.delete(payment.id)
    await finishPayment(this.#parts, payment.id, end)
  }

  /** Gives up a hold that was never marked as sending, if no process can still mark it. */
  async #giveUp(payment: Payment): Promise<void> {
    if (this.#isSending(payment.id)) return
    await voidUnsent(this.#parts, payment.id, 'The service was interrupted before anything was sent.')
  }

  #lookUp(payment: Payment): Promise<PaymentLookUp> {
    const { backend, clock } = this.#parts
    return new Promise((resolve) => {
      const unknown = (evidence: string) => resolve({ state: 'unknown', evidence })
      const cancel = clock.after(LOOK_UP_TIMEOUT_MS, () => unknown('the node did not answer the look-up'))
      const asked = (async () => backend.lookUpPayment(payment.paymentHash))()
      asked.then(resolve, (error) => unknown(String(error))).finally(cancel)
    })
  }

  /** Returns the outcome that a look-up proves; undefined if it proves none. */
  async #judge(payment: Payment, found: PaymentLookUp): Promise<ProvenOutcome | undefined> {
    if (found.state === 'paid') return this.#matching(payment, found)
    const isOpen = found.state === 'pending' || found.state === 'unknown'
    if (isOpen || this.#isSending(payment.id)) return this.#notAbsent(payment)
    // "Failed" may refer to an earlier payment of the same hash, while this one's request is still on its way.
    if (found.state === 'failed' && !(await this.#hasPredecessor(payment))) return found
    const now = this.#parts.clock.monotonic()
    const since = (payment.absentSince === null ? undefined : this.#absentSince.get(payment.id)) ?? now
    this.#absentSince.set(payment.id, since)
    if (now - since < CONFIRM_ABSENCE_AFTER_MS) return undefined
    if (now - (this.#takenOver.get(payment.id) ?? Number.NEGATIVE_INFINITY) < SENDER_TIMEOUT_MS) return undefined
    return found.state === 'failed' ? found : NEVER_SENT
  }

  /**
   * Applies operators' decision about a payment if the node proves nothing, and this process is not sending the
   * payment. Does not apply a decision of "failed" while the node reports the payment as under way.
   */
  async #decided({ id, amount }: Payment, found: PaymentLookUp): Promise<ProvenOutcome | undefined> {
    const where = { paymentId: id, state: 'done' }
    const decision = await this.#parts.database.read.paymentDecision.findFirst({ where })
    if (decision === null || this.#isSending(id)) return undefined
    if (decision.outcome === 'failed' && found.state === 'pending') return undefined
    const { outcome, preimage, by, secondBy, evidence, secondEvidence } = decision
    const who = secondBy === null ? by : `${by} and ${secondBy}`
    const why = secondEvidence === null ? evidence : `${evidence}; ${secondEvidence}`
    const text = `Operators have decided that payment ${id} of ${amount} msats ${outcome === 'paid' ? 'was paid' : 'failed, and its payer has everything back'} (${who}): ${why}`
    this.#parts.tell({ alert: 'payment_decided', text, fields: { payment: id, outcome } })
    if (outcome === 'paid') return { state: 'paid', preimage: preimage ?? '', fee: undefined }
    return { state: 'failed', code: 'other', reason: NOTHING_SENT, evidence: `decided by ${who}: ${why}` }
  }

  #matching(payment: Payment, found: Extract<PaymentLookUp, { state: 'paid' }>) {
    if (proves(found.preimage, payment.paymentHash)) return found
    this.#parts.tell(wrongPreimage(payment.id))
    return this.#notAbsent(payment)
  }

  #notAbsent(payment: Payment): undefined {
    this.#absentSince.delete(payment.id)
  }

  async #hasPredecessor({ paymentHash }: Payment): Promise<boolean> {
    return (await this.#parts.database.read.payment.count({ where: { paymentHash, status: 'failed' } })) > 0
  }

  async #askLater(payment: Payment, found: PaymentLookUp): Promise<void> {
    const { clock, bookClock, ledger, ownership, logger } = this.#parts
    const age = clock.now() - payment.createdAt.getTime()
    const fields = { payment: payment.id, ageMs: age, lookUps: payment.attempts + 1, found }
    if (age >= ALERT_AFTER_MS) this.#parts.tell({ alert: 'payment_unknown', text: noEnd(payment), fields })
    else logger.info(fields, 'a payment has no end yet')
    const isAbsent = this.#absentSince.has(payment.id)
    const pause = isAbsent ? CONFIRM_ABSENCE_AFTER_MS : pauseAfter(payment.attempts)
    const { retriesUntil = 0 } = found.state === 'pending' ? found : {}
    // If the node says when it stops trying, ask it then, not some minutes later.
    const lookUpAt = new Date(
      clock.now() + (retriesUntil > clock.now() ? Math.min(pause, retriesUntil - clock.now()) : pause),
    )
    await ledger.commit({
      write: (tx) =>
        tx.payment.updateMany({
          where: { id: payment.id, status: { in: ASKED_STATES }, sender: ownership.me },
          data: {
            attempts: { increment: 1 },
            nextLookUpAt: lookUpAt,
            absentSince: isAbsent ? (payment.absentSince ?? new Date(bookClock.now())) : null,
            ...(this.#isSending(payment.id) ? {} : { status: 'unknown' }),
          },
        }),
    })
  }
}

function noEnd({ id, amount, paymentHash }: Payment): string {
  return `Payment ${id} of ${amount} msats (hash ${paymentHash}) has no end yet. Its sats stay reserved, and the node is asked again and again. If the node's own records show its end, two operators can end it: npm run -s admin -- payment decide ${id} paid|failed --evidence "…".`
}

function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts] ?? MAX_PAUSE_MS
}
