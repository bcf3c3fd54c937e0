import type { Tx } from '../core/database.ts'
import type { Prisma } from '../generated/client.ts'

const UNENDED = ['reserved', 'sending', 'unknown', 'live']
/** A statement has room for this many ids. */
const BATCH_SIZE = 500

/** Takes these codes back unless they are redeemed first, including codes that are still being made. */
export async function takeBackCodes(tx: Tx, which: Prisma.VoucherWhereInput, at: Date): Promise<void> {
  const where = { ...which, state: { in: UNENDED } }
  const codes = (await tx.voucher.findMany({ where, select: { id: true } })).map(({ id }) => id)
  await tx.voucher.updateMany({ where, data: { revoking: true, revokeAskedAt: at } })
  for (let first = 0; first < codes.length; first += BATCH_SIZE) {
    const ids = codes.slice(first, first + BATCH_SIZE)
    await tx.pollJob.updateMany({ where: { id: { in: ids } }, data: { nextAt: at } })
  }
}
