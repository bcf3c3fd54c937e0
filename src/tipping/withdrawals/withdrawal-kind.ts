import { decodeAnyInvoice } from '../../lib/lightning/bolt12.ts'
import { readSuccessAction } from '../../lib/lightning/success-action.ts'
import { type Msats, msats, parseWireMsats } from '../../lib/money/amount.ts'
import { WALLET } from '../core/chart-of-accounts.ts'
import { type CoreContext, now, type Provider, type ReadonlyBook } from '../core/context.ts'
import { OUR_NAME } from '../core/our-name.ts'
import type { Failed, OutcomeRecord, OutgoingContext, OutgoingKind } from '../engine/outgoing/outgoing.ts'
import { pauseWithin } from '../engine/outgoing/poll-outgoing.ts'
import { accountsOf, feeMoves } from '../engine/outgoing/record-outcome.ts'
import { END } from '../engine/polling/poller.ts'
import type { Withdrawal } from '../generated/client.ts'
import { forwardingEnded, noteForwarded, noteForwardFailed } from './forward-state.ts'
import { logReturnedLines } from './log-returned-lines.ts'
import { heldByWithdrawals, isUnpriced, overdueSince, uncertainByWithdrawals } from './open-withdrawals.ts'
import { tellLate } from './tell-late.ts'
import { answerOfPayment, answerOfRequest, type OpenWithdrawal, type PaidWithdrawal } from './withdrawal-outcome.ts'

/** The stored request, to be sent again unchanged if necessary. Amounts are msats in decimal. */
interface WithdrawalBody {
  readonly invoice?: string
  readonly amount?: string
  readonly description?: string
  readonly expiresIn?: number
  readonly internalId: string
  readonly callbackUrl?: string
  /** The highest fee, which is sent only if the provider supports it; otherwise the provider's own limit applies. */
  readonly maxFee?: string
}

/** The interface's smallest fee limit, for free payments inside the provider. */
const MIN_MAX_FEE = 1n
/**
 * The text stored in place of the process if the book was restored from a backup that had the withdrawal as reserved:
 * it may have been sent after the backup.
 */
export const RESTORED = 'restored'

/** Withdrawals, which move sats out of a balance: to a code that any wallet scans, or to an invoice. */
export const WITHDRAWALS: OutgoingKind<Withdrawal, PaidWithdrawal, OpenWithdrawal, WithdrawalBody> = {
  name: 'withdrawal',
  table: (client) => client.withdrawal,
  amountOf: ({ amount }) => msats(amount),
  reservedOf: ({ amount, feeLimit }) => msats(amount + feeLimit),
  held: heldByWithdrawals,
  uncertain: uncertainByWithdrawals,

  prepare: bodyOf,
  obstacle: forwardingEnded,
  storedBody: ({ body }) => (body === null ? undefined : (JSON.parse(body) as WithdrawalBody)),
  request,
  remoteIdOf: (context, withdrawal, { said }) => withdrawal.remoteId ?? learnId(context, withdrawal, said),
  async read({ payments }, withdrawal, id) {
    if (withdrawal.kind !== 'request') return answerOfPayment(withdrawal, (await payments.retrievePayment({ id })).data)
    return answerOfRequest(withdrawal, (await payments.retrieveWithdrawalRequest({ id })).data)
  },

  dueToTheFirst: ['insufficient_funds', 'already_paid', 'invoice_expired'],
  endedByTime: neverShown,

  isOpen(withdrawal) {
    const { state, remoteId } = withdrawal
    return (
      state === 'offered' || state === 'claimed' || (state === 'sending' && remoteId !== null) || isUnpriced(withdrawal)
    )
  },
  openStates: ['offered', 'claimed'],
  isResumed: ({ pool, process }) => pool !== null && process !== RESTORED,
  failed: (context, withdrawal, { because, reason }) => ({
    data: { state: 'returned', because, reason, request: null, endedAt: now(context) },
    async write(tx) {
      await noteForwardFailed(context, tx, withdrawal, because)
      if (withdrawal.pool !== null) await logReturnedLines(context, tx, withdrawal.id)
    },
  }),
  paid: (context, withdrawal, outcome) =>
    withdrawal.state === 'paid' ? recordFee(withdrawal, outcome) : recordPaid(context, withdrawal, outcome),
  open: (context, withdrawal, outcome) => ({ data: openData(context, withdrawal, outcome) }),
  nextAfter: (outcome) => (outcome.kind === 'paid' && outcome.fee !== undefined ? END : undefined),

  // A callback may still name its id, and a never-shown code expires some day.
  endures: () => true,
  pauseMs,
  tellLate,
  dueAt: (withdrawal) => overdueSince(withdrawal) ?? withdrawal.createdAt,
  inDoubt({ kind, amount, state, reason }, since) {
    const doubt = state === 'paid' ? 'the provider names no fee' : 'the provider tells no end'
    return `a withdrawal (${kind}) of ${amount} msats is "${state}" since ${since}: ${reason ?? doubt}`
  },
}

