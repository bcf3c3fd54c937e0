import type { Tx } from '../core/database.ts'
import type { Prisma } from '../generated/client.ts'

const UNENDED = ['reserved', 'sending', 'unknown', 'live']
/** A statement has room for so many ids only. */
const IDS_AT_ONCE = 500

/** Has these codes taken back if nobody has redeemed them, those too that are only being made. */
export async function takeBackCodes(tx: Tx, which: Prisma.VoucherWhereInput, at: Date): Promise<void> {
  const where = { ...which, state: { in: UNENDED } }
  const codes = (await tx.voucher.findMany({ where, select: { id: true } })).map(({ id }) => id)
  await tx.voucher.updateMany({ where, data: { revoking: true, revokeAskedAt: at } })
  for (let first = 0; first < codes.length; first += IDS_AT_ONCE) {
    const ids = codes.slice(first, first + IDS_AT_ONCE)
    await tx.pollJob.updateMany({ where: { id: { in: ids } }, data: { nextAt: at } })
  }
}
