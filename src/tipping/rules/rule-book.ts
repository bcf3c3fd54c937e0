import type { CoreContext } from '../core/context.ts'
import type { Rule } from '../generated/client.ts'
import { recipeOf } from './match-rule.ts'
import type { Trigger } from './recipes.ts'

/** Known finished events are not looked up again; beyond this number, the oldest half is forgotten. */
const MAX_DONE = 50_000
/** Pause before a rule tries a failed payment again. */
const RETRY_MS = 3_600_000
/** A rule whose budget is spent tries nothing for so long. Its budget may come back: with a new month, and when a reward is denied. */
const REST_MS = 60_000

/**
 * The rules that may pay, in memory: they are compared with every message that is written. The database makes the
 * decisions about money. Another bot's writes are known after the next `load`.
 */
export class RuleBook {
  readonly #context: Pick<CoreContext, 'database' | 'clock'>
  #byGuild = new Map<string, readonly Rule[]>()
  /** By event, until when it needs no look-up; by the monotonic clock. */
  readonly #done = new Map<string, number>()
  /** By rule, until when it tries nothing; by the monotonic clock. */
  readonly #resting = new Map<string, number>()

  constructor(context: Pick<CoreContext, 'database' | 'clock'>) {
    this.#context = context
  }

  /** Reads them from the book: at the start, when one has changed, and now and then where other bots work on it. */
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

  /** Its budget is spent: what happens in the next minute is not looked at. */
  rest({ id }: Rule): void {
    this.#resting.set(id, this.#context.clock.monotonic() + REST_MS)
  }

  /** It was paid, or it could not be paid and may be tried again in an hour. */
  note({ id }: Rule, event: string, outcome: 'paid' | 'later'): void {
    if (this.#done.size >= MAX_DONE) {
      for (const key of [...this.#done.keys()].slice(0, MAX_DONE / 2)) this.#done.delete(key)
    }
    const until = outcome === 'paid' ? Number.POSITIVE_INFINITY : this.#context.clock.monotonic() + RETRY_MS
    this.#done.set(`${id} ${event}`, until)
  }

  /** A rule that is switched on pays for what it has only counted before, if it happens again. */
  forget(rule: string): void {
    this.#resting.delete(rule)
    for (const key of this.#done.keys()) if (key.startsWith(`${rule} `)) this.#done.delete(key)
  }
}
