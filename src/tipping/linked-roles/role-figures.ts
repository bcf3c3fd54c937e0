import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { RoleFigures } from './linked-roles.ts'

/**
 * Adds up a member's final gifts. Only gifts that were made with the member's own sats and not anonymously are counted,
 * because Discord shows the sum to everybody. `fallback` is the start date of a member who has done nothing yet.
 */
export async function figuresOf(
  { database: { read } }: ReadonlyBook,
  member: string,
  fallback: Date,
): Promise<RoleFigures> {
  const arrived = { state: { in: ['credited', 'claimed'] }, tip: { sender: member, pool: null, anonymous: false } }
  const proven = { sender: member, state: 'paid' }
  const notRevoked = { OR: [{ voucherId: null }, { voucher: { state: { not: 'revoked' } } }] }
  const [tips, fromWallet, walletTips, drops, prizes, since] = await Promise.all([
    read.tipShare.aggregate({ where: arrived, _sum: { amount: true }, _count: true }),
    read.walletPayment.aggregate({ where: proven, _sum: { amount: true } }),
    // A drop's share is not a tip.
    read.walletPayment.count({ where: { ...proven, card: null } }),
    read.dropClaim.findMany({
      where: { state: 'given', drop: { member, pool: null, connection: null }, ...notRevoked },
      select: { drop: { select: { share: true } } },
    }),
    read.giveawayWin.findMany({
      where: { giveaway: { starter: member, pool: null } },
      select: { giveaway: { select: { prize: true } } },
    }),
    firstSeen(read, member),
  ])
  const inDrops = drops.reduce((sum, { drop }) => sum + drop.share, 0n)
  const inPrizes = prizes.reduce((sum, { giveaway }) => sum + giveaway.prize, 0n)
  return {
    given: msats((tips._sum.amount ?? 0n) + (fromWallet._sum.amount ?? 0n) + inDrops + inPrizes),
    tips: tips._count + walletTips,
    since: since ?? fallback,
  }
}

async function firstSeen(read: TippingContext['database']['read'], member: string): Promise<Date | undefined> {
  const oldest = { orderBy: { createdAt: 'asc' }, select: { createdAt: true } } as const
  const firsts = await Promise.all([
    read.tip.findFirst({ where: { sender: member }, ...oldest }),
    read.tip.findFirst({ where: { shares: { some: { recipient: member } } }, ...oldest }),
    read.deposit.findFirst({ where: { member }, ...oldest }),
  ])
  const times = firsts.flatMap((first) => (first === null ? [] : [first.createdAt.getTime()]))
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}

/** Returns the stored form of figures, for comparison with those that Discord has. */
export function writeFigures({ given, tips, since }: RoleFigures): string {
  return JSON.stringify({ given: given.toString(), tips, since: since.toISOString() })
}
