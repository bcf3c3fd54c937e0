import type { Msats } from '../../../lib/money/amount.ts'
import { member as memberAccount, pool as poolAccount } from '../../core/chart-of-accounts.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { ownerOfServer, walletThatPays } from '../own-wallets/connections.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { FromPool, GiftSource } from './gifts.ts'

interface Asked {
  readonly giver: string
  readonly pool: FromPool | undefined
  /** The source that the giver chose. Default: the wallet pays if the balance or the pool is too small. */
  readonly source: GiftSource | undefined
  /**
   * Whether only a balance can pay the gift, because the amount refers to one (`all`) or the gift consists of codes.
   */
  readonly isForBalance: boolean
  /** Returns the largest amount that the gift can cost. */
  readonly needed: () => Msats
}

/**
 * Returns the id of the connection that pays a gift whose recipients are not known yet. Returns undefined if a balance
 * or the pool pays. Throws TippingRefusal `gift-needs-balance` if a wallet has to pay a gift that only a balance can
 * pay. If a wallet has to pay and no connected wallet can, throws `own-wallet-needed`, `own-wallet-missing` or
 * `server-wallet-needed`.
 */
export async function payingWallet(context: TippingContext, asked: Asked): Promise<string | undefined> {
  const { giver, pool, source, isForBalance, needed } = asked
  const isHeldNowhere = context.settings.custody === 'none'
  const mustPay = isHeldNowhere || source === 'wallet'
  if (!mustPay && !(await context.wallets.connections.isAnybody())) return undefined
  if (isForBalance || source === 'balance') {
    if (mustPay) throw new TippingRefusal('gift-needs-balance', {})
    return undefined
  }
  const account = pool === undefined ? memberAccount(giver) : poolAccount(pool.guild)
  if (!mustPay && (await context.ledger.balance(account)) >= needed()) return undefined
  const owner = pool === undefined ? giver : ownerOfServer(pool.guild)
  const own = await walletThatPays(context.database.read, owner)
  if (own !== undefined || !mustPay) return own?.id
  if (pool !== undefined) throw new TippingRefusal('server-wallet-needed', {})
  throw new TippingRefusal(isHeldNowhere ? 'own-wallet-needed' : 'own-wallet-missing', {})
}