function bodyOf(context: CoreContext, withdrawal: Withdrawal): WithdrawalBody {
  const { id, kind, amount, feeLimit, invoice, token } = withdrawal
  const callbackUrl = context.settings.callbackUrl(token ?? '')
  const limit = feeLimit > MIN_MAX_FEE ? feeLimit : MIN_MAX_FEE
  const shared = {
    internalId: id,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(context.replaysKeys() ? { maxFee: limit.toString() } : {}),
  }
  if (kind === 'request') {
    return {
      ...shared,
      amount: amount.toString(),
      description: OUR_NAME,
      expiresIn: openSecondsOf(context, withdrawal),
    }
  }
  const carriesAmount = invoice !== null && decodeAnyInvoice(invoice).amount !== undefined
  return { ...shared, invoice: invoice ?? '', ...(carriesAmount ? {} : { amount: amount.toString() }) }
}

async function request({ payments }: Provider, withdrawal: Withdrawal, body: WithdrawalBody) {
  const { invoice = '', amount, maxFee, ...rest } = body
  const options = { idempotencyKey: withdrawal.key }
  const amounts = {
    ...(amount === undefined ? {} : { amount: BigInt(amount) as Msats }),
    ...(maxFee === undefined ? {} : { maxFee: BigInt(maxFee) as Msats }),
  }
  if (withdrawal.kind === 'request') {
    const whole = { ...rest, ...amounts, amount: withdrawal.amount as Msats }
    return answerOfRequest(withdrawal, (await payments.createWithdrawalRequest(whole, options)).data)
  }
  const { expiresIn: _, ...payment } = rest
  return answerOfPayment(withdrawal, (await payments.sendPayment({ ...payment, ...amounts, invoice }, options)).data)
}

/**
 * Returns the provider's id, which a lost answer would have contained, from a payment's callback; null unless internal
 * id, amount and invoice match and no other withdrawal has this id. Nothing else in a callback is believed: the record
 * is then read like any other.
 */
async function learnId(context: ReadonlyBook, withdrawal: Withdrawal, said: string | null): Promise<string | null> {
  const body = (JSON.parse(said ?? 'null') ?? {}) as Record<string, unknown>
  const { id, internalId, amount, invoice } = body
  const matches =
    internalId === withdrawal.id &&
    parseWireMsats(amount) === withdrawal.amount &&
    typeof invoice === 'string' &&
    invoice.toLowerCase() === withdrawal.invoice
  if (!matches || typeof id !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(id)) return null
  const taken = await context.database.read.withdrawal.findFirst({ where: { remoteId: id } })
  return taken === null ? id : null
}

/**
 * Ends a code whose creation was never answered, an hour after it would have expired. No other withdrawal ends by time
 * alone.
 */
