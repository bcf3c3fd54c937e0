import type { Msats } from '../../lib/money/amount.ts'
import { allows } from '../engine/own-wallets/connections.ts'
import { isTheirs } from '../engine/own-wallets/invoice-of-receiver.ts'
import type { WalletBudget } from '../engine/own-wallets/member-wallet.ts'
import { walletOfServer } from '../engine/own-wallets/server-wallet.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Spendable } from './own-wallets.ts'

/** Requests the balance of a member's connected wallet. Stores nothing. */
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

/** Requests from a member's connected wallet what the connection may still spend. Stores nothing. */
export async function askBudget(context: TippingContext, member: string): Promise<WalletBudget | undefined> {
  const own = await context.database.read.walletConnection.findUnique({ where: { member } })
  if (own === null || !allows(own, 'get_budget')) return undefined
  try {
    return await (await context.wallets.connections.wallet(own.id))?.budget('soon')
  } catch (error) {
    if (isTheirs(error)) return undefined
    throw error
  }
}

/** Requests from a server's wallet what it may still spend: its budget, or otherwise its balance. Stores nothing. */
export async function askSpendable(context: TippingContext, guild: string): Promise<Spendable | undefined> {
  const own = await walletOfServer(context, guild)
  if (own === null || !(allows(own, 'get_budget') || allows(own, 'get_balance'))) return undefined
  try {
    const wallet = await context.wallets.connections.wallet(own.id)
    if (wallet === undefined) return 'silent'
    const budget = allows(own, 'get_budget') ? await wallet.budget('soon') : undefined
    if (budget !== undefined) return { budget }
    return allows(own, 'get_balance') ? { holds: await wallet.balance() } : undefined
  } catch (error) {
    if (isTheirs(error)) return 'silent'
    throw error
  }
}
