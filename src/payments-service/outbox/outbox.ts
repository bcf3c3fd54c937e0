import type { GuardedFetch } from '../../lib/guarded-fetch.ts'
import type { Callback } from '../generated/client.ts'
import type { ServiceParts, Worker } from '../parts.ts'
import { type Delivery, deliverCallback } from './deliver-callback.ts'
import { createSigningSecrets } from './signing-secrets.ts'

/** Deliveries under way at once: to one receiver, so that a slow one fills only its own share, and altogether. */
const AT_ONCE_PER_RECEIVER = 16
const AT_ONCE = 512
/** How often the outbox looks by itself, for what another process put into it. */
const EVERY_MS = 30_000
/** Pauses in ms after each failed attempt, then the last one until the callback is parked, after three days in all. */
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000]
/** While deliveries cannot be noted none are made: they would be made again and again. */
const REST_MS = 5_000
const THREE_DAYS_MS = 259_200_000

export interface Outbox extends Worker {
  /** Says that something may be waiting. Cheap, and safe to call too often. */
  wake(): void
}

type OutboxParts = Pick<ServiceParts, 'database' | 'ledger' | 'clock' | 'logger'>

/**
 * Delivers callbacks: at least once each, in order per resource, again at growing pauses for three days, then parked
 * until somebody redelivers them. What is under way at a stop is finished; the rest is the next start's.
 */
export function startOutbox(parts: OutboxParts, fetch: GuardedFetch): Outbox {
  return new Deliverer(parts, fetch)
}

