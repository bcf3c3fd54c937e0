import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { payingWallet } from '../engine/gifts/paying-wallet.ts'
import { restoredSince } from '../engine/outgoing/outgoing-payments-switch.ts'
import { ownerOfServer, receiversOf, type WalletRoute } from '../engine/own-wallets/connections.ts'
import type { WalletGift } from '../engine/own-wallets/wallet-gift.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Drop, DropClaim } from '../generated/client.ts'
import type { DropCommand } from './drops.ts'
import { costOfDrop, shareOfDrop } from './share-of-drop.ts'

/**
 * Returns the connection of the wallet that pays a drop; undefined if no wallet pays the drop. Throws the refusals of
 * `payingWallet`.
 */
export async function walletOfDrop(
  context: TippingContext,
  command: DropCommand,
  source = command.source,
): Promise<string | undefined> {
  const { member: giver, pool, amount, codes = false } = command
  const isForBalance = codes || isRelative(amount)
  const needed = () => costOfDrop(command, shareOfDrop(context, command)).needed
  return await payingWallet(context, { giver, pool, source, isForBalance, needed })
}

/**
 * Returns the route of a share from the drop's wallet to the claimant's wallet; undefined if no wallet pays the drop.
 * Throws TippingRefusal `drop-over` if the books were restored after the drop was opened: they lack the wallet's
 * payments after the backup, so nobody may claim another share. Throws `drop-wallet-gone` if the drop's wallet was
 * disconnected, and `drop-needs-wallet` if the claimant has no wallet.
 */
export async function routeOfShare(
  context: ReadonlyBook,
  drop: Drop,
  member: string,
): Promise<WalletRoute | undefined> {
  if (drop.connection === null) return undefined
  const { read } = context.database
  if (await restoredSince(read, drop.createdAt)) throw new TippingRefusal('drop-over', {})
  const found = await read.walletConnection.findUnique({ where: { id: drop.connection } })
  if (found === null) throw new TippingRefusal('drop-wallet-gone', {})
  const receivers = await receiversOf(read, [member])
  if (receivers.size === 0) throw new TippingRefusal('drop-needs-wallet', {})
  return { connection: drop.connection, receivers }
}

/**
 * Returns the routes of a draw's shares from the drop's wallet to the wallets of all payable entrants; undefined if no
 * wallet pays the drop.
 */
export async function routeOfDraw(
  context: ReadonlyBook,
  drop: Drop,
  entrants: readonly DropClaim[],
): Promise<WalletRoute | undefined> {
  if (drop.connection === null) return undefined
  const { read } = context.database
  const { connection } = drop
  const isOver =
    (await restoredSince(read, drop.createdAt)) ||
    (await read.walletConnection.findUnique({ where: { id: connection } })) === null
  const people = isOver ? [] : entrants.map(({ member }) => member)
  return { connection, receivers: await receiversOf(read, people) }
}

type Taken = Pick<DropClaim, 'id' | 'member' | 'card'>

/** Converts shares to payments from the drop's wallet. Each payment has its share's id, so no share is paid twice. */
export function paymentsOf(drop: Drop, taken: readonly Taken[], route: WalletRoute, at: Date): WalletGift {
  return {
    tip: drop.id,
    payer: drop.pool === null ? drop.member : ownerOfServer(drop.pool),
    route,
    shares: taken.map(({ id, member, card }) => ({ id, recipient: member, amount: msats(drop.share), card })),
    at,
  }
}
