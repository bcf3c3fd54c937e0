import type { Book } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PollJob } from '../generated/client.ts'
import { RESTORED } from '../withdrawals/withdrawal-kind.ts'
import { payAddressLines, returnLine } from './pay-address-lines.ts'

/** The interval between polls of a list that has waiting lines. */
export const POLL_LIST_MS = 10_000
/** The interval between polls of such a list while outgoing payments are paused. */
const WHILE_PAUSED_MS = 60_000
/** The longest that a line waits for outgoing payments to continue. */
const MAX_WAIT_MS = 24 * 3_600_000

/** Pays a list's address lines that had to wait, or that a bot left unpaid when it ended. */
export async function pollList(context: TippingContext, { id }: PollJob): Promise<Next> {
  const { read } = context.database
  await returnWhatCannotLeave(context, id)
  const isPaused = !context.outgoingSwitch.open
  if (!isPaused) payAddressLines(context, await takeWhatWasLeft(context, id))
  const isWaiting = (await read.addressLine.count({ where: { listId: id, state: 'waiting' } })) > 0
  return isWaiting || (await reservedOf(read, id)).length > 0 ? inMs(isPaused ? WHILE_PAUSED_MS : POLL_LIST_MS) : END
}

/**
 * Returns to the pool the sats of lines that a restored book might pay twice, or that a pause has delayed for a day.
 */
async function returnWhatCannotLeave(context: TippingContext, listId: string): Promise<void> {
  const waiting = await context.database.read.addressLine.findMany({ where: { listId, state: 'waiting' } })
  const before = context.clock.now() - MAX_WAIT_MS
  const isPaused = !context.outgoingSwitch.open && context.clockWatch.isSteady()
  for (const line of waiting) {
    if (line.restored) await returnLine(context, line, undefined)
    else if (isPaused && line.process === null && line.createdAt.getTime() < before)
      await returnLine(context, line, new TippingRefusal('outgoing-paused', {}))
  }
}

/** Takes over lines that no living bot owns. None of these lines was ever sent, so none is paid twice. */
async function takeWhatWasLeft(context: Book, listId: string): Promise<string[]> {
  const { database, ownership, commit } = context
  const waiting = { listId, state: 'waiting' }
  const left = { ...waiting, ...(await ownership.nobodysIn(database.read)) }
  const reserved = await reservedOf(database.read, listId)
  if (reserved.length === 0 && (await database.read.addressLine.count({ where: left })) === 0) return []
  return await commit({
    write: async (tx) => {
      const { nobodys, mine } = await ownership.takeOverIn(tx)
      const where = { ...waiting, ...nobodys }
      const lines = await tx.addressLine.findMany({ where, select: { id: true }, orderBy: { line: 'asc' } })
      await tx.addressLine.updateMany({ where, data: mine })
      const unsent = { state: 'reserved', ...nobodys, NOT: { process: RESTORED } }
      const withdrawals = await tx.withdrawal.findMany({
        where: { ...unsent, id: { in: reserved } },
        select: { id: true },
      })
      const taken = withdrawals.map(({ id }) => id)
      await tx.withdrawal.updateMany({ where: { ...unsent, id: { in: taken } }, data: mine })
      return [...taken, ...lines.map(({ id }) => id)]
    },
  })
}

/** Returns the ids of a list's withdrawals that were created but not marked as sent. */
async function reservedOf(client: Pick<Tx, 'addressLine' | 'withdrawal'>, listId: string): Promise<string[]> {
  const sent = await client.addressLine.findMany({ where: { listId, state: 'sent' }, select: { id: true } })
  const where = { id: { in: sent.map(({ id }) => id) }, state: 'reserved' }
  return (await client.withdrawal.findMany({ where, select: { id: true } })).map(({ id }) => id)
}
