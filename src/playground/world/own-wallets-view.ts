import type { MemberWalletView } from '../member-wallets/member-wallets.ts'
import type { GiftView, OwnWalletsView } from '../world.ts'
import type { Databases } from './databases.ts'

const NEWEST_TIPS = 15

interface OwnWalletsRead {
  readonly tipping: Databases['tipping']
  readonly wallets: readonly MemberWalletView[]
  /** Discord ids by the wallets' names. */
  readonly people: Readonly<Record<string, string>>
}

/**
 * Returns people's own wallets, whether they are connected, and how much of each of the newest gifts went through the
 * bot's book.
 */
export async function viewOwnWallets({ tipping, wallets, people }: OwnWalletsRead): Promise<OwnWalletsView> {
  const connections = await tipping.read.walletConnection.findMany({ select: { member: true, wallet: true } })
  const connected = new Map(connections.map(({ member, wallet }) => [member, wallet]))
  return {
    wallets: wallets.map(({ name, balance, connection, pubkey }) => {
      const person = people[name] ?? name
      return { person, balance: BigInt(balance), connection, connected: connected.get(person) === pubkey }
    }),
    gifts: await newestGifts(tipping),
  }
}

async function newestGifts(tipping: Databases['tipping']): Promise<GiftView[]> {
  const tips = await tipping.read.tip.findMany({
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: NEWEST_TIPS,
    include: { shares: { orderBy: { ordinal: 'asc' } }, wallets: { orderBy: { ordinal: 'asc' } } },
  })
  // A fulfilled promise is a payment now.
  const promises = await tipping.read.walletPromise.findMany({
    where: { tipId: { in: tips.map(({ id }) => id) }, state: { not: 'asked' } },
    orderBy: { ordinal: 'asc' },
  })
  const parts = tips.flatMap((tip) => {
    const about = { at: tip.createdAt.toISOString(), from: tip.pool === null ? tip.sender : null }
    const ways = [
      ...tip.wallets.map((part) => ({ ...part, way: 'wallet' as const })),
      ...promises.filter(({ tipId }) => tipId === tip.id).map((part) => ({ ...part, way: 'wallet' as const })),
      ...tip.shares.map((part) => ({ ...part, way: 'balance' as const })),
    ]
    return ways.map(({ id, recipient, amount, way, state }) => ({ id, ...about, to: recipient, amount, way, state }))
  })
  const booked = await firstBookings(
    tipping,
    parts.map(({ id }) => id),
  )
  return parts.map((part) => ({ ...part, booked: booked.get(part.id) ?? 0n }))
}

/**
 * Returns the amount of each operation's first entry, in msats. Later entries, such as a claim, move the same sats on.
 */
async function firstBookings(
  tipping: Databases['tipping'],
  operations: readonly string[],
): Promise<Map<string, bigint>> {
  const entries = await tipping.read.entry.findMany({
    where: { operation: { in: [...operations] } },
    orderBy: { id: 'desc' },
    include: { moves: true },
  })
  const sums = entries.map(({ operation, moves }) => [operation, moves.reduce((sum, { amount }) => sum + amount, 0n)])
  return new Map(sums as [string, bigint][])
}
