import type { FoundRow } from '../../ledger/ledger.ts'
import { pauseAfterFailures } from '../../lib/pause-after-failures.ts'
import { signCallback } from '../../payments-api/payments-api.ts'
import { signingSecretOf } from '../api-keys/find-key.ts'
import { Overtaken } from '../core/commit-end.ts'
import { now } from '../core/context.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ApiKey, Webhook } from '../generated/client.ts'
import { eventsAfter, latestEntry } from './read-events.ts'
import { isToldIn, type ServerEvent, type ServerEventPage, type WebhookSight } from './server-events.ts'

type WebhookOfKey = Webhook & { readonly key: ApiKey }
type ReadPage = (cursor: number) => Promise<ServerEventPage>
type WebhookChange = Partial<Pick<Webhook, 'cursor' | 'nextTryAt' | 'failures' | 'failingSince' | 'givenUpAt'>>

/** The number of book entries read at a time. */
const PAGE_SIZE = 200
/** The most simultaneous deliveries of one process, each of which waits for a receiver. */
const MAX_AT_ONCE = 100
/** The time limit for a receiver's whole answer. */
const TIMEOUT_MS = 10_000
/** How long a dead process may hold a webhook: longer than an attempt takes. */
const CLAIM_MS = 60_000
const FIRST_PAUSE_MS = 5_000
const MAX_PAUSE_MS = 3_600_000
/**
 * The time and the number of failures after which a webhook is given up. Both are required, because a bot that was
 * switched off has made no attempts.
 */
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000
const FEWEST_FAILURES = 10
/**
 * The number of entries without events after which the cursor is stored, so that not every entry for other servers
 * causes a write.
 */
const NOTE_QUIET_EVERY = 2_000

/** Sends events to the webhooks of servers. */
export class Webhooks {
  readonly #context: TippingContext
  /** The webhooks to which this process delivers now. */
  readonly #busy = new Set<string>()
  /** For each webhook, the book's entry up to which there is nothing left to send. */
  readonly #quiet = new Map<string, number>()

  constructor(context: TippingContext) {
    this.#context = context
  }

  async deliver(sight: WebhookSight): Promise<void> {
    const context = this.#context
    const due = await this.#due()
    if (due.length === 0) return
    const latest = await latestEntry(context)
    const pages = new Map<number, Promise<ServerEventPage>>()
    const read = (cursor: number) => {
      const page = pages.get(cursor) ?? eventsAfter(context, cursor, PAGE_SIZE)
      pages.set(cursor, page)
      return page
    }
    for (const webhook of due) {
      if (this.#busy.size >= MAX_AT_ONCE) return
      const { apiKey, key } = webhook
      if (this.#busy.has(apiKey) || this.#seenBy(webhook) >= latest || !sight.knows(key.guild)) continue
      this.#busy.add(apiKey)
      void context.activity.run('deliver to a webhook', () =>
        this.#tell(webhook, sight, read).finally(() => this.#busy.delete(apiKey)),
      )
    }
  }

  /**
   * Returns due webhooks, the longest due first. A time further ahead than the longest pause also counts as due,
   * because it was set before the clock was set back.
   */
  async #due(): Promise<WebhookOfKey[]> {
    const { database, clockWatch } = this.#context
    const at = now(this.#context)
    const tooFar = new Date(at.getTime() + MAX_PAUSE_MS)
    return await database.read.webhook.findMany({
      where: {
        givenUpAt: null,
        OR: [{ nextTryAt: { lte: at } }, { nextTryAt: { gt: tooFar } }],
        key: { revokedBy: null, expiresAt: { gt: new Date(clockWatch.latest()) } },
      },
      include: { key: true },
      orderBy: { nextTryAt: 'asc' },
    })
  }

  #seenBy({ apiKey, cursor }: Webhook): number {
    return Math.max(cursor, this.#quiet.get(apiKey) ?? 0)
  }

  /** Sends one webhook all events that it has not received, until a delivery fails. */
  async #tell(found: WebhookOfKey, sight: WebhookSight, read: ReadPage): Promise<void> {
    let webhook: WebhookOfKey | undefined = found
    let cursor = this.#seenBy(found)
    while (webhook !== undefined && !this.#context.activity.closed) {
      const page = await read(cursor)
      if (page.cursor === cursor) return
      const events = page.events.filter((event) => isToldIn(found.key.guild, event, sight.everybodySees))
      if (events.length > 0) webhook = await this.#send(webhook, events, page.cursor, sight)
      else if (page.cursor - webhook.cursor >= NOTE_QUIET_EVERY) {
        webhook = await this.#move(webhook, { cursor: page.cursor })
      }
      if (webhook === undefined) return
      cursor = page.cursor
      this.#quiet.set(webhook.apiKey, cursor)
    }
  }

  /**
   * Claims a webhook and sends it events, up to the entry `end`. Resolves to undefined if a delivery failed, or if
   * another process has claimed the webhook.
   */
  async #send(
    found: WebhookOfKey,
    events: readonly ServerEvent[],
    end: number,
    sight: WebhookSight,
  ): Promise<WebhookOfKey | undefined> {
    const { guild, owner } = found.key
    let webhook = await this.#move(found, { nextTryAt: this.#in(CLAIM_MS) })
    if (webhook === undefined) return undefined
    const isAllowed = await sight.moderates(guild, owner).catch(() => undefined)
    // Discord cannot be asked. That is not the webhook's fault, and its turn comes when the claim expires.
    if (isAllowed === undefined) return undefined
    for (const event of events) {
      const isAccepted = isAllowed && (await this.#post(webhook, event, sight.body(event)))
      if (!isAccepted) {
        await this.#fail(webhook)
        return undefined
      }
      const isLast = event === events.at(-1)
      // The next process need not wait for a process that ends.
      const isEnding = this.#context.activity.closed
      const nextTryAt = this.#in(isLast || isEnding ? 0 : CLAIM_MS)
      const cursor = isLast ? end : event.id
      webhook = await this.#move(webhook, { cursor, nextTryAt, failures: 0, failingSince: null })
      if (webhook === undefined || isEnding) return undefined
    }
    return webhook
  }

  /**
   * POSTs an event, signed with the secret of the webhook's API key. Any status 2xx is a success, whatever the content.
   */
  async #post({ url, key }: WebhookOfKey, event: ServerEvent, body: string): Promise<boolean> {
    const { clock, egress } = this.#context
    const signed = signCallback({ id: String(event.id), body, secrets: [signingSecretOf(key)], clock })
    const headers = { 'content-type': 'application/json', ...signed }
    try {
      const { status } = await egress.fetch(url, {
        ...{ method: 'POST', headers, body },
        ...{ timeoutMs: TIMEOUT_MS, statusOnly: true },
      })
      return status >= 200 && status < 300
    } catch {
      return false
    }
  }

