import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { proves } from '../engine/sending/finish-payment.ts'
import { ASKED_STATES, isFinal } from '../engine/sending/payment-record.ts'
import type { Payment, PaymentDecision } from '../generated/client.ts'
import { AdministrationRefusal } from './administration-refusal.ts'
import { correctDecision } from './correct-decisions.ts'
import { addWord } from './decision-words.ts'
import type { DecisionLine, OpenPaymentLine } from './lines.ts'

/** The maximum number of lines in one page of a list. */
const PAGE = 1_000
const MAX_EVIDENCE_LENGTH = 500
const CONTROL = /\p{Cc}/u
/**
 * How old a payment must be before operators may decide. Until then, the node is asked often, and a call may be under
 * way.
 */
const DECIDABLE_AFTER_MS = 600_000

/** An operator's decision about a payment whose outcome the node does not prove. */
export interface PaymentVerdict {
  readonly paymentId: string
  readonly outcome: string
  /** A text, stored forever, on where the outcome can be seen. */
  readonly evidence: string
  /** The operator who decides. */
  readonly by: string
  /** The payment's preimage in hex. With it, one operator's decision for `paid` is proof. */
  readonly preimage?: string
}

interface DecideParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly entropy: Entropy
}

/**
 * Creates the actions by which operators end a payment whose outcome the node does not prove. A decision is only
 * recorded: the service that owns the payment ends it at its next look-up, unless the node has proven an outcome by
 * then. A preimage, or the agreement of two people, is proof. An earlier decision can be corrected in the same way, and
 * the correction is then booked immediately.
 */
export function decidePayments(parts: DecideParts) {
  const { database, ledger, clock, entropy } = parts
  return {
    listOpenPayments: async (): Promise<OpenPaymentLine[]> => {
      const proposed = await database.read.paymentDecision.findMany({ where: { state: 'proposed' }, take: PAGE })
      const id = { in: proposed.map(({ paymentId }) => paymentId) }
      const where = { OR: [{ status: { in: ASKED_STATES } }, { id }] }
      const payments = await database.read.payment.findMany({ where, orderBy: { createdAt: 'asc' }, take: PAGE })
      const of = { paymentId: { in: payments.map(({ id }) => id) }, state: { not: 'replaced' } }
      const decisions = await database.read.paymentDecision.findMany({ where: of, orderBy: { state: 'desc' } })
      return payments.map((payment) =>
        lineOf(
          payment,
          decisions.find(({ paymentId }) => paymentId === payment.id),
        ),
      )
    },
    decidePayment: async (verdict: PaymentVerdict): Promise<DecisionLine> => {
      const said = readVerdict(verdict)
      const payment = await findPayment(parts, verdict)
      const at = new Date(clock.now())
      const word = { ...said, id: entropy.uuid(), at }
      if (isFinal(payment)) return decisionLine(await correctDecision(parts, payment, word))
      const decision = await ledger.commit({
        write: async (tx) => {
          const earlier = await tx.paymentDecision.findMany({
            where: { paymentId: payment.id, state: { not: 'replaced' } },
          })
          if (earlier.some(({ state }) => state === 'done')) throw decidedAlready()
          const decided = await addWord(tx, earlier[0], word)
          if (decided.state === 'done') {
            const where = { id: payment.id, status: { in: ASKED_STATES } }
            await tx.payment.updateMany({ where, data: { nextLookUpAt: at } })
          }
          return decided
        },
      })
      return decisionLine(decision)
    },
  }
}

function readVerdict(verdict: PaymentVerdict): PaymentVerdict {
  const { outcome, preimage } = verdict
  const [evidence, by] = [verdict.evidence.trim(), verdict.by.trim()]
  if (outcome !== 'paid' && outcome !== 'failed') {
    throw new AdministrationRefusal(`The outcome of a payment must be "paid" or "failed", not "${outcome}".`)
  }
  if (evidence === '' || evidence.length > MAX_EVIDENCE_LENGTH || CONTROL.test(evidence)) {
    throw new AdministrationRefusal(
      `Say in one line of at most ${MAX_EVIDENCE_LENGTH} characters where the outcome can be seen: --evidence "…". This line is kept with the books.`,
    )
  }
  if (by === '' || by.length > 100 || CONTROL.test(by))
    throw new AdministrationRefusal('--by must be a name of at most 100 characters.')
  if (preimage !== undefined && outcome === 'failed') {
    throw new AdministrationRefusal('A preimage proves that a payment was paid. Leave --preimage out, or say "paid".')
  }
  return { ...verdict, evidence, by, ...(preimage !== undefined && { preimage: preimage.trim().toLowerCase() }) }
}

async function findPayment({ database, clock }: DecideParts, verdict: PaymentVerdict): Promise<Payment> {
  const { paymentId, preimage } = verdict
  const payment = await database.read.payment.findUnique({ where: { id: paymentId } })
  if (payment === null) {
    throw new AdministrationRefusal(
      `There is no payment ${paymentId}. "payment list" shows the payments without an outcome.`,
    )
  }
  if (payment.status === 'held') {
    throw new AdministrationRefusal(
      `Payment ${paymentId} has not been sent yet. Nothing was changed. The service will send or cancel it once it is running.`,
    )
  }
  if (preimage !== undefined) {
    if (proves(preimage.trim(), payment.paymentHash)) return payment
    throw new AdministrationRefusal(
      `This preimage does not belong to the payment hash ${payment.paymentHash}. Copy it again, in full.`,
    )
  }
  if (isFinal(payment)) return payment
  const minutes = Math.ceil((payment.createdAt.getTime() + DECIDABLE_AFTER_MS - clock.now()) / 60_000)
  if (minutes > 0) {
    throw new AdministrationRefusal(
      `Payment ${paymentId} may still be on its way. Try again in ${minutes} min, unless the node ends it sooner.`,
    )
  }
  return payment
}

function decidedAlready(): AdministrationRefusal {
  return new AdministrationRefusal(
    'The outcome of this payment has already been decided. A running service ends the payment within a minute.',
  )
}

function lineOf(payment: Payment, decision: PaymentDecision | undefined): OpenPaymentLine {
  return {
    ...{ paymentId: payment.id, kind: payment.kind, status: payment.status, paymentHash: payment.paymentHash },
    ...{ amount: `${payment.amount}`, maxFee: `${payment.maxFee}`, payer: `${payment.payerKind}:${payment.payerId}` },
    ...{ createdAt: payment.createdAt.toISOString(), lookUps: payment.attempts },
    decision: decision === undefined ? null : decisionLine(decision),
  }
}

function decisionLine({ paymentId, outcome, state, ...said }: PaymentDecision): DecisionLine {
  return {
    ...{ paymentId, outcome, state, by: said.by, evidence: said.evidence, at: said.at.toISOString() },
    ...{ secondBy: said.secondBy, secondEvidence: said.secondEvidence, isCorrection: said.corrects !== '' },
  }
}
