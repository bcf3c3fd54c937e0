import { nextTurn } from '../../../lib/turns.ts'
import { type RoundWorker, startWorker, type Worker } from '../../../lib/worker.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { Tx } from '../../core/database.ts'
import type { Callback } from '../../generated/client.ts'
import type { CallbackWays } from './callback-ways.ts'
import { type Delivery, deliverCallback } from './deliver-callback.ts'
import { MAX_PAUSE_MS, pauseAfter } from './retry-times.ts'
import { createSigningSecrets } from './signing-secrets.ts'

/**
 * The most callbacks that are delivered or queued for one receiver at a time, so a slow receiver fills only its own
 * share.
 */
const MAX_CONCURRENT_PER_RECEIVER = 16
const AHEAD_PER_RECEIVER = 256
/** The most callbacks queued for one project. Even if many of its receivers hang, other projects have room. */
const AHEAD_PER_PROJECT = 1_024
/** The most callbacks queued in total. */
const MAX_CONCURRENT = 8_192
/** How many callbacks are queued for a project even if there is no other room. */
const ALWAYS_PER_PROJECT = 64
/** How many callbacks are read from the database at a time. */
const BATCH_SIZE = 512
/** How often the outbox looks for callbacks that another process added. */
const EVERY_MS = 30_000
/** The pause while deliveries cannot be recorded: none are made, because they would be repeated endlessly. */
const REST_MS = 5_000

export interface Outbox extends Worker {
  /** Reports that a callback may be waiting. This is cheap, so needless calls do no harm. */
  wake(): void
}

/** The queued callbacks of one receiver, and the deliveries under way. */
interface Receiver {
  readonly waiting: Callback[]
  readonly underWay: Set<Promise<void>>
}

type OutboxParts = Pick<CoreParts, 'database' | 'ledger' | 'ownership' | 'clock' | 'logger'>

/**
 * Delivers callbacks: each at least once, in order per resource, with repeated attempts at growing intervals for three
 * days. Then they are dead-lettered, and later callbacks go ahead of them, until somebody redelivers them. At a stop,
 * finishes running work, and leaves the rest to the next start. If several services share the book, the service that
 * claims a resource's oldest callback delivers it. While that service is alive, no other delivers this callback, or the
 * later callbacks of the resource.
 */
export function startOutbox(parts: OutboxParts, ways: Pick<CallbackWays, 'fetchFor'>): Outbox {
  return new Deliverer(parts, ways)
}

class Deliverer implements Outbox {
  readonly #parts: OutboxParts
  readonly #ways: Pick<CallbackWays, 'fetchFor'>
  readonly #secretsOf: (projectId: string) => Promise<string[]>
  /** Resources with a queued callback, which waits for its receiver or is being delivered. */
  readonly #taken = new Set<string>()
  /**
   * Resources with an attempt that ended after the present batch was requested: a slow database server may still return
   * the state from before that end.
   */
  readonly #ended = new Set<string>()
  readonly #receivers = new Map<string, Receiver>()
  /** The number of queued callbacks of each project. */
  readonly #byProject = new Map<string, number>()
  #outcomes: { callback: Callback; delivery: Delivery; noted: () => void }[] = []
  #noting: Promise<void> | undefined
  #restUntil = 0
  /** The wall-clock time of the last reading. Callbacks that became due after that time have not been seen. */
  #lookedAt = 0
  #closed = false
  readonly #rounds: RoundWorker

