import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { WalletConnection } from '../../generated/client.ts'
import { restoredSince } from '../outgoing/outgoing-payments-switch.ts'
import { MAX_WALLET_PAYMENTS, ownerOfServer, receiversOf, type WalletRoute, walletThatPays } from './connections.ts'
import type { WalletContext } from './wallet-context.ts'

type Asking = Pick<WalletContext, 'database' | 'settings'>

/** Returns the connection of the wallet that moderators have connected for a server; null if there is none. */
export async function walletOfServer(
  { database }: Pick<Asking, 'database'>,
  guild: string,
): Promise<WalletConnection | null> {
  return await database.read.walletConnection.findUnique({ where: { member: ownerOfServer(guild) } })
}

/**
 * Returns the route of a reward from the server's wallet to its recipients' wallets. Returns undefined if the pool
 * pays: no paying wallet is connected, there are too many recipients, or one of them has no own wallet. If members have
 * no balances here, throws TippingRefusal `server-wallet-needed`, `too-many-recipients` or `recipient-needs-wallet`
 * instead.
 */
export async function serverWalletRoute(
  context: Asking,
  guild: string,
  recipients: readonly string[],
): Promise<WalletRoute | undefined> {
  const found = await find(context, guild, recipients)
  if (!(found instanceof TippingRefusal)) return found
  if (context.settings.custody === 'none') throw found
  return undefined
}

/**
 * Returns the route of a reward that the moderator wants the server's wallet to pay. Throws TippingRefusal
 * `server-wallet-needed`, `too-many-recipients` or `recipient-needs-wallet` if the wallet cannot pay it.
 */
export async function needServerWallet(
  context: Asking,
  guild: string,
  recipients: readonly string[],
): Promise<WalletRoute> {
  const found = await find(context, guild, recipients)
  if (found instanceof TippingRefusal) throw found
  return found
}

/**
 * Throws TippingRefusal `server-wallet-restored` if the books were restored since a server's wallet was connected. The
 * books then lack the wallet's payments since the backup, and rules and programs may request those payments again, from
 * the wallet or from the pool. A moderator who connects the wallet again confirms that those payments have been
 * checked.
 */
export async function mustKnowPayments({ database }: Pick<Asking, 'database'>, guild: string): Promise<void> {
  const own = await walletOfServer({ database }, guild)
  if (own !== null && (await restoredSince(database.read, own.createdAt)))
    throw new TippingRefusal('server-wallet-restored', {})
}

async function find(
  context: Asking,
  guild: string,
  recipients: readonly string[],
): Promise<WalletRoute | TippingRefusal> {
  const own = await walletThatPays(context.database.read, ownerOfServer(guild))
  if (own === undefined) return new TippingRefusal('server-wallet-needed', {})
  if (recipients.length > MAX_WALLET_PAYMENTS) {
    return new TippingRefusal('too-many-recipients', { most: MAX_WALLET_PAYMENTS })
  }
  const receivers = await receiversOf(context.database.read, recipients)
  const members = recipients.filter((recipient) => !receivers.has(recipient))
  if (members.length > 0) return new TippingRefusal('recipient-needs-wallet', { members })
  return { connection: own.id, receivers }
}