  /** Schedules another attempt after a failure, or gives the webhook up and notes that in the moderation log. */
  async #fail(webhook: WebhookOfKey): Promise<void> {
    const at = now(this.#context)
    const failures = webhook.failures + 1
    const failingSince = webhook.failingSince ?? at
    const isOver = failures >= FEWEST_FAILURES && at.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS
    const pauseMs = pauseAfterFailures(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS)
    if (isOver) await this.#giveUp(webhook, { failures, failingSince, givenUpAt: at })
    else await this.#move(webhook, { failures, failingSince, nextTryAt: this.#in(pauseMs) })
  }

  async #giveUp({ apiKey, key, ...webhook }: WebhookOfKey, data: WebhookChange): Promise<void> {
    const { cursor, nextTryAt } = webhook
    const where = { apiKey, cursor, nextTryAt, givenUpAt: null, key: { revokedBy: null } }
    await this.#context.commit({
      write: async (tx) => {
        if ((await tx.webhook.updateMany({ where, data })).count === 0) return
        const about = { apiKey, name: key.name }
        const line = { guild: key.guild, member: key.owner, action: 'webhook-given-up', about } as const
        await logModeration(this.#context, tx, line)
      },
    })
  }

  /**
   * Changes a webhook that has not changed since it was read, and whose key is not revoked; otherwise, resolves to
   * undefined. Each event for each webhook causes such a change, so the change consists only of data, which delays
   * other changes little.
   */
  async #move(webhook: WebhookOfKey, set: WebhookChange): Promise<WebhookOfKey | undefined> {
    const { apiKey } = webhook
    const holds = (isSo: boolean | undefined) =>
      isSo ? undefined : new Overtaken(`the webhook of ${apiKey} has moved on`)
    try {
      await this.#context.commit({
        conditions: [
          { table: 'ApiKey', key: { id: apiKey }, refusal: ([key]) => holds(key?.revokedBy === null) },
          { table: 'Webhook', key: { apiKey }, refusal: ([row]) => holds(row && isAsRead(row, webhook)), set },
        ],
      })
      return { ...webhook, ...set }
    } catch (error) {
      if (error instanceof Overtaken) return undefined
      throw error
    }
  }

  #in(ms: number): Date {
    return new Date(now(this.#context).getTime() + ms)
  }
}

function isAsRead(row: FoundRow, { cursor, nextTryAt }: Webhook): boolean {
  const isSameTime = new Date(row.nextTryAt as Date).getTime() === nextTryAt.getTime()
  return Number(row.cursor) === cursor && isSameTime && row.givenUpAt === null
}
