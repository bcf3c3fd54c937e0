import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { ServerEvent, ServerEventPage } from './server-events.ts'

/** Returns the id of the book's newest entry; 0 if there is none. */
export async function latestEntry({ database }: ReadonlyBook): Promise<number> {
  return (await database.read.entry.aggregate({ _max: { id: true } }))._max.id ?? 0
}

/**
 * Returns the events after a cursor. A gift is reported at the first entry of its operation; a reward that waited for
 * approval, at the first entry after the reserve. Entries are written one transaction after another, so no new entry
 * precedes a cursor.
 */
export async function eventsAfter(context: ReadonlyBook, cursor: number, most: number): Promise<ServerEventPage> {
  const { read } = context.database
  const entries = await read.entry.findMany({ where: { id: { gt: cursor } }, orderBy: { id: 'asc' }, take: most })
  const last = entries.at(-1)
  if (last === undefined) return { events: [], cursor }
  const about = await recordsOf(context, [...new Set(entries.map(({ operation }) => operation))])
  const events = entries.flatMap(({ id, operation, at }) => {
    const told = about.get(operation)
    return told?.entry !== id ? [] : [{ id, at, ...told.event }]
  })
  return { events: await withoutHidden(context, events), cursor: last.id }
}

interface Told {
  readonly event: Omit<ServerEvent, 'id' | 'at'>
  /** The entry at which the event is reported. */
  readonly entry: number
}

/** Returns, by operation, the gifts that are public in a server. */
async function recordsOf({ database: { read } }: ReadonlyBook, operations: string[]): Promise<Map<string, Told>> {
  const where = { id: { in: operations } }
  const [shares, drops, giveaways, gifts, rewards, first] = await Promise.all([
    read.tipShare.findMany({ where, include: { tip: true } }),
    read.drop.findMany({ where }),
    read.giveaway.findMany({ where }),
    read.poolGift.findMany({ where }),
    read.reward.findMany({ where, select: { id: true, decider: true } }),
    read.entry.findMany({
      where: { operation: { in: operations } },
      select: { id: true, operation: true, step: true },
    }),
  ])
  const approved = new Set(rewards.flatMap(({ id, decider }) => (decider === null ? [] : [id])))
  const told = new Map<string, Told>()
  const tell = (operation: string, guild: string | null, event: Omit<Told['event'], 'guild'>) => {
    const own = first.filter((entry) => entry.operation === operation)
    const telling = approved.has(operation) ? own.filter(({ step }) => step === 'approve' || step === 'post') : own
    const entry = telling.map(({ id }) => id).sort((one, other) => one - other)[0]
    if (guild !== null && entry !== undefined) told.set(operation, { event: { guild, ...event }, entry })
  }
  for (const { id, recipient: to, amount, tip } of shares) {
    const { guild, channel, sender, pool, anonymous } = tip
    const from = pool === null && !anonymous ? sender : undefined
    tell(id, guild, { type: pool === null ? 'tip' : 'reward', channel, from, to, amount: msats(amount) })
  }
  for (const { id, guild, channel, member, pool, share, shares: count } of drops) {
    const amount = msats(share * BigInt(count))
    tell(id, guild, { type: 'drop', channel, from: pool === null ? member : undefined, to: undefined, amount })
  }
  for (const { id, guild, channel, starter, pool, prize, winners } of giveaways) {
    const amount = msats(prize * BigInt(winners))
    tell(id, guild, { type: 'giveaway', channel, from: pool === null ? starter : undefined, to: undefined, amount })
  }
  // Only its giver sees the answer to a gift to a pool.
  for (const { id, guild, amount } of gifts)
    tell(id, guild, { type: 'pool-gift', channel: undefined, from: undefined, to: undefined, amount: msats(amount) })
  return told
}

async function withoutHidden({ database: { read } }: ReadonlyBook, events: readonly ServerEvent[]) {
  const people = [...new Set(events.flatMap(({ from, to }) => [from, to].filter((id) => id !== undefined)))]
  const rows = await read.member.findMany({ where: { id: { in: people }, hidden: true }, select: { id: true } })
  const hidden = new Set(rows.map(({ id }) => id))
  const shown = (id: string | undefined) => (id === undefined || hidden.has(id) ? undefined : id)
  return events.map((event) => ({ ...event, from: shown(event.from), to: shown(event.to) }))
}
