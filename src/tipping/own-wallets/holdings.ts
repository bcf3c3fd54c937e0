import type { Msats } from '../../lib/money/amount.ts'
import { allows } from '../engine/own-wallets/connections.ts'
import { isTheirs } from '../engine/own-wallets/invoice-of-receiver.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** Asks the wallet that a member has connected what it holds. Nothing of it is stored. */
export async function askHoldings(context: TippingContext, member: string): Promise<Msats | 'silent' | undefined> {
  const own = await context.database.read.walletConnection.findUnique({ where: { member } })
  if (own === null || !allows(own, 'get_balance')) return undefined
  try {
    return (await (await context.wallets.connections.wallet(own.id))?.balance()) ?? 'silent'
  } catch (error) {
    if (isTheirs(error)) return 'silent'
    throw error
  }
}
