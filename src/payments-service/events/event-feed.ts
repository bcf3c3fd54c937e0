import type { z } from 'zod'
import { EventFeed, type FeedEvent } from '../../lib/http/event-feed.ts'
import {
  type CallbackKind,
  callbacks,
  type Operation,
  scopeOfEvent,
  signCallback,
  type signedEvent,
} from '../../payments-api/payments-api.ts'
import type { CoreParts } from '../core/core-parts.ts'
import { createSigningSecrets } from '../engine/outbox/signing-secrets.ts'

/** An event that callbacks report, whether or not anybody gave an address for callbacks. */
export interface ServiceEvent extends FeedEvent {
  readonly messageId: string
  readonly projectId: string
  readonly kind: CallbackKind
  readonly body: string
  readonly createdAt: Date
  /** The project's secrets, newest first. */
  readonly secrets: readonly string[]
}

/** The listener: a project, through a key with these rights. */
export interface ToldProject {
  readonly projectId: string
  readonly scopes: ReadonlySet<string>
}

export type ServiceFeed = EventFeed<ServiceEvent, ToldProject>

/** How many events are read at a time. A keysend's event may be 100 KiB long. */
const PAGE_SIZE = 50
/** The most bytes that a listener may leave unread, much more than a page of ordinary events. */
const MAX_UNREAD_BYTES = 1_024 * 1_024

const TOLD = { id: true, messageId: true, projectId: true, kind: true, body: true, createdAt: true } as const

const SCOPES = new Map<string, Operation['scope']>(
  (Object.keys(callbacks) as CallbackKind[]).map((kind) => [kind, scopeOfEvent(kind)]),
)

/**
 * Creates the feed that sends projects their events from the outbox, whose rows are numbered in the order of commits by
 * all processes on the book.
 */
export function createServiceFeed(parts: Pick<CoreParts, 'database' | 'clock' | 'logger'>): ServiceFeed {
  const { database, clock, logger } = parts
  const secretsOf = createSigningSecrets(parts)

  async function latest(): Promise<number> {
    const { _max } = await database.read.callback.aggregate({ _max: { id: true } })
    return _max.id ?? 0
  }

  async function read(where: { id: { gt: number; lte?: number }; projectId?: string }, take: number) {
    const rows = await database.read.callback.findMany({ where, orderBy: { id: 'asc' }, take, select: TOLD })
    const ids = [...new Set(rows.map(({ projectId }) => projectId))]
    const secrets = new Map(await Promise.all(ids.map(async (id) => [id, await secretsOf(id)] as const)))
    const events = rows.map(
      (row): ServiceEvent => ({
        ...row,
        kind: row.kind as CallbackKind,
        secrets: secrets.get(row.projectId) ?? [],
      }),
    )
    return { events, last: rows.at(-1)?.id }
  }

  return new EventFeed<ServiceEvent, ToldProject>({
    source: {
      latest,
      async after(cursor, most) {
        const { events, last } = await read({ id: { gt: cursor } }, most)
        return { events, cursor: last ?? cursor }
      },
      async missedBy({ projectId }, cursor, most) {
        // Read only up to the end as it was before: what is committed meanwhile may belong to another project.
        const end = await latest()
        const { events, last } = await read({ id: { gt: cursor, lte: end }, projectId }, most)
        return { events, cursor: events.length === most && last !== undefined ? last : Math.max(end, cursor) }
      },
    },
    // Events from before the stream existed have no kind and no scope.
    isFor: ({ projectId, kind }, to) => projectId === to.projectId && to.scopes.has(SCOPES.get(kind) ?? ''),
    text: ({ messageId: id, kind, body, createdAt, secrets }) => {
      const headers = signCallback({ id, body, secrets, clock })
      const told: z.output<typeof signedEvent.wire> = {
        ...{ id, createdAt: createdAt.toISOString(), timestamp: headers['webhook-timestamp'] },
        ...{ signature: headers['webhook-signature'], body },
      }
      return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(told)}\n\n`
    },
    pageSize: PAGE_SIZE,
    maxUnreadBytes: MAX_UNREAD_BYTES,
    clock,
    logger,
  })
}
