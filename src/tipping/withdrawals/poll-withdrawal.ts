import { parseWireMsats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { raiseAlert, toDecide } from '../alerts/alerts.ts'
import { isPresent, tellOfProviderLeft } from '../alerts/present-provider.ts'
import type { TippingContext } from '../context.ts'
import type { PollJob, Withdrawal } from '../generated/client.ts'
import { isAnswer } from '../polling/is-answer.ts'
import { END, inMs, type Next, unread } from '../polling/poller.ts'
import { mayReplay } from '../replays.ts'
import { isOverdue } from './open-withdrawals.ts'
import { recordOutcome } from './record-withdrawal.ts'
import { request, toldIfOther, type WithdrawalBody } from './run-withdrawal.ts'
import { outcomeOfPayment, outcomeOfRequest, type WithdrawalOutcome } from './withdrawal-outcome.ts'

const MIN_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 3_600_000

/**
 * Refusals that a first attempt which paid, or the time since, may itself have caused. Even replayed they prove nothing:
 * they may be the answer to a second attempt, at a provider that lost the first one's.
 */
const DUE_TO_THE_FIRST = ['insufficient_funds', 'already_paid', 'invoice_expired']

/** It was marked as sent, so it may have left. */
type Sent = Withdrawal & { readonly sentAt: Date }

/**
 * Looks into a withdrawal that has not ended, or whose fee is not known. Proof is the provider's own record of it, read
 * by its id or given by a replay of its key. The one thing that time proves: a code that nobody was ever shown cannot be
 * scanned, so an hour after its expiry it is over.
 */
export async function pollWithdrawal(context: TippingContext, job: PollJob): Promise<Next> {
  const withdrawal = await context.database.read.withdrawal.findFirst({ where: { id: job.id } })
  if (withdrawal === null) return END
  const { state, fee, sentAt } = withdrawal
  if (state === 'returned' || (state === 'paid' && fee !== null)) return END
  // Whoever sends it now will say how it went.
  if (sentAt === null || (state === 'sending' && withdrawal.remoteId === null)) return inMs(MIN_PAUSE_MS)
  const sent = { ...withdrawal, sentAt }
  const seen = await poll(context, sent, job.said)
  const found = (seen === 'unread' ? undefined : seen) ?? neverShown(context, sent)
  if (found !== undefined) {
    await recordOutcome(context, withdrawal, found)
    if (found.kind === 'returned' || (found.kind === 'paid' && found.fee !== undefined)) return END
  }
  if (isOverdue(sent, context.clock.now())) await tellOperators(context, sent)
  const again = inMs(pace(context, sent))
  return seen === 'unread' ? unread(again) : again
}

/** Proof, if there is any, or how it stands; undefined when nothing was learned, `unread` where nobody could be asked. */
async function poll(
  context: TippingContext,
  withdrawal: Sent,
  said: string | null,
): Promise<WithdrawalOutcome | 'unread' | undefined> {
  if (!isPresent(context, withdrawal.provider)) {
    await tellOfProviderLeft(context, withdrawal.provider)
    return undefined
  }
  const known = withdrawal.remoteId ?? (await learnId(context, withdrawal, said))
  try {
    if (known !== null) return proofIn(await read(context, withdrawal, known))
    const replay = await mayReplay(context, withdrawal, withdrawal.sentAt)
    if (replay === 'unread') return replay
    if (replay === 'no' || withdrawal.body === null) return undefined
    return proofIn(await request(context, withdrawal, JSON.parse(withdrawal.body) as WithdrawalBody))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const proof = known === null ? await weigh(context, withdrawal, error) : undefined
    return proof ?? (isAnswer(error) ? undefined : 'unread')
  }
}

function proofIn(outcome: WithdrawalOutcome): WithdrawalOutcome | undefined {
  return outcome.kind === 'unknown' ? undefined : outcome
}

async function read(context: TippingContext, withdrawal: Withdrawal, id: string): Promise<WithdrawalOutcome> {
  const { payments } = context
  const outcome =
    withdrawal.kind === 'request'
      ? outcomeOfRequest(withdrawal, (await payments.retrieveWithdrawalRequest({ id })).data)
      : outcomeOfPayment(withdrawal, (await payments.retrievePayment({ id })).data)
  return await toldIfOther(context, withdrawal, outcome)
}

/** What the failure of a later request proves. Only the stored answer can be the first attempt's own record. */
async function weigh(
  context: TippingContext,
  withdrawal: Withdrawal,
  error: PaymentsError,
): Promise<WithdrawalOutcome | undefined> {
  if (
    error.replayed &&
    error.kind === 'refused' &&
    error.code !== undefined &&
    !DUE_TO_THE_FIRST.includes(error.code)
  ) {
    return { kind: 'returned', because: 'refused', reason: error.message }
  }
  if (error.message !== withdrawal.reason) {
    const where = { id: withdrawal.id, state: 'unknown' }
    await context.commit({ write: (tx) => tx.withdrawal.updateMany({ where, data: { reason: error.message } }) })
  }
  return undefined
}

/**
 * A payment's callback may name the id that its lost answer would have: taken if internal id, amount and invoice match
 * and nobody has it. Then it is read like any other; nothing that a caller says is believed.
 */
async function learnId(context: TippingContext, withdrawal: Withdrawal, said: string | null): Promise<string | null> {
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

/** The only timer that ends anything: a code whose creation was never answered, an hour after it would have expired. */
function neverShown(context: TippingContext, withdrawal: Sent): WithdrawalOutcome | undefined {
  if (withdrawal.kind !== 'request' || withdrawal.state !== 'unknown') return undefined
  const overMs = context.settings.withdrawalOpenSeconds * 1_000 + 3_600_000
  if (!context.clockWatch.isSteady() || ageMs(context, withdrawal) < overMs) return undefined
  return { kind: 'returned', because: 'never-shown', reason: withdrawal.reason }
}

/** Ever more slowly with age; a code also just after its expiry, so that what nobody scanned is soon back. */
function pace(context: TippingContext, withdrawal: Sent): number {
  const usual = Math.min(Math.max(ageMs(context, withdrawal) / 4, MIN_PAUSE_MS), MAX_PAUSE_MS)
  const untilExpiryMs = (withdrawal.expiresAt?.getTime() ?? 0) - context.clock.now() + MIN_PAUSE_MS
  return untilExpiryMs > 0 ? Math.min(usual, untilExpiryMs) : usual
}

function ageMs({ clock }: TippingContext, { sentAt }: Sent): number {
  return clock.now() - sentAt.getTime()
}

async function tellOperators(context: TippingContext, withdrawal: Sent): Promise<void> {
  const { id, kind, amount, state, sentAt, reason } = withdrawal
  const doubt = state === 'paid' ? 'the provider names no fee' : 'the provider tells no end'
  const text = toDecide(
    `a withdrawal (${kind}) of ${amount} msats is "${state}" since ${sentAt.toISOString()}: ${reason ?? doubt}`,
  )
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'withdrawal-unknown', about: id, text }) })
}
