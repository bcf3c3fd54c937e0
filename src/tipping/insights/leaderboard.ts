import { type Msats, msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { LeaderboardView, Ranked, Span } from './insights.ts'
import { bucketsOf } from './spans.ts'

const PLACES = 10
/** Read at a time, until there are enough who want to be seen. */
const PAGE = 60

/** Who gave and who got most in a server. Rewards are given by the pool, so they count for who got them only. */
export async function leaderboard(context: TippingContext, guild: string, span: Span): Promise<LeaderboardView> {
  const [since = new Date(0)] = bucketsOf(span, context.clock.now())
  const { read } = context.database
  const standing = { createdAt: { gte: since }, guild }
  const tippers = await ranked(context, async (skip) => {
    const rows = await read.tip.groupBy({
      by: ['sender'],
      where: { ...standing, pool: null },
      _sum: { total: true },
      orderBy: [{ _sum: { total: 'desc' } }, { sender: 'asc' }],
      skip,
      take: PAGE,
    })
    const returned = await returnedOf(
      context,
      guild,
      since,
      rows.map(({ sender }) => sender),
    )
    return rows.map(({ sender, _sum }) => ({
      member: sender,
      amount: msats((_sum.total ?? 0n) - (returned.get(sender) ?? 0n)),
    }))
  })
  const receivers = await ranked(context, async (skip) => {
    const rows = await read.tipShare.groupBy({
      by: ['recipient'],
      where: { tip: standing, state: { in: ['credited', 'claimed'] } },
      _sum: { amount: true },
      orderBy: [{ _sum: { amount: 'desc' } }, { recipient: 'asc' }],
      skip,
      take: PAGE,
    })
    return rows.map(({ recipient, _sum }) => ({ member: recipient, amount: msats(_sum.amount ?? 0n) }))
  })
  return { since, tippers, receivers }
}

async function returnedOf({ database }: TippingContext, guild: string, since: Date, senders: readonly string[]) {
  const shares = await database.read.tipShare.findMany({
    where: { state: 'returned', tip: { guild, createdAt: { gte: since }, sender: { in: [...senders] }, pool: null } },
    select: { amount: true, tip: { select: { sender: true } } },
  })
  const bySender = new Map<string, bigint>()
  for (const { amount, tip } of shares) bySender.set(tip.sender, (bySender.get(tip.sender) ?? 0n) + amount)
  return bySender
}

async function ranked(
  { database }: TippingContext,
  page: (skip: number) => Promise<{ member: string; amount: Msats }[]>,
): Promise<Ranked[]> {
  const found: Ranked[] = []
  for (let skip = 0; ; skip += PAGE) {
    const rows = await page(skip)
    const hidden = await database.read.member.findMany({
      where: { id: { in: rows.map(({ member }) => member) }, hidden: true },
      select: { id: true },
    })
    const out = new Set(hidden.map(({ id }) => id))
    found.push(...rows.filter(({ member, amount }) => amount > 0n && !out.has(member)))
    if (rows.length < PAGE || found.length >= PLACES) {
      return found.sort((one, other) => Number(other.amount - one.amount)).slice(0, PLACES)
    }
  }
}
