import type { PaymentsDatabase } from '../core/database.ts'

/** The numbers of closed codes, which any wallet could claim before, and of ended log-ins. */
export interface ClosedToWallets {
  readonly vouchers: number
  readonly withdrawalRequests: number
  /** The number of log-ins to other programs. Users may have ended some of them since the backup. */
  readonly logIns: number
}

/**
 * Closes everything that outside wallets could claim in a book restored from a backup. A wallet may have been paid
 * since the backup; this book has no record of that payment, so the wallet could be paid again. A voucher's code
 * remains valid, because sats that are redeemed with the code stay inside the books. A withdrawal request expires at
 * the next start, so its sats go back. Claims that this book already contains continue. Log-ins to other programs end:
 * their users may have ended them since the backup, and used codes would work again. `madeAt` is the time of the
 * backup.
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
