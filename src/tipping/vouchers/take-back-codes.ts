import type { Tx } from '../core/database.ts'
import type { Prisma } from '../generated/client.ts'

const UNENDED = ['reserved', 'sending', 'unknown', 'live']
/** The number of ids that fit one statement. */
const BATCH_SIZE = 500

/** Takes these codes back, including those that are still being made, unless they are redeemed first. */
export async function takeBackCodes(tx: Tx, which: Prisma.VoucherWhereInput, at: Date): Promise<void> {
  const where = { ...which, state: { in: UNENDED } }
  const codes = (await tx.voucher.findMany({ where, select: { id: true } })).map(({ id }) => id)
  await tx.voucher.updateMany({ where, data: { revoking: true, revokeAskedAt: at } })
  for (let first = 0; first < codes.length; first += BATCH_SIZE) {
    const ids = codes.slice(first, first + BATCH_SIZE)
    await tx.pollJob.updateMany({ where: { id: { in: ids } }, data: { nextAt: at } })
  }
}
