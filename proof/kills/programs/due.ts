import type { BookWatch } from '../../judge/book-watch.ts'
import type { HeardEvent } from '../../judge/heard.ts'

/** An event of a server, as programs read it. */
export interface ToldEvent {
  readonly type: string
  readonly at: string
  readonly channel: string | null
  readonly from: string | null
  readonly to: string | null
  readonly amountMsats: string
  readonly testMoney: boolean
}

/**
 * Selects a server's gifts as events, each by the first entry of its operation. Nobody here is hidden, and no reward
 * waits for approval.
 */
const GIFTS = `SELECT "id", "type", "channel", "from", "to", "amount" FROM (
    SELECT s."id", t."guild", CASE WHEN t."pool" IS NULL THEN 'tip' ELSE 'reward' END AS "type", t."channel",
      CASE WHEN t."pool" IS NULL THEN t."sender" END AS "from", s."recipient" AS "to", s."amount"
      FROM "TipShare" s JOIN "Tip" t ON t."id" = s."tipId"
    UNION ALL SELECT "id", "guild", 'drop', "channel", "member", NULL, "share" * "shares" FROM "Drop"
    UNION ALL SELECT "id", "guild", 'pool-gift', NULL, NULL, NULL, "amount" FROM "PoolGift"
  ) AS gifts WHERE "guild" = ?`

interface Gift {
  readonly id: string
  readonly type: string
  readonly channel: string | null
  readonly from: string | null
  readonly to: string | null
  readonly amount: bigint
}

type StoredTime = string | number | bigint

/** Returns the events of a server after an entry of the book, according to the book. */
export function eventsOfServer(botBook: BookWatch, server: string, after: number): HeardEvent[] {
  const entries = new Map<string, { readonly id: number; readonly at: StoredTime }>()
  const sql = 'SELECT "id", "operation", "at" FROM "Entry" ORDER BY "id"'
  for (const { id, operation, at } of botBook.rows<{ id: bigint; operation: string; at: StoredTime }>(sql)) {
    if (!entries.has(operation)) entries.set(operation, { id: Number(id), at })
  }
  return botBook
    .rows<Gift>(GIFTS, server)
    .flatMap(({ id: gift, type, channel, from, to, amount }) => {
      const entry = entries.get(gift)
      if (entry === undefined || entry.id <= after) return []
      const at = new Date(typeof entry.at === 'bigint' ? Number(entry.at) : entry.at).toISOString()
      const content = contentOf({ type, at, channel, from, to, amountMsats: String(amount), testMoney: true })
      return [{ id: entry.id, content }]
    })
    .sort((one, other) => one.id - other.id)
    .map(({ id, content }) => ({ id: String(id), content }))
}

/** Returns an event's whole text. */
export function contentOf({ type, at, channel, from, to, amountMsats, testMoney }: ToldEvent): string {
  return JSON.stringify([type, at, channel, from, to, amountMsats, testMoney])
}

/** An event of the service, with its resource and the address that it is sent to. */
export interface ServiceEventRow extends HeardEvent {
  readonly resource: string
  readonly url: string
}

/** Returns a project's events, according to the service's book. */
export function eventsOfProject(serviceBook: BookWatch, project: string): ServiceEventRow[] {
  return serviceBook.rows<ServiceEventRow>(
    `SELECT "messageId" AS "id", "body" AS "content", "resource", "url" FROM "Callback" c
      WHERE "projectId" = ? ORDER BY c."id"`,
    project,
  )
}
