import { msats } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { PuzzleKind } from '../drops/drops.ts'
import type { OpenDrop } from './insights.ts'

const MAX_LISTED = 25
/** The most drops that are read, so that those in hidden channels do not hide others. */
const MAX_READ = 1_000

/** Returns a server's open drops, newest first, without the names of members who opted out. */
export async function openDropsIn(
  context: ReadonlyBook,
  guild: string,
  isShown: (channel: string) => boolean,
): Promise<OpenDrop[]> {
  const { read } = context.database
  const open = await read.drop.findMany({
    where: { guild, state: 'open', closesAt: { gt: now(context) } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_READ,
  })
  const drops = open.filter(({ channel }) => isShown(channel)).slice(0, MAX_LISTED)
  const owners = drops.map(({ member }) => member)
  const hidden = await read.member.findMany({ where: { id: { in: owners }, hidden: true }, select: { id: true } })
  return drops.map(({ id, channel, member, share, shares, claimed, draw, puzzle, closesAt }) => ({
    ...{ id, channel, share: msats(share), shares, claimed, draw, closesAt },
    member: hidden.some((each) => each.id === member) ? undefined : member,
    puzzle: (puzzle ?? undefined) as PuzzleKind | undefined,
  }))
}
