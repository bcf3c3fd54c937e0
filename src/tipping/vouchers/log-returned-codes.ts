import { msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { logReturnedParts, returnedByDecision } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Prisma, Voucher } from '../generated/client.ts'

/** The condition for codes that are being made or taken back, whose sats may therefore come back at any moment. */
const ON_ITS_WAY: Prisma.VoucherWhereInput = {
  OR: [{ state: { in: ['reserved', 'sending', 'unknown'] } }, { state: 'live', revoking: true }],
}

/**
 * Logs the sum of those codes of a pool's voucher, drop or batch that came back since the last entry of the log, once
 * none of the codes is being made or taken back. Call it after the state of the given voucher has changed.
 */
export async function logReturnedCodes(
  context: Pick<TippingContext, 'clock' | 'entropy' | 'cards'>,
  tx: Tx,
  voucher: Voucher,
): Promise<void> {
  const { id, pool, dropId, batchId } = voucher
  if (pool === null) return
  const which = batchId !== null ? { batchId } : dropId !== null ? { dropId } : { id }
  if ((await tx.voucher.count({ where: { ...which, ...ON_ITS_WAY } })) > 0) return
  const select = { id: true, state: true, amount: true, feeLimit: true } as const
  const codes = await tx.voucher.findMany({ where: which, select })
  const ids = codes.map((code) => code.id)
  const decided = await returnedByDecision(tx, ids)
  const back = codes.filter((code) => code.state === 'revoked' || code.state === 'failed' || decided.includes(code.id))
  // A code that was never made cost no fee.
  const sums = back.map(({ state, amount, feeLimit }) => (state === 'failed' ? amount + feeLimit : amount))
  const amount = msats(sums.reduce((sum, each) => sum + each, 0n))
  const record = batchId ?? dropId ?? id
  await logReturnedParts(context, tx, { pool, by: () => takenBackBy(tx, voucher), record, amount })
}

/** Returns who asked to take the code back; null if nobody did. */
async function takenBackBy(tx: Tx, { id, member, dropId, batchId }: Voucher): Promise<string | null> {
  if (batchId !== null) return (await tx.voucherBatch.findUniqueOrThrow({ where: { id: batchId } })).closedBy
  if (dropId !== null) return (await tx.drop.findUniqueOrThrow({ where: { id: dropId } })).closedBy
  return (await tx.voucher.findUniqueOrThrow({ where: { id } })).revokeAskedAt === null ? null : member
}
