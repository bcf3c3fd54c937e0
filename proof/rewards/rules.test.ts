import { describe, expect, it } from 'vitest'
import type { RuleEvent } from '../../src/tipping/tipping.ts'
import { type Bot, Bots } from '../../test/tipping/two-bots/bots.ts'
import { Chance } from '../world/chance.ts'
import { Community, GUILD, type Happening } from './community.ts'
import { type DayCap, Judge, type Terms } from './judge.ts'

/** The number of events that happen, and the seed that decides them. */
const EVENTS = Number(process.env.RULE_EVENTS ?? 5_000)
const SEED = process.env.RULE_SEED ?? '1'

const BATCH_SIZE = 500
/** How many bots die, even in a long run: each dead one is kept in memory to the end. */
const DEATHS = 150
const BETWEEN_MS = 60_000
const STEP_MS = 20_000
const POOL = 900_000
const CAPS: readonly DayCap[] = [
  { owner: 'senior', most: POOL },
  { owner: 'junior', most: 12 },
]
/** The rules, of which some have budgets small enough to be spent. */
const RULES: readonly Terms[] = [
  { recipe: 'good-post', owner: 'senior', amount: 1, budget: POOL },
  { recipe: 'daily-thanks', owner: 'senior', amount: 1, budget: POOL },
  { recipe: 'role-welcome', owner: 'senior', amount: 5, budget: 400 },
  { recipe: 'role-weekly', owner: 'senior', amount: 2, budget: POOL },
  { recipe: 'first-week', owner: 'senior', amount: 3, budget: 60 },
  { recipe: 'solved', owner: 'senior', amount: 2, budget: 50 },
  { recipe: 'bug-report', owner: 'junior', amount: 1, budget: POOL },
]

/**
 * A Discord server whose bots share one book, learn of its events, often several of the same event, and sometimes die
 * meanwhile.
 */
class Server {
  readonly bots: Bots
  readonly chance = new Chance(`rule events ${SEED}`)
  readonly community: Community
  readonly judge: Judge
  readonly ended = { events: 0, told: 0, deaths: 0, excluded: 0 }
  #cpuMs = 0

  constructor(bots: Bots) {
    this.bots = bots
    this.community = new Community(this.chance.child('community'), this.#now)
    this.judge = new Judge(this.community)
  }

  get #now(): number {
    return this.#bot.clock.now()
  }