class Deliverer implements Outbox {
  readonly #parts: OutboxParts
  readonly #fetch: GuardedFetch
  readonly #secretsOf: (projectId: string) => Promise<string[]>
  /** Callbacks under way, by resource. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #perReceiver = new Map<string, number>()
  #outcomes: { callback: Callback; delivery: Delivery; noted: () => void }[] = []
  #noting: Promise<void> | undefined
  #round: Promise<void> | undefined
  #again = false
  #restUntil = 0
  #closed = false
  #cancel = () => {}

  constructor(parts: OutboxParts, fetch: GuardedFetch) {
    this.#parts = parts
    this.#fetch = fetch
    this.#secretsOf = createSigningSecrets(parts)
    this.wake()
  }

  wake(): void {
    if (this.#closed) return
    this.#again = true
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#round
    await Promise.all(this.#underWay.values())
    await this.#noting
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      try {
        await this.#begin()
      } catch (error) {
        this.#parts.logger.error({ err: error }, 'callbacks cannot be delivered just now')
      }
      await this.#arm()
    }
  }

  /** Starts what is due: of each resource the oldest, while its receiver has room. */
  async #begin(): Promise<void> {
    const room = AT_ONCE - this.#underWay.size
    if (room <= 0 || this.#parts.clock.monotonic() < this.#restUntil) return
    const full = [...this.#perReceiver].filter(([, count]) => count >= AT_ONCE_PER_RECEIVER).map(([name]) => name)
    const due = await this.#parts.database.read.callback.findMany({
      where: {
        deliveredAt: null,
        parkedAt: null,
        nextAttemptAt: { lte: new Date(this.#parts.clock.now()) },
        receiver: { notIn: full },
        resource: { notIn: [...this.#underWay.keys()] },
      },
      orderBy: [{ nextAttemptAt: 'asc' }, { id: 'asc' }],
      take: room,
    })
    const heads = await this.#oldestOf(due.map((callback) => callback.resource))
    let left = 0
    for (const callback of due) {
      if (this.#underWay.has(callback.resource) || heads.get(callback.resource) !== callback.id) continue
      if ((this.#perReceiver.get(callback.receiver) ?? 0) >= AT_ONCE_PER_RECEIVER) left += 1
      else this.#start(callback)
    }
    // Those of a receiver that is full by now may have hidden others.
    if (due.length === room && left > 0) this.#again = true
  }

  async #oldestOf(resources: readonly string[]): Promise<Map<string, number>> {
    if (resources.length === 0) return new Map()
    const groups = await this.#parts.database.read.callback.groupBy({
      by: ['resource'],
      where: { resource: { in: [...new Set(resources)] }, deliveredAt: null, parkedAt: null },
      _min: { id: true },
    })
    return new Map(groups.map((group) => [group.resource, group._min.id ?? 0]))
  }

  #start(callback: Callback): void {
    const { resource, receiver } = callback
    this.#perReceiver.set(receiver, (this.#perReceiver.get(receiver) ?? 0) + 1)
    const work = this.#deliver(callback).finally(() => {
      this.#underWay.delete(resource)
      const count = (this.#perReceiver.get(receiver) ?? 1) - 1
      if (count === 0) this.#perReceiver.delete(receiver)
      else this.#perReceiver.set(receiver, count)
      this.wake()
    })
    this.#underWay.set(resource, work)
  }

  async #deliver(callback: Callback): Promise<void> {
    try {
      const secrets = await this.#secretsOf(callback.projectId)
      const delivery = await deliverCallback(this.#parts.clock, this.#fetch, callback, secrets)
      await new Promise<void>((noted) => {
        this.#outcomes.push({ callback, delivery, noted })
        this.#noting ??= this.#note()
      })
    } catch (error) {
      this.#parts.logger.error({ err: error, callback: callback.messageId }, 'a callback could not be delivered')
    }
  }

  /** Writes down what became of deliveries, those that ended together in one commit. */
  async #note(): Promise<void> {
    while (this.#outcomes.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const outcomes = this.#outcomes.splice(0)
      try {
        await this.#write(outcomes)
      } catch (error) {
        // Not noted: they will be delivered once more, with the same webhook-id.
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
    const failed = outcomes.filter(({ delivery }) => !delivery.ok)
    await this.#parts.ledger.commit({
      write: async (tx) => {
        if (delivered.length > 0) {
          const data = { deliveredAt: new Date(now), nextAttemptAt: null, attempts: { increment: 1 }, lastError: '' }
          await tx.callback.updateMany({ where: { id: { in: delivered } }, data })
        }
        for (const { callback, delivery } of failed) {
          const pauseMs = delivery.ok || delivery.hopeless ? undefined : pauseAfter(callback.attempts)
          const nextAttemptAt = pauseMs === undefined ? null : new Date(now + pauseMs)
          const lastError = delivery.ok ? '' : delivery.reason.slice(0, 500)
          const parkedAt = nextAttemptAt === null ? new Date(now) : null
          const data = { attempts: { increment: 1 }, nextAttemptAt, parkedAt, lastError }
          await tx.callback.update({ where: { id: callback.id }, data })
          // Those behind it wait as long, or come first when it is parked.
          const behind = { resource: callback.resource, id: { gt: callback.id }, deliveredAt: null, parkedAt: null }
          await tx.callback.updateMany({ where: behind, data: { nextAttemptAt: nextAttemptAt ?? new Date(now) } })
        }
      },
    })
  }

  /** Wakes up when the next one is due, and now and then anyway. */
  async #arm(): Promise<void> {
    this.#cancel()
    if (this.#closed) return
    const { clock, database } = this.#parts
    const next = await database.read.callback
      .findFirst({
        where: { deliveredAt: null, parkedAt: null, nextAttemptAt: { gt: new Date(clock.now()) } },
        orderBy: { nextAttemptAt: 'asc' },
        select: { nextAttemptAt: true },
      })
      .catch(() => null)
    const due = (next?.nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now()
    const rest = this.#restUntil - clock.monotonic()
    const wait = rest > 0 ? rest : Math.min(EVERY_MS, due)
    if (!this.#closed) this.#cancel = clock.after(wait, () => this.wake())
  }
}

/** Undefined when the callback has had its three days. */
function pauseAfter(attempts: number): number | undefined {
  const pauseOf = (attempt: number) => PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0
  let spent = 0
  for (let attempt = 0; attempt <= attempts; attempt += 1) spent += pauseOf(attempt)
  return spent > THREE_DAYS_MS ? undefined : pauseOf(attempts)
}
