import { pause } from '../../../lib/clock.ts'
import { now } from '../../core/context.ts'
import { openInto } from './pay-by-hand.ts'
import type { WalletContext } from './wallet-context.ts'
import { pollWalletPayment } from './wallet-payments.ts'

/** The time limit for asking a wallet before its connection is deleted. */
const LAST_ANSWER_MS = 5_000

/**
 * Asks a connected wallet about recent payments that it may have received. Call this before the connection is deleted
 * for any reason, because only this wallet can say whether they arrived. A late answer still counts.
 */
export async function askOnceMore(context: WalletContext, member: string): Promise<void> {
  const row = await context.database.read.walletConnection.findUnique({ where: { member } })
  if (row === null) return
  const open = await openInto(context.database.read, row, now(context))
  if (open.length === 0) return
  const asked = Promise.allSettled(open.map((payment) => pollWalletPayment(context, payment)))
  await Promise.race([asked, pause(context.clock, LAST_ANSWER_MS)])
}