  constructor(parts: OutboxParts, ways: Pick<CallbackWays, 'fetchFor'>) {
    this.#parts = parts
    this.#ways = ways
    this.#secretsOf = createSigningSecrets(parts)
    const { clock, logger } = parts
    this.#rounds = startWorker({
      clock,
      round: () => this.#begin(),
      pauseMs: () => this.#untilDue(),
      firstInMs: 0,
      failed: (error) => logger.error({ err: error }, 'callbacks cannot be delivered just now'),
    })
  }

  wake(): void {
    this.#rounds.wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#rounds.close()
    for (const receiver of this.#receivers.values()) await Promise.all(receiver.underWay)
    await this.#noting
  }

  /**
   * Queues due callbacks: only the oldest of each resource, and only while that callback's receiver and project have
   * room.
   */
  async #begin(): Promise<void> {
    const now = this.#parts.clock.now()
    this.#lookedAt = now
    if (this.#parts.clock.monotonic() < this.#restUntil || !this.#parts.ownership.isLive()) return
    let due: readonly Callback[] = []
    do {
      this.#ended.clear()
      due = await this.#readDue(now, due)
      const free = due.filter(({ resource }) => !this.#taken.has(resource) && !this.#ended.has(resource))
      if (due.some(({ resource }) => this.#ended.has(resource))) this.wake()
      const heads = await this.#oldestOf(free.map((callback) => callback.resource))
      const first = free.filter(({ id, resource }) => heads.get(resource) === id)
      for (const callback of await this.#claim(now, first)) {
        if (!this.#isFull(callback.receiver) && this.#hasRoom(callback.projectId)) this.#take(callback)
      }
      // Callbacks in delivery, or behind another of their resource, are due too. They must not hide later ones.
    } while (due.length === BATCH_SIZE)
  }

  /** Reads the next batch of due callbacks in order, about resources that do not occur in the earlier batch. */
  async #readDue(now: number, earlier: readonly Callback[]): Promise<Callback[]> {
    const { read } = this.#parts.database
    const last = earlier.at(-1)
    return await read.callback.findMany({
      where: {
        deliveredAt: null,
        deadLetteredAt: null,
        AND: [await this.#free(read), dueAt(now), last === undefined ? {} : comesAfter(last)],
        resource: { notIn: [...new Set(earlier.map((callback) => callback.resource))] },
        receiver: { notIn: [...this.#receivers.keys()].filter((name) => this.#isFull(name)) },
        projectId: { notIn: [...this.#byProject.keys()].filter((id) => !this.#hasRoom(id)) },
      },
      orderBy: [{ nextAttemptAt: 'asc' }, { id: 'asc' }],
      take: BATCH_SIZE,
    })
  }

  /** Returns the condition for callbacks that no other living service has claimed. */
  async #free(client: Tx) {
    const { ownership } = this.#parts
    if (ownership.alone) return {}
    const others = (await ownership.livingIn(client)).filter((holder) => holder !== ownership.me)
    return { OR: [{ claimedBy: null }, { claimedBy: { notIn: others } }] }
  }

  /**
   * Claims callbacks for this service. Returns the callbacks that no other service has claimed or tried in the
   * meantime; all of them if no other service uses the book.
   */
  async #claim(now: number, callbacks: readonly Callback[]): Promise<readonly Callback[]> {
    const { ownership, ledger } = this.#parts
    if (ownership.alone || callbacks.length === 0) return callbacks
    const claimed = await ledger.commit({
      write: async (tx) => {
        await ownership.assertLive(tx)
        const id = { in: callbacks.map((callback) => callback.id) }
        const open = { id, deliveredAt: null, deadLetteredAt: null, AND: [await this.#free(tx), dueAt(now)] }
        const mine = (await tx.callback.findMany({ where: open, select: { id: true } })).map((row) => row.id)
        await tx.callback.updateMany({ where: { id: { in: mine } }, data: { claimedBy: ownership.me } })
        return new Set(mine)
      },
    })
    return callbacks.filter(({ id }) => claimed.has(id))
  }

  async #oldestOf(resources: readonly string[]): Promise<Map<string, number>> {
    // Stryker disable next-line ConditionalExpression: without resources, no oldest callback is found.
    if (resources.length === 0) return new Map()
    const groups = await this.#parts.database.read.callback.groupBy({
      by: ['resource'],
      where: { resource: { in: [...new Set(resources)] }, deliveredAt: null, deadLetteredAt: null },
      _min: { id: true },
    })
    return new Map(groups.map((group) => [group.resource, group._min.id ?? 0]))
  }

  #isFull(receiver: string): boolean {
    return sizeOf(this.#receivers.get(receiver)) >= AHEAD_PER_RECEIVER
  }

  #hasRoom(projectId: string): boolean {
    const taken = this.#byProject.get(projectId) ?? 0
    return taken < ALWAYS_PER_PROJECT || (taken < AHEAD_PER_PROJECT && this.#taken.size < MAX_CONCURRENT)
  }

  #count(projectId: string, change: 1 | -1): void {
    this.#byProject.set(projectId, (this.#byProject.get(projectId) ?? 0) + change)
  }

  #take(callback: Callback): void {
    const receiver = this.#receivers.get(callback.receiver) ?? { waiting: [], underWay: new Set() }
    this.#receivers.set(callback.receiver, receiver)
    this.#taken.add(callback.resource)
    this.#count(callback.projectId, 1)
    receiver.waiting.push(callback)
    this.#serve(callback.receiver, receiver)
  }

  #serve(name: string, receiver: Receiver): void {
    while (receiver.underWay.size < MAX_CONCURRENT_PER_RECEIVER && !this.#closed) {
      const callback = receiver.waiting.shift()
      if (callback === undefined) break
      const work = this.#deliver(callback).finally(() => {
        receiver.underWay.delete(work)
        this.#taken.delete(callback.resource)
        this.#ended.add(callback.resource)
        this.#count(callback.projectId, -1)
        this.#serve(name, receiver)
      })
      receiver.underWay.add(work)
    }
    // Stryker disable next-line ConditionalExpression: saves memory. A receiver without queued callbacks counts as
    // unknown.
    if (sizeOf(receiver) === 0) this.#receivers.delete(name)
    // Stryker disable next-line ConditionalExpression: avoids look-ups. One that comes too early finds nothing new.
    if (receiver.waiting.length === 0) this.wake()
  }

  async #deliver(callback: Callback): Promise<void> {
    try {
      // Another service may have claimed this callback, and those after it.
      if (!this.#parts.ownership.isLive()) return
      const secrets = await this.#secretsOf(callback.projectId)
      const fetch = this.#ways.fetchFor(callback.projectId, callback.url)
      const delivery = await deliverCallback(this.#parts.clock, fetch, callback, secrets)
      await new Promise<void>((noted) => {
        this.#outcomes.push({ callback, delivery, noted })
        this.#noting ??= this.#note()
      })
    } catch (error) {
      this.#parts.logger.error({ err: error, callback: callback.messageId }, 'a callback could not be delivered')
    }
  }

  /** Records the outcomes of deliveries. Deliveries that end together share one commit. */
  async #note(): Promise<void> {
    while (this.#outcomes.length > 0) {
      await nextTurn()
      const outcomes = this.#outcomes.splice(0)
      try {
        await this.#write(outcomes)
      } catch (error) {
        // They were not recorded, so they will be delivered once more, with the same webhook-id.
        this.#parts.logger.error({ err: error, callbacks: outcomes.length }, 'deliveries could not be noted')
        this.#restUntil = this.#parts.clock.monotonic() + REST_MS
      }
      for (const { noted } of outcomes) noted()
    }
    this.#noting = undefined
  }

  async #write(outcomes: readonly { callback: Callback; delivery: Delivery }[]): Promise<void> {
    const now = this.#parts.clock.now()
    const delivered = outcomes.filter(({ delivery }) => delivery.ok).map(({ callback }) => callback.id)
    const failures = outcomes.flatMap(({ callback, delivery }) =>
      delivery.ok ? [] : [failureOf(callback, delivery, now)],
    )
    const { ownership, ledger } = this.#parts
    const ours = ownership.alone ? {} : { claimedBy: ownership.me }
    await ledger.commit({
      write: async (tx) => {
        // Stryker disable next-line ConditionalExpression: it would change nothing.
        if (delivered.length > 0) {
          const data = { deliveredAt: new Date(now), nextAttemptAt: null, attempts: { increment: 1 }, lastError: '' }
          await tx.callback.updateMany({ where: { id: { in: delivered }, ...ours }, data })
        }
        for (const { callback, reason, nextAttemptAt } of failures) {
          const deadLetteredAt = nextAttemptAt === null ? new Date(now) : null
          const data = { attempts: { increment: 1 }, nextAttemptAt, deadLetteredAt, lastError: reason, claimedBy: null }
          const { count } = await tx.callback.updateMany({ where: { id: callback.id, ...ours }, data })
          if (count === 0) continue
          // Later callbacks wait as long, or come first if this one is dead-lettered.
          const behind = {
            resource: callback.resource,
            id: { gt: callback.id },
            deliveredAt: null,
            deadLetteredAt: null,
          }
          await tx.callback.updateMany({ where: behind, data: { nextAttemptAt: nextAttemptAt ?? new Date(now) } })
        }
      },
    })
    for (const failure of failures) this.#tellOperators(failure)
  }

  /**
   * Logs, as warnings for operators, failures that no receiver can repair: callbacks that were given up, and, at their
   * first attempt, callbacks that our own rules forbid.
   */
  #tellOperators({ callback, reason, refused, nextAttemptAt }: Failure): void {
    const { messageId, resource, receiver, attempts } = callback
    const about = { callback: messageId, resource, receiver, reason }
    if (nextAttemptAt === null) {
      this.#parts.logger.warn(about, 'a callback is dead-lettered; "callbacks redeliver" has it sent again')
    } else if (refused && attempts === 0) {
      this.#parts.logger.warn(about, 'a callback goes to an address that is never spoken to; it is tried again')
    }
  }

  /**
   * Returns the milliseconds until the next callback is due, at most the usual interval; during a pause, the
   * milliseconds until the end of that pause.
   */
  async #untilDue(): Promise<number> {
    const { clock, database } = this.#parts
    const next = await database.read.callback
      .findFirst({
        where: { deliveredAt: null, deadLetteredAt: null, nextAttemptAt: { gt: new Date(this.#lookedAt) } },
        orderBy: { nextAttemptAt: 'asc' },
        select: { nextAttemptAt: true },
      })
      .catch(() => undefined)
    const due = (next?.nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now()
    const rest = this.#restUntil - clock.monotonic()
    return rest > 0 ? rest : Math.min(EVERY_MS, due)
  }
}

/** The result of a failed attempt. */
interface Failure {
  readonly callback: Callback
  readonly reason: string
  readonly refused: boolean
  /** When the next attempt is due; null if the callback is dead-lettered. */
  readonly nextAttemptAt: Date | null
}

function failureOf(callback: Callback, delivery: Extract<Delivery, { ok: false }>, now: number): Failure {
  const { refused, hopeless } = delivery
  const pauseMs = hopeless ? undefined : pauseAfter(callback.attempts)
  const nextAttemptAt = pauseMs === undefined ? null : new Date(now + pauseMs)
  return { callback, reason: delivery.reason.slice(0, 500), refused, nextAttemptAt }
}

/**
 * Returns the condition for callbacks that are due according to the wall clock. Includes times far beyond the longest
 * pause, which were set before that clock was set back.
 */
function dueAt(now: number) {
  const times = [{ lte: new Date(now) }, { gt: new Date(now + 2 * MAX_PAUSE_MS) }]
  return { OR: times.map((nextAttemptAt) => ({ nextAttemptAt })) }
}

/** Returns the condition for callbacks after this one, in the order of delivery. */
function comesAfter({ id, nextAttemptAt }: Callback) {
  return { OR: [{ nextAttemptAt: { gt: nextAttemptAt as Date } }, { nextAttemptAt, id: { gt: id } }] }
}

function sizeOf(receiver: Receiver | undefined): number {
  return receiver === undefined ? 0 : receiver.waiting.length + receiver.underWay.size
}
