import type { CoreContext } from '../core/context.ts'
import type { Rule } from '../generated/client.ts'
import { recipeOf } from './match-rule.ts'
import type { Trigger } from './recipes.ts'

/** The most finished events that are remembered without a look-up. Beyond this number, the oldest half is dropped. */
const MAX_DONE = 50_000
/** The pause before a rule tries a failed payment again. */
const RETRY_MS = 3_600_000
/**
 * How long a rule with a spent budget makes no attempts. The budget is restored in a new month, or in part when a
 * reward is denied.
 */
const REST_MS = 60_000

/**
 * Holds in memory the rules that may pay, because every written message is compared with them. Decisions about money
 * are made in the database. Another bot's changes appear at the next `load`.
 */
export class RuleBook {
  readonly #context: Pick<CoreContext, 'database' | 'clock'>
  #byGuild = new Map<string, readonly Rule[]>()
  /** For each event, the monotonic time until which it needs no look-up. */
  readonly #done = new Map<string, number>()
  /** For each rule, the monotonic time until which it makes no attempts. */
  readonly #resting = new Map<string, number>()

  constructor(context: Pick<CoreContext, 'database' | 'clock'>) {
    this.#context = context
  }

  /** Reads the rules from the book: at the start, after a change, and at intervals if other bots use the book. */
  async load(): Promise<void> {
    const rules = await this.#context.database.read.rule.findMany({ where: { state: { in: ['trial', 'on'] } } })
    this.#byGuild = Map.groupBy(rules, ({ guild }) => guild)
  }

  of(guild: string): readonly Rule[] {
    return this.#byGuild.get(guild) ?? []
  }

  watches(guild: string, trigger: Trigger): boolean {
    return this.of(guild).some((rule) => recipeOf(rule).trigger === trigger)
  }

  isDone({ id }: Rule, event: string): boolean {
    const until = Math.max(this.#done.get(`${id} ${event}`) ?? 0, this.#resting.get(id) ?? 0)
    return until > this.#context.clock.monotonic()
  }

  /** Notes that a rule's budget is spent, so that events in the next minute are ignored. */
  rest({ id }: Rule): void {
    this.#resting.set(id, this.#context.clock.monotonic() + REST_MS)
  }

  /** Notes that a rule has paid for an event, or that the payment failed and may be tried again in an hour. */
  note({ id }: Rule, event: string, outcome: 'paid' | 'later'): void {
    if (this.#done.size >= MAX_DONE) {
      for (const key of [...this.#done.keys()].slice(0, MAX_DONE / 2)) this.#done.delete(key)
    }
    const until = outcome === 'paid' ? Number.POSITIVE_INFINITY : this.#context.clock.monotonic() + RETRY_MS
    this.#done.set(`${id} ${event}`, until)
  }

  /**
   * Forgets the events that a rule has only counted. Once switched on, the rule pays if such an event happens again.
   */
  forget(rule: string): void {
    this.#resting.delete(rule)
    for (const key of this.#done.keys()) if (key.startsWith(`${rule} `)) this.#done.delete(key)
  }
}