function neverShown(context: ReadonlyBook, withdrawal: Withdrawal): Failed | undefined {
  const { kind, state, sentAt, createdAt, reason } = withdrawal
  if (kind !== 'request' || state !== 'unknown') return undefined
  const overMs = openSecondsOf(context, withdrawal) * 1_000 + 3_600_000
  const ageMs = context.clock.now() - (sentAt ?? createdAt).getTime()
  if (!context.clockWatch.isSteady() || ageMs < overMs) return undefined
  return { kind: 'failed', because: 'never-shown', reason }
}

/** Returns how long a code can be scanned, in seconds. */
function openSecondsOf({ settings }: ReadonlyBook, { openSeconds }: Withdrawal): number {
  return openSeconds ?? settings.withdrawalOpenSeconds
}

/** The stored reason of a code whose scan led to a failed payment: the provider offers the code again. */
const FAILED_TRY = 'the last try failed'

/** Whether a code, if it is offered now, was scanned before and its payment failed. */
export function hasFailedTry({ state, reason }: Pick<Withdrawal, 'state' | 'reason'>): boolean {
  return state === 'claimed' || (state === 'offered' && reason === FAILED_TRY)
}

function openData(
  context: ReadonlyBook,
  withdrawal: Withdrawal,
  { remoteId, offer }: OpenWithdrawal,
): Partial<Withdrawal> {
  if (offer === undefined) return { state: 'sending', remoteId, reason: null }
  const { request, claimed } = offer
  const { sentAt } = withdrawal
  const expiresAt = offer.expiresAt ?? new Date((sentAt?.getTime() ?? 0) + openSecondsOf(context, withdrawal) * 1_000)
  const again = !claimed && hasFailedTry(withdrawal)
  return { state: claimed ? 'claimed' : 'offered', remoteId, request, expiresAt, reason: again ? FAILED_TRY : null }
}

/** Returns the record that the amount has left, with the fee if it is known. */
function recordPaid(
  context: OutgoingContext,
  withdrawal: Withdrawal,
  { fee, remoteId, preimage }: PaidWithdrawal,
): OutcomeRecord<Withdrawal> {
  const amount = { from: accountsOf(withdrawal).held, to: WALLET, amount: msats(withdrawal.amount) }
  return {
    moves: [amount, ...(fee === undefined ? [] : feeMoves(withdrawal, fee))],
    data: {
      ...{ state: 'paid', fee: fee ?? null, remoteId, reason: null, request: null, endedAt: now(context) },
      ...keyTo(withdrawal, preimage),
    },
    async write(tx) {
      await noteForwarded(context, tx, withdrawal)
      if (withdrawal.pool !== null) await logReturnedLines(context, tx, withdrawal.id)
    },
  }
}

/** Returns the record of a fee that the provider reported after the payment had ended. */
function recordFee(withdrawal: Withdrawal, { fee, preimage }: PaidWithdrawal): OutcomeRecord<Withdrawal> {
  const data = keyTo(withdrawal, preimage)
  if (fee === undefined || withdrawal.fee !== null) return { from: ['paid'], data }
  return { moves: feeMoves(withdrawal, fee), step: 'fee', from: ['paid'], data: { fee, ...data } }
}

/** Returns the preimage to store, if it opens a message that the payee has locked (LUD-10). */
function keyTo({ successAction }: Withdrawal, preimage: string | undefined): Partial<Withdrawal> {
  return preimage !== undefined && readSuccessAction(successAction)?.tag === 'aes' ? { preimage } : {}
}

/**
 * Returns the pause until the next poll. It grows with age, but ends just after a code's expiry, so that an unused code
 * soon returns its sats.
 */
function pauseMs({ clock }: ReadonlyBook, { expiresAt }: Withdrawal, ageMs: number): number {
  const usual = pauseWithin(ageMs / 4)
  const untilExpiryMs = pauseWithin(0) + (expiresAt?.getTime() ?? 0) - clock.now()
  return untilExpiryMs > 0 ? Math.min(usual, untilExpiryMs) : usual
}
