import { AlreadyWritten, type Entry, InsufficientFunds, type Ledger } from '../../ledger/ledger.ts'
import { formatSats, msats } from '../../lib/money/amount.ts'
import { NODE, OPERATOR, wallet } from '../core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { endedByWord, validDecision } from '../engine/sending/decisions.ts'
import { payerOf } from '../engine/sending/payment-record.ts'
import type { Payment, PaymentDecision } from '../generated/client.ts'
import { AdministrationRefusal } from './administration-refusal.ts'
import { addWord, isProof, type Said } from './decision-words.ts'

interface CorrectionParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
}

/**
 * Records a decision against an earlier one that ended a payment. Like the earlier decision, the new one needs two
 * people or a preimage. With either, the correction is booked immediately. The payment's record, and the answer that
 * the payer gets, stay as they are, because the operator bears the cost of a correction. Throws AdministrationRefusal
 * if the correction is not possible.
 */
export async function correctDecision(parts: CorrectionParts, payment: Payment, said: Said): Promise<PaymentDecision> {
  const { database, ledger } = parts
  const valid = await findCorrectable(database, payment, said)
  const open = await database.read.paymentDecision.findFirst({ where: { paymentId: payment.id, state: 'proposed' } })
  const isDone = isProof(open, said)
  const isFirst = valid.corrects === ''
  const refundsPayer = isFirst && said.outcome === 'failed'
  try {
    return await ledger.commit({
      entries: isDone ? [correction(payment, said, refundsPayer)] : [],
      write: async (tx) => {
        const now = await tx.paymentDecision.findFirst({ where: { paymentId: payment.id, state: 'proposed' } })
        if (now?.id !== open?.id) throw changed()
        const decision = await addWord(tx, now ?? undefined, said, valid.id)
        if (isDone && refundsPayer) await forgetFee(tx, payment)
        return decision
      },
    })
  } catch (error) {
    if (error instanceof AlreadyWritten) throw changed()
    if (!(error instanceof InsufficientFunds)) throw error
    const holds = formatSats(msats(error.balance))
    throw new AdministrationRefusal(
      `The book's ${error.account.kind} account holds ${holds} sats, which is too little to book this. To find out why, run npm run audit.`,
    )
  }
}

async function findCorrectable(
  { read }: PaymentsDatabase,
  payment: Payment,
  { outcome }: Said,
): Promise<PaymentDecision> {
  const valid = await validDecision(read, payment.id)
  if (valid === undefined || valid.preimage !== null || !endedByWord(payment)) {
    throw new AdministrationRefusal(
      `Payment ${payment.id} has a proven outcome: ${payment.status}. Nothing was changed.`,
    )
  }
  if (valid.outcome !== outcome) return valid
  throw new AdministrationRefusal(`The operators have already decided that payment ${payment.id} ${inWords(outcome)}.`)
}

function inWords(outcome: string): string {
  return outcome === 'paid' ? 'was paid' : 'failed'
}

/**
 * Returns the entry of a correction. If the original decision was `paid`, its first correction returns everything to
 * the payer, including the fee, which is on the operator's account. In later corrections, or if the original decision
 * was `failed` and so returned everything to the payer, the operator takes the payer's place.
 */
function correction(payment: Payment, { id, outcome }: Said, refundsPayer: boolean): Entry {
  const amount = msats(payment.amount)
  const payer = wallet(payerOf(payment))
  const moves = refundsPayer
    ? [
        { from: NODE, to: payer, amount },
        { from: OPERATOR, to: payer, amount: msats(payment.fee ?? 0n) },
      ]
    : [outcome === 'paid' ? { from: OPERATOR, to: NODE, amount } : { from: NODE, to: OPERATOR, amount }]
  return { operation: `correction:${id}`, step: 'post', moves: moves.filter((move) => move.amount > 0n) }
}

/** Subtracts, from the totals of routing fees, the fee of a payment that did not leave. */
async function forgetFee(tx: Tx, { fee }: Payment): Promise<void> {
  if (fee === null || fee === 0n) return
  const data = { total: { decrement: fee }, payments: { decrement: 1 } }
  for (const kind of ['charged', 'untold']) await tx.routingFee.update({ where: { kind }, data })
}

function changed(): AdministrationRefusal {
  return new AdministrationRefusal(
    'Somebody else has just decided on this payment. Nothing was changed. "payment list" shows what was decided.',
  )
}
