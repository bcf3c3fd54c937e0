import { expect } from 'vitest'
import { msats } from '../../src/lib/money/amount.ts'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'
import type { RecipeName } from '../../src/tipping/tipping.ts'
import { type Community, type Happening, mayBePaid, type Person } from './community.ts'

const DAY_MS = 24 * 3_600_000

/** A rule's terms, as its moderator typed them. */
export interface Terms {
  readonly recipe: RecipeName
  readonly owner: string
  readonly amount: number
  readonly budget: number
}

export interface MadeRule extends Terms {
  readonly id: string
  readonly createdAtMs: number
}

/** A cap on what the rules of an owner give in a day, in sats. */
export interface DayCap {
  readonly owner: string
  readonly most: number
}

/**
 * The judge of rewards by rules, who is told of the events and of who was excluded when, and uses nothing of the
 * product. It reads the payments from the book, and checks that nothing is paid twice, above a budget, or to an
 * excluded person.
 */
export class Judge {
  readonly rules: MadeRule[] = []
  readonly #community: Community
  readonly #excludedSinceMs = new Map<string, number>()
  /** Messages with a medal, for each of which a reward must finally have been paid. */
  readonly #due = new Set<string>()

  constructor(community: Community) {
    this.#community = community
  }

  excluded(person: string, atMs: number): void {
    this.#excludedSinceMs.set(person, atMs)
  }

  /** Notes that an event was reported to a bot that survived it. */
  told({ person, what }: Happening, atMs: number): void {
    if (what.kind !== 'reaction' || what.emoji !== '🏅' || what.by === person.id) return
    if (mayBePaid(person, atMs) && !this.#excludedSinceMs.has(person.id)) this.#due.add(what.message)
  }

  /** Compares the book with the events; rejects at the first fault. Resolves to the number of rewards. */
  async compare(database: TippingDatabase, caps: readonly DayCap[]): Promise<number> {
    const rewards = await this.#rewards(database)
    const seen = new Set<string>()
    const spent = new Map<string, bigint>()
    const got = new Map<string, bigint>()
    for (const reward of rewards) {
      const { rule, recipient, amount, createdAtMs } = reward
      const key = `${rule.recipe} ${this.#entitled(reward)}`
      expect(seen.has(key), `${key} is paid twice`).toBe(false)
      seen.add(key)
      expect(amount, key).toBe(msats(rule.amount * 1_000))
      const at = new Date(createdAtMs).toISOString()
      add(spent, `${rule.id} ${at.slice(0, 7)}`, amount)
      add(spent, `${rule.owner} ${at.slice(0, 10)}`, amount)
      add(got, recipient, amount)
    }
    for (const rule of this.rules) mustKeepTo(spent, rule.id, rule.budget)
    for (const { owner, most } of caps) mustKeepTo(spent, owner, most)
    for (const message of this.#due) expect(seen.has(`good-post ${message}`), `${message} is not paid`).toBe(true)
    await this.#compareBalances(database, got)
    return rewards.length
  }

  async #rewards({ read }: TippingDatabase) {
    const [rewards, entries] = await Promise.all([
      read.reward.findMany({ where: { rule: { not: null } } }),
      read.moderationLogEntry.findMany({ where: { action: 'reward' } }),
    ])
    const told = entries.map(({ about }) => JSON.parse(about) as { reward: string; event: string })
    const events = new Map(told.map(({ reward, event }) => [reward, event]))
    return rewards.map(({ id, rule: of, recipient, amount, createdAt }) => {
      const rule = this.rules.find((each) => each.id === of)
      const person = this.#community.people.find((each) => each.id === recipient)
      if (rule === undefined || person === undefined) throw new Error(`${recipient} is paid by the rule ${of}`)
      return { rule, person, recipient, amount, createdAtMs: createdAt.getTime(), event: events.get(id) ?? '' }
    })
  }

  /**
   * Returns a text that identifies the event for which a reward may be paid once. Throws if the recipient must not be
   * paid.
   */
  #entitled(reward: { rule: MadeRule; person: Person; createdAtMs: number; event: string }): string {
    const { rule, person, createdAtMs: atMs, event } = reward
    const what = `${rule.recipe} pays ${person.id} for ${event}`
    expect(mayBePaid(person, atMs), what).toBe(true)
    expect(this.#excludedSinceMs.get(person.id) ?? Number.POSITIVE_INFINITY, what).toBeGreaterThan(atMs)
    const period = (days: number) => `${person.id} ${Math.floor((atMs - rule.createdAtMs) / (days * DAY_MS))}`
    switch (rule.recipe) {
      case 'role-welcome':
      case 'role-weekly':
        expect(person.roles, what).toContain('regulars')
        return rule.recipe === 'role-weekly' ? period(7) : person.id
      case 'first-week': {
        const reachedMs = person.memberSince.getTime() + 7 * DAY_MS
        expect(reachedMs, what).toBeLessThanOrEqual(atMs)
        expect(reachedMs, what).toBeGreaterThanOrEqual(rule.createdAtMs)
        return person.id
      }
      case 'daily-thanks':
        return period(1)
      default:
        expect(this.#community.authors.get(event), what).toBe(person)
        return event
    }
  }

  /** Checks that people's balances are the sums of their rewards, which reveals any other fault. */
  async #compareBalances({ read }: TippingDatabase, got: ReadonlyMap<string, bigint>): Promise<void> {
    const accounts = await read.account.findMany({ where: { kind: 'member', owner: { startsWith: 'person-' } } })
    const balances = accounts.filter(({ balance }) => balance !== 0n).map(({ owner, balance }) => [owner, balance])
    expect(Object.fromEntries(balances)).toEqual(Object.fromEntries(got))
  }
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

/** Checks that at most `most` sats were spent in each period. */
function mustKeepTo(spent: ReadonlyMap<string, bigint>, whose: string, most: number): void {
  for (const [key, sum] of spent) {
    if (key.startsWith(`${whose} `)) expect(sum, `${key} gave more than ${most} sats`).toBeLessThanOrEqual(most * 1_000)
  }
}
