import { now } from '../core/context.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PollJob } from '../generated/client.ts'
import { makeCodes } from './make-codes.ts'
import { takeBackCodes } from './take-back-codes.ts'
import { viewBatch, viewOwnBatch } from './view-batch.ts'
import type { VoucherBatches, VoucherBatchView } from './voucher-batches.ts'

/** The longest pause between two checks of a batch whose codes are not all made. */
export const POLL_BATCH_MS = 10_000

/** Makes the codes that a bot left unmade when it ended, and takes the unredeemed codes back when the batch expires. */
export async function pollBatch(context: TippingContext, { id }: PollJob): Promise<Next> {
  await makeWhatWasLeft(context, id)
  const batch = await context.database.read.voucherBatch.findUniqueOrThrow({ where: { id } })
  const isMaking = (await context.database.read.voucher.count({ where: { batchId: id, state: 'reserved' } })) > 0
  const ends = batch.state === 'open' ? batch.expiresAt : null
  const leftMs = ends === null ? Number.POSITIVE_INFINITY : ends.getTime() - context.clockWatch.now()
  if (leftMs <= 0 && context.clockWatch.isSteady()) {
    await close(context, id, null)
    return isMaking ? inMs(POLL_BATCH_MS) : END
  }
  if (isMaking || leftMs <= 0) return inMs(Math.min(POLL_BATCH_MS, Math.max(leftMs, 1_000)))
  return leftMs === Number.POSITIVE_INFINITY ? END : inMs(leftMs)
}

/** Ends a member's own batch before it expires. A closed batch stays closed. */
export async function endBatch(
  context: TippingContext,
  { member, batch: id }: Parameters<VoucherBatches['end']>[0],
): Promise<VoucherBatchView> {
  await viewOwnBatch(context, { member, batch: id })
  await close(context, id, member)
  return await viewBatch(context, id)
}

/** Closes a batch, for a member or because it has expired. A second call changes nothing. */
async function close(context: TippingContext, id: string, closedBy: string | null): Promise<void> {
  const at = now(context)
  await context.commit({
    write: async (tx) => {
      const { count } = await tx.voucherBatch.updateMany({
        where: { id, state: 'open' },
        data: { state: 'closed', closedAt: at, closedBy },
      })
      if (count === 0) return
      await takeBackCodes(tx, { batchId: id }, at)
      const { card } = await tx.voucherBatch.findUniqueOrThrow({ where: { id }, select: { card: true } })
      await context.cards.raise(tx, [card])
    },
  })
  void context.poller.wake()
}

/**
 * Makes the codes of vouchers that an ended bot had reserved and never sent, so that each is now sent for the first
 * time.
 */
async function makeWhatWasLeft(context: TippingContext, batchId: string): Promise<void> {
  const { database, ownership, commit } = context
  const left = { batchId, state: 'reserved' }
  const where = { ...left, ...(await ownership.nobodysIn(database.read)) }
  if ((await database.read.voucher.count({ where })) === 0) return
  const taken = await commit({
    write: async (tx) => {
      const { nobodys, mine } = await ownership.takeOverIn(tx)
      const where = { ...left, ...nobodys }
      const found = await tx.voucher.findMany({ where, select: { id: true }, orderBy: { number: 'asc' } })
      await tx.voucher.updateMany({ where, data: mine })
      return found.map(({ id }) => id)
    },
  })
  makeCodes(context, taken)
}
