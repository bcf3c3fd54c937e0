import type { Tipping } from '../../src/tipping/tipping.ts'
import type { KeyReward } from '../judge/programs.ts'
import { READ_GUILD, readToTheEnd } from '../people/event-readers.ts'
import type { SimWorld } from '../world/world.ts'

const REWARDS = `SELECT r."id", r."apiKey", r."requester", r."recipient", r."amount", r."state", o."interaction", r."createdAt"
  FROM "Reward" r JOIN "Operation" o ON o."id" = r."id" WHERE r."apiKey" IS NOT NULL`
/**
 * A query for the gifts in the book that must have an event. The event of a gift that a second moderator approved is
 * the entry that pays it; a gift that waits for a newcomer and then returns has none.
 */
const GIFTS = `SELECT g."id" FROM (
    SELECT s."id", t."guild" FROM "TipShare" s JOIN "Tip" t ON t."id" = s."tipId"
    UNION ALL SELECT "id", "guild" FROM "Drop"
    UNION ALL SELECT "id", "guild" FROM "Giveaway"
    UNION ALL SELECT "id", "guild" FROM "PoolGift"
  ) g LEFT JOIN "Reward" r ON r."id" = g."id" AND r."decider" IS NOT NULL
  WHERE g."guild" IS NOT NULL AND EXISTS (
    SELECT 1 FROM "Entry" e WHERE e."operation" = g."id" AND (r."id" IS NULL OR e."step" = 'post')
  )`
const WEBHOOKS = `SELECT "url", "cursor" FROM "Webhook"`
const PAGE = 500

type Row = Omit<KeyReward, 'atMs'> & { readonly createdAt: string | number | bigint | Date }

/** Lets the judge check every reward that was paid with a key, the events, and what readers were told. */
export async function notePrograms(world: SimWorld, { serverEvents }: Tipping): Promise<void> {
  const { judge, botBook } = world
  const rows = botBook.rows<Row>(REWARDS)
  const msOf = (at: Row['createdAt']) => new Date(typeof at === 'bigint' ? Number(at) : at).getTime()
  judge.programs.judge(rows.map(({ createdAt, ...reward }) => ({ ...reward, atMs: msOf(createdAt) })))
  const events: { readonly id: number; readonly guild: string }[] = []
  for (let cursor = 0; ; ) {
    const page = await serverEvents.after(cursor, PAGE)
    events.push(...page.events)
    if (page.cursor === cursor) break
    cursor = page.cursor
  }
  const entries = botBook.rows<{ id: bigint | number; operation: string }>('SELECT "id", "operation" FROM "Entry"')
  const operations = new Map(entries.map(({ id, operation }) => [Number(id), operation]))
  const gifts = botBook.rows<{ id: string }>(GIFTS).map(({ id }) => id)
  judge.programs.mustBeTold(
    gifts,
    events.map(({ id }) => operations.get(id) ?? `of entry ${id}`),
  )
  await readToTheEnd(world)
  const ofServer = events.flatMap(({ id, guild }) => (guild === READ_GUILD ? [id] : []))
  judge.programs.mustHaveHeard(ofServer)
  for (const { url, cursor } of botBook.rows<{ url: string; cursor: number | bigint }>(WEBHOOKS))
    judge.programs.mustHaveArrived(new URL(url).pathname, Number(cursor), ofServer)
}