  get #bot(): Bot {
    return this.bots.living[0] as Bot
  }

  get microsecondsForEach(): number {
    return Math.round((this.#cpuMs * 1_000) / this.ended.events)
  }

  async begin(): Promise<void> {
    const { bots } = this
    const { tipping } = this.#bot
    await bots.fund(this.#bot, 'giver', POOL)
    await tipping.pools.give({ guild: GUILD, member: 'giver', amount: 'all', origin: bots.origin() })
    for (const { owner, most } of CAPS) {
      await tipping.pools.budget({ guild: GUILD, member: 'owner', role: owner, amount: String(most), period: 'day' })
    }
    const change = { blockedRoles: ['banned'] }
    await tipping.preferences.changeServer({ guild: GUILD, member: 'owner', change })
    // A member who has changed a setting uses the bot, and is credited immediately.
    const chosen = { receipts: false, hidden: false }
    for (const { id: member } of this.community.people) await tipping.preferences.change({ member, change: chosen })
    for (const rule of RULES) {
      const { interaction } = bots.origin()
      const typed = { ...rule, amount: String(rule.amount), budget: String(rule.budget), member: rule.owner }
      const about = { guild: GUILD, role: 'regulars', reason: 'by rule', trial: false, interaction }
      const { id } = await tipping.rules.create({ ...typed, ...about })
      this.judge.rules.push({ ...rule, id, createdAtMs: this.#now })
    }
    await bots.pass(60_000)
  }

  /**
   * Makes `size` events happen. Repeats the events that a dead bot may have lost, as Discord does when a session is
   * resumed.
   */
  async live(size: number): Promise<void> {
    const happenings = Array.from({ length: size }, () => this.community.happens())
    const before = process.cpuUsage()
    if (await this.#tell(happenings)) await this.#tell(happenings, false)
    const { user, system } = process.cpuUsage(before)
    this.#cpuMs += (user + system) / 1_000
    for (const happening of happenings) this.judge.told(happening, this.#now)
    this.ended.events += size
    await this.bots.pass(BETWEEN_MS, this.bots.living, STEP_MS)
    if (this.chance.happens(0.2)) await this.#exclude()
    await this.bots.pass(STEP_MS, this.bots.living, STEP_MS)
  }

  /** Reports each event to some of the bots, and to some of these twice. Resolves to whether a bot died. */
  async #tell(happenings: readonly Happening[], mayDie = true): Promise<boolean> {
    const { chance, bots, ended } = this
    // Once at least, even in a short run whose payments may share one commit.
    const isFirst = ended.deaths === 0
    const dies = isFirst || chance.happens(Math.min(0.5, (DEATHS * BATCH_SIZE) / EVENTS))
    const doomed = mayDie && dies ? bots.living.at(-1) : undefined
    doomed?.dieAt(isFirst ? 1 : chance.between(1, 3), chance.one(['before', 'after']))
    const told = new Map<Bot, Promise<unknown>[]>(bots.living.map((bot) => [bot, []]))
    for (const happening of happenings) {
      const deliveries = chance.weighted({ 1: 60, 2: 30, 3: 10 })
      for (let i = 0; i < Number(deliveries); i += 1) {
        const [bot, heard] = chance.one([...told])
        heard.push(bot.tipping.rules.heard(eventOf(happening)))
        this.ended.told += 1
      }
    }
    // A dead bot answers nothing.
    await Promise.all([...told].map(([{ died }, heard]) => Promise.race([died, Promise.all(heard)])))
    // The bot dies while it pays, or not at all.
    doomed?.dieAt(Number.POSITIVE_INFINITY, 'before')
    if (doomed?.dead !== true) return false
    this.ended.deaths += 1
    await bots.join(doomed)
    await bots.idle()
    return true
  }

  /** Makes moderators exclude one more person, unless enough are excluded. */
  async #exclude(): Promise<void> {
    const { id } = this.chance.one(this.community.people)
    const { blockedMembers } = await this.#bot.tipping.preferences.inForce(GUILD)
    if (blockedMembers.length >= 20 || blockedMembers.includes(id)) return
    const change = { blockedMembers: [...blockedMembers, id] }
    await this.#bot.tipping.preferences.changeServer({ guild: GUILD, member: 'owner', change })
    this.judge.excluded(id, this.#now)
    this.ended.excluded += 1
  }
}

function eventOf({ person, what }: Happening): RuleEvent {
  const { id, bot, ...facts } = person
  return {
    ...{ guild: GUILD, channel: 'channel', locale: 'en', recipient: { id, bot }, what },
    facts: async () => facts,
    // Each owner's role has the owner's name.
    moderator: async (owner) => [owner],
  }
}

describe('rules that pay rewards', () => {
  it('pay at most once per event, stay within budgets, and never pay excluded members', {
    timeout: 86_400_000,
  }, async () => {
    const bots = await Bots.open(2)
    try {
      const server = new Server(bots)
      await server.begin()
      const began = performance.now()
      while (server.ended.events < EVENTS) {
        await server.live(Math.min(BATCH_SIZE, EVENTS - server.ended.events))
        if (server.ended.events % 20_000 === 0) console.log(server.ended, `${server.microsecondsForEach} µs each`)
      }
      const seconds = Math.round((performance.now() - began) / 1_000)
      const paid = await server.judge.compare(bots.database, CAPS)
      const microseconds = server.microsecondsForEach
      console.log({ seed: SEED, seconds, paid, ...server.ended, 'processor time for each, in µs': microseconds })
      expect(paid).toBeGreaterThan(EVENTS / 100)
      expect(server.ended.deaths).toBeGreaterThan(0)
    } finally {
      await bots.close()
    }
  })
})
