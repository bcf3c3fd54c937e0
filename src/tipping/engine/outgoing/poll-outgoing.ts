import { PaymentsError } from '../../../payments-api/payments-api.ts'
import type { Book } from '../../core/context.ts'
import type { PollJob } from '../../generated/client.ts'
import { raiseAlert, toDecide } from '../alerts/alerts.ts'
import { isPresent, tellOfProviderLeft } from '../alerts/present-provider.ts'
import { isAnswer } from '../polling/is-answer.ts'
import { END, inMs, type Next, unread } from '../polling/poller.ts'
import { failureOf } from './failures.ts'
import type { Outcome, OutgoingContext, OutgoingKind, OutgoingRow } from './outgoing.ts'
import { nextAfter, recordOutcome } from './record-outcome.ts'
import { mayReplay, REPLAY_WITHIN_MS } from './replays.ts'
import { believed } from './send-outgoing.ts'

/** How long an outcome may be missing before operators are alerted. */
const ALERT_AFTER_MS = 3_600_000
const MIN_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 3_600_000

type Sent<Row> = Row & { readonly sentAt: Date }

/**
 * Looks for proof of an operation's outcome: the provider's own record, read by its id, or the answer to the first
 * attempt, replayed for its key at the same provider.
 */
export async function pollOutgoing<Row extends OutgoingRow, P extends object, O extends object, B extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, B>,
  job: PollJob,
): Promise<Next> {
  const row = await kind.table(context.database.read).findFirst({ where: { id: job.id } })
  if (row === null) return END
  if (row.state !== 'unknown' && !kind.isOpen?.(row)) {
    // The worker that is sending it records the outcome.
    return row.state === 'reserved' || row.state === 'sending' ? inMs(MIN_PAUSE_MS) : END
  }
  const sent = { ...row, sentAt: row.sentAt ?? row.createdAt }
  const seen = await proofOf(context, kind, sent, job)
  const outcome = (seen === 'unread' ? undefined : seen) ?? kind.endedByTime?.(context, sent)
  if (outcome !== undefined) {
    await recordOutcome(context, kind, row, outcome)
    const next = nextAfter(kind, outcome)
    if (next !== undefined) return next
  }
  await kind.tellLate?.(context, sent)
  const now = context.clock.now()
  const ageMs = now - sent.sentAt.getTime()
  if (now - (kind.dueAt?.(sent) ?? sent.sentAt).getTime() >= ALERT_AFTER_MS) await alertOperators(context, kind, sent)
  // It stays unknown until operators decide, unless it seems old only because a clock was set.
  if (!kind.endures?.(row) && ageMs >= REPLAY_WITHIN_MS && context.clockWatch.isSteady()) return END
  const again = inMs(kind.pauseMs?.(context, sent, ageMs) ?? pauseWithin(ageMs / 2))
  return seen === 'unread' ? unread(again) : again
}

/** Returns this pause between two polls, in milliseconds, limited to the permitted range. */
export function pauseWithin(pauseMs: number, longest = MAX_PAUSE_MS): number {
  return Math.min(Math.max(pauseMs, MIN_PAUSE_MS), longest)
}

/**
 * Returns the proven outcome, or the present state; undefined if nothing was learned, and `unread` if the provider did
 * not answer.
 */
async function proofOf<Row extends OutgoingRow, P extends object, O extends object, B extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, B>,
  row: Sent<Row>,
  job: PollJob,
): Promise<Outcome<P, O> | 'unread' | undefined> {
  if (!isPresent(context, row.provider)) {
    await tellOfProviderLeft(context, row.provider)
    return undefined
  }
  const remoteId = await kind.remoteIdOf(context, row, job)
  if (remoteId === null || kind.read === undefined) return await replay(context, kind, row)
  try {
    return proofIn(await believed(context, kind, row, await kind.read(context, row, remoteId)))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return isAnswer(error) ? undefined : 'unread'
  }
}

function proofIn<P extends object, O extends object>(outcome: Outcome<P, O>): Outcome<P, O> | undefined {
  return outcome.kind === 'unknown' ? undefined : outcome
}

/**
 * Sends the key again to learn the answer to the first attempt. Does not send it during a pause: if the first attempt
 * never arrived, sending its key again would pay. If the provider is known to have the operation, it has an id there,
 * and is read by that id even during a pause.
 */
async function replay<Row extends OutgoingRow, P extends object, O extends object, B extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, B>,
  row: Sent<Row>,
): Promise<Outcome<P, O> | 'unread' | undefined> {
  if (!kind.comesIn && (await context.outgoingSwitch.pausedIn(context.database.read)) !== undefined) return undefined
  const may = await mayReplay(context, row, row.sentAt)
  if (may === 'unread') return may
  const body = kind.storedBody(row)
  if (may === 'no' || body === undefined || !(await isStillToAsk(context, kind, row))) return undefined
  try {
    return proofIn(await believed(context, kind, row, await kind.request(context, row, body)))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return await weigh(context, kind, row, error)
  }
}

/**
 * Checks, right before a key is sent, whether it may still be sent. Meanwhile another bot may have found the provider's
 * keys forgotten, operators may have paused payments or decided on the outcome, or another bot may have replaced this
 * one while this one was frozen.
 */
async function isStillToAsk<Row extends OutgoingRow>(
  { database, ownership, outgoingSwitch }: OutgoingContext,
  kind: Pick<OutgoingKind<Row>, 'table' | 'comesIn'>,
  { id, state }: Row,
): Promise<boolean> {
  if (!kind.comesIn && (await outgoingSwitch.pausedIn(database.read)) !== undefined) return false
  const row = await kind.table(database.read).findFirst({ where: { id, state, replays: true } })
  return row !== null && ownership.isLive()
}

/**
 * Decides what the failure of a later request proves about the first attempt. Only a replayed answer can be the answer
 * to the first attempt.
 */
async function weigh<Row extends OutgoingRow>(
  context: Book,
  kind: Pick<OutgoingKind<Row>, 'name' | 'table' | 'dueToTheFirst' | 'failureOf'>,
  { id, reason }: Row,
  error: PaymentsError,
) {
  const { code, message } = error
  if (error.kind === 'refused' && error.replayed && code !== undefined && !kind.dueToTheFirst.includes(code)) {
    return kind.failureOf?.(error) ?? { ...failureOf(error), because: 'refused' as const }
  }
  if (message !== reason) {
    const where = { id, state: 'unknown' }
    await context.commit({ write: (tx) => kind.table(tx).updateMany({ where, data: { reason: message } }) })
  }
  return isAnswer(error) ? undefined : 'unread'
}

async function alertOperators<Row extends OutgoingRow>(
  context: Book,
  { name, inDoubt }: Pick<OutgoingKind<Row>, 'name' | 'inDoubt'>,
  row: Sent<Row>,
): Promise<void> {
  const text = toDecide(inDoubt(row, row.sentAt.toISOString()))
  const alert = { kind: `${name}-unknown`, about: row.id, text } as const
  await context.commit({ write: (tx) => raiseAlert(context, tx, alert) })
}
