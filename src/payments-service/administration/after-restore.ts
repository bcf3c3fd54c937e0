import type { PaymentsDatabase } from '../core/database.ts'

/** Codes that any wallet could claim and that are now closed. */
export interface ClosedToWallets {
  readonly vouchers: number
  readonly withdrawalRequests: number
  /** Log-ins to other programs, which their users may have ended since. */
  readonly logIns: number
}

/**
 * Closes what wallets elsewhere may claim in a book that comes from a backup. A wallet may have been paid since then;
 * this book does not know it, so the wallet would be paid again. A voucher's code remains valid, because its sats stay
 * inside the books. A withdrawal request expires at the next start, so its sats go back. Claims in this book continue.
 * Log-ins to other programs end: their users may have ended them since the backup, and used codes would work again.
 * `madeAt` is when the backup was made.
 */
export async function closeToWallets({ write }: PaymentsDatabase, madeAt: Date): Promise<ClosedToWallets> {
  return await write.$transaction(async (tx) => {
    const live = { walletSecret: { not: null }, redeemedAt: null, revokedAt: null }
    const vouchers = await tx.voucher.updateMany({ where: live, data: { walletSecret: null, walletAmount: null } })
    // A request that is being claimed reopens if its payment fails.
    const open = { status: { in: ['pending', 'processing'] }, expiresAt: { gt: madeAt } }
    const requests = await tx.withdrawalRequest.updateMany({ where: open, data: { expiresAt: madeAt } })
    await tx.logInCode.deleteMany({})
    const logIns = await tx.logInGrant.updateMany({ where: { endedAt: null }, data: { endedAt: madeAt } })
    return { vouchers: vouchers.count, withdrawalRequests: requests.count, logIns: logIns.count }
  })
}
