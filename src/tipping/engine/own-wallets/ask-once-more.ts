import { pause } from '../../../lib/clock.ts'
import { now } from '../../core/context.ts'
import { openInto } from './pay-by-hand.ts'
import type { WalletContext } from './wallet-context.ts'
import { pollWalletPayment } from './wallet-payments.ts'

/** Time limit for a wallet that is asked before its connection is deleted. */
const LAST_ANSWER_MS = 5_000

/**
 * Asks somebody's connected wallet for possible recent payments into it. Call it before the connection goes, for
 * whatever reason: nobody else knows. An answer that comes too late still counts if it comes.
 */
export async function askOnceMore(context: WalletContext, member: string): Promise<void> {
  const row = await context.database.read.walletConnection.findUnique({ where: { member } })
  if (row === null) return
  const open = await openInto(context.database.read, row, now(context))
  if (open.length === 0) return
  const asked = Promise.allSettled(open.map((payment) => pollWalletPayment(context, payment)))
  await Promise.race([asked, pause(context.clock, LAST_ANSWER_MS)])
}
