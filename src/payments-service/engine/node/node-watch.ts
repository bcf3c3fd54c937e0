import { cached } from '../../../lib/cached.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import { type RoundWorker, startWorker } from '../../../lib/worker.ts'
import type { LightningBackend, NodeBalances, NodeHealth } from '../../backends/backend.ts'
import type { TellOperators } from '../../core/operator-alerts.ts'

/** How often the node is checked while nobody requests its state. */
const EVERY_MS = 30_000
/** The shortest time between two requests to the node. */
const CACHE_TTL_MS = 1_000
/** How long the node may take to report its health before it counts as unreachable. */
const HEALTH_TIMEOUT_MS = 2_000
const BALANCES_TIMEOUT_MS = 5_000
/**
 * How long a node must be unready before operators are alerted, longer than a restart takes; and the time between
 * alerts.
 */
const ALERT_AFTER_MS = 120_000
const ALERT_AGAIN_AFTER_MS = 3_600_000

/** The last report from the node. */
export interface NodeView {
  readonly health: NodeHealth
  /** The last known balances; undefined until they are known. */
  readonly balances: NodeBalances | undefined
  /** When the node last answered properly, in monotonic milliseconds; the start time if it never did. */
  readonly answeredAt: number
  /** The time of this report, in monotonic milliseconds. */
  readonly at: number
}

export interface NodeWatchParts {
  readonly backend: Pick<LightningBackend, 'health' | 'balances'>
  readonly clock: Clock
  readonly logger: Logger
  readonly tell: TellOperators
}

const AWAY: NodeHealth = { state: 'away', reason: 'The Lightning node does not answer. Check whether it runs.' }

/** Watches the node: its state, its balances, and how long it has been silent. Reports an outage. */
export class NodeWatch {
  readonly #parts: NodeWatchParts
  readonly #startedAt: number
  readonly #look: () => Promise<NodeView>
  #last: NodeView | undefined
  #worker: RoundWorker | undefined
  /**
   * Since when (monotonic milliseconds) the node has not been ready, and when operators were last alerted; undefined
   * while it is ready.
   */
  #outage: { readonly since: number; toldAt: number | undefined } | undefined

  constructor(parts: NodeWatchParts) {
    this.#parts = parts
    this.#startedAt = parts.clock.monotonic()
    this.#look = cached({ clock: parts.clock, ttlMs: CACHE_TTL_MS, maxKeys: 1, read: () => this.#ask() })
  }

  /** Starts checking the node regularly. */
  start(): void {
    const { clock, logger } = this.#parts
    const failed = (error: unknown) => logger.error({ err: error }, 'the node could not be checked')
    this.#worker = startWorker({ clock, round: () => this.look(), pauseMs: EVERY_MS, failed })
    this.#worker.wakeIn(0)
  }

  /** Returns the node's state, at most a second old. Never throws. */
  look(): Promise<NodeView> {
    return this.#look()
  }

  /** The last report; undefined before the first check. */
  get last(): NodeView | undefined {
    return this.#last
  }

  /**
   * Returns the last report if it says that the node is ready and is at most `maxAgeMs` old; otherwise works like
   * `look`.
   */
  async recent(maxAgeMs = EVERY_MS): Promise<NodeView> {
    const last = this.#last
    if (last?.health.state === 'ready' && this.#parts.clock.monotonic() - last.at <= maxAgeMs) return last
    return await this.look()
  }

  async close(): Promise<void> {
    await this.#worker?.close()
  }

  async #ask(): Promise<NodeView> {
    const { backend, clock } = this.#parts
    const health = await this.#within(HEALTH_TIMEOUT_MS, backend.health(), AWAY)
    const isReady = health.state === 'ready'
    const balances = isReady ? await this.#within(BALANCES_TIMEOUT_MS, backend.balances(), undefined) : undefined
    const at = clock.monotonic()
    this.#last = {
      health,
      balances: balances ?? this.#last?.balances,
      answeredAt: isReady ? at : (this.#last?.answeredAt ?? this.#startedAt),
      at,
    }
    this.#followOutage(health)
    return this.#last
  }

  #followOutage(health: NodeHealth): void {
    const { clock, tell } = this.#parts
    const now = clock.monotonic()
    if (health.state === 'ready') {
      const { since, toldAt } = this.#outage ?? {}
      this.#outage = undefined
      if (since === undefined || toldAt === undefined) return
      tell({ alert: 'node_back', text: `The Lightning node is back after ${minutes(now - since)}.` })
      return
    }
    this.#outage ??= { since: now, toldAt: undefined }
    const { since, toldAt } = this.#outage
    if (toldAt === undefined ? now - since < ALERT_AFTER_MS : now - toldAt < ALERT_AGAIN_AFTER_MS) return
    this.#outage.toldAt = now
    const text = `For ${minutes(now - since)} the Lightning node cannot be used, and nothing can be paid in or out. ${health.reason}`
    tell({ alert: 'node_away', text, fields: { state: health.state } })
  }

  /** Awaits an answer for at most `ms`. Resolves to `late` if the answer fails or takes longer. */
  #within<Told, Late>(ms: number, asked: Promise<Told>, late: Late): Promise<Told | Late> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, () => resolve(late))
      asked.then(resolve, () => resolve(late)).finally(cancel)
    })
  }
}

function minutes(ms: number): string {
  const count = Math.round(ms / 60_000)
  return count === 1 ? '1 minute' : `${count} minutes`
}
