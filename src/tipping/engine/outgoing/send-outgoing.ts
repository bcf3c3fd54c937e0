import { OwnershipLost } from '../../../lib/ownership/ownership.ts'
import { PaymentsError } from '../../../payments-api/payments-api.ts'
import { commitDurably, whileDatabaseIsAway } from '../../core/commit-end.ts'
import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { tellOfOtherAmount } from '../alerts/alerts.ts'
import { failureOf, outcomeOfError } from './failures.ts'
import type { Failed, Outcome, OutgoingContext, OutgoingKind, OutgoingRow, ProviderAnswer } from './outgoing.ts'
import { recordOutcome } from './record-outcome.ts'
import { sentTo } from './replays.ts'

/**
 * Sends a reserved operation: makes `sending` durable, calls the provider, and records the outcome. Until the operation
 * is marked, nothing can have left, and a failure returns the sum. If the database is unreachable, tries again, because
 * no other bot sends the operation while this one is alive. An operation that was marked meanwhile is left alone.
 */
export async function sendReserved<Row extends OutgoingRow, P extends object, O extends object, Body extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, Body>,
  id: string,
): Promise<void> {
  await whileDatabaseIsAway(context, () => trySending(context, kind, id))
}

async function trySending<Row extends OutgoingRow, P extends object, O extends object, Body extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, Body>,
  id: string,
): Promise<void> {
  const row = await kind.table(context.database.read).findFirst({ where: { id } })
  if (row?.state !== 'reserved') return
  const failed = (failure: Failed) => recordOutcome(context, kind, row, failure)
  if (!kind.comesIn && !context.outgoingSwitch.open) return failed(paused(context.outgoingSwitch.reason ?? null))
  let body: Body
  try {
    await context.askedForReplays()
    body = await kind.prepare(context, row)
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return failed(failureOf(error))
  }
  if (context.activity.closed) return
  const marked = { sentAt: new Date(context.clockWatch.now()), process: context.ownership.me }
  const obstacle = await markSending(context, kind, row, { body, ...marked })
  if (obstacle === 'taken') return
  if (obstacle !== undefined) return failed(obstacle)
  await sendMarked(context, kind, { ...row, ...marked }, body)
}

/** Sends an operation that this process has just marked as `sending`, and records the outcome. */
export async function sendMarked<Row extends OutgoingRow, P extends object, O extends object, Body extends object>(
  context: OutgoingContext,
  kind: OutgoingKind<Row, P, O, Body>,
  row: Row,
  body: Body,
): Promise<void> {
  // This process was frozen after marking it. Nothing was sent, unless another process has taken it over.
  if (!context.ownership.isMine(row.process)) return await recordOutcome(context, kind, row, INTERRUPTED)
  let outcome: Outcome<P, O>
  try {
    outcome = await believed(context, kind, row, await kind.request(context, row, body))
  } catch (error) {
    outcome = outcomeOfError(kind, error)
  }
  await recordOutcome(context, kind, row, outcome)
}

/**
 * Returns the outcome that an answer proves. An answer about another amount or another operation counts as unknown, and
 * another amount also alerts operators.
 */
export async function believed<Row extends OutgoingRow, P extends object, O extends object>(
  context: CoreContext,
  kind: Pick<OutgoingKind<Row, P, O>, 'name' | 'amountOf'>,
  row: Row,
  { amount: answered, remoteId, outcome, unlike }: ProviderAnswer<P, O>,
): Promise<Outcome<P, O>> {
  const asked = kind.amountOf(row)
  if (asked === undefined || answered === asked) {
    return unlike === undefined ? outcome : { kind: 'unknown', evidence: unlike, remoteId }
  }
  const evidence = await tellOfOtherAmount(context, { about: row.id, what: kind.name, asked, answered })
  return { kind: 'unknown', evidence: unlike ?? evidence, remoteId }
}

/**
 * Marks a row as sending. Returns the obstacle to sending; undefined if there is none. The worker that marks a row
 * sends it. A second worker gets `taken`, and so does a process that another one considers dead.
 */
async function markSending<Row extends OutgoingRow, Body extends object>(
  context: OutgoingContext,
  kind: Pick<OutgoingKind<Row>, 'name' | 'table' | 'comesIn' | 'obstacle'>,
  row: Row,
  { body, sentAt, process }: { readonly body: Body; readonly sentAt: Date; readonly process: string },
): Promise<Failed | 'taken' | undefined> {
  const change = {
    write: async (tx: Tx) => {
      await context.ownership.assertLive(tx)
      const pause = kind.comesIn ? undefined : await context.outgoingSwitch.pausedIn(tx)
      if (pause !== undefined) return paused(pause.reason)
      const obstacle = await kind.obstacle?.(tx, row)
      if (obstacle !== undefined) return obstacle
      const { count } = await kind.table(tx).updateMany({
        where: { id: row.id, state: 'reserved', process },
        data: { state: 'sending', ...sentTo(context), body: JSON.stringify(body), sentAt },
      })
      return count === 1 ? undefined : 'taken'
    },
  }
  return await commitDurably<Failed | 'taken' | undefined>(context, change).catch((error: unknown) => {
    if (error instanceof OwnershipLost) return 'taken'
    throw error
  })
}

/** The failure of an operation that was not sent because the bot stopped. */
export const INTERRUPTED = { kind: 'failed', because: 'interrupted', reason: null } as const

function paused(reason: string | null): Failed {
  return { kind: 'failed', because: 'paused', reason }
}
