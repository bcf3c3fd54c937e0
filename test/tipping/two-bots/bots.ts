import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { expect } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { createPaymentsClient } from '../../../src/payments-api/payments-api.ts'
import type { TippingDatabase } from '../../../src/tipping/core/database.ts'
import { createTipping } from '../../../src/tipping/create-tipping.ts'
import type { Origin, Tipping } from '../../../src/tipping/tipping.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { onPostgres } from '../../support/postgres/databases.ts'
import { serversAnswered } from '../../support/postgres/pending.ts'
import { expectProvenTipping } from '../../support/proven-books.ts'
import { ScriptedProvider } from '../../support/scripted-provider.ts'
import { warmTippingDatabase } from '../../support/warm-databases.ts'

/** One of the bots on the book: a process with its own clocks. */
export interface Bot {
  readonly tipping: Tipping
  readonly clock: ManualClock
  /** The provider's operations that the bot has called. */
  readonly asked: readonly string[]
  /** Runs after each commit of this bot, before the bot learns of it. */
  afterCommit: () => unknown
  /** Makes the bot stop at its n-th commit from now on, as if by SIGKILL, either before or after that commit. */
  dieAt(commit: number, moment: 'before' | 'after'): void
  kill(): void
  readonly dead: boolean
  readonly died: Promise<void>
  /** The bot's id in the book. */
  readonly id: string
}

const CALLBACKS = 'http://callbacks.test/'

/**
 * Bots on one book, with one provider. Time passes only for those that live: a bot that is left out is dead or frozen.
 * On PostgreSQL each has its own connections; on SQLite they share one, so that nothing here depends on the engine's
 * locks.
 */
export class Bots {
  readonly provider = new ScriptedProvider()
  readonly all: Bot[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'bots-'))
  readonly #databases: TippingDatabase[] = []
  readonly #sweepEveryMs: number
  #interactions = 0
  /** The calls that have no answer yet, newest last. */
  readonly #calls = new Map<string, string>()
  readonly #held = new Set<string>()

  private constructor(sweepEveryMs: number) {
    this.#sweepEveryMs = sweepEveryMs
  }

  /**
   * Opens a book with this many running bots. The provider's wallet holds 1,000,000 sats, all of them the operator's.
   */
  static async open(bots = 2, { sweepEveryMs = 60 * 60_000 } = {}): Promise<Bots> {
    const world = new Bots(sweepEveryMs)
    await world.provider.up()
    world.provider.wallet = 1_000_000_000n
    for (let i = 0; i < bots; i += 1) await world.join()
    await world.idle()
    return world
  }

  get database(): TippingDatabase {
    return this.#databases[0] as TippingDatabase
  }

  get living(): Bot[] {
    return this.all.filter(({ dead }) => !dead)
  }

  /**
   * Starts another bot on the book; `dead` is the bot that the new one knows to be dead, because it has the dead bot's
   * folder.
   */
  async join(dead?: Bot): Promise<Bot> {
    const name = this.all.length
    const asked: string[] = []
    const clock = new ManualClock(this.all[0]?.clock.now())
    this.provider.now = () => (this.living[0] ?? { clock }).clock.now()
    const database = await this.#connect()
    const agent = new Agent({ pipelining: 1, connections: 64 })
    const life = new Life(() => {
      void agent.destroy()
      this.#forgetCalls(name)
    })
    const payments = createPaymentsClient({
      dispatcher: agent,
      baseUrl: this.provider.baseUrl,
      apiKey: 'key',
      clock,
      replaysKeys: () => true,
      observe: (event) => {
        // What a dead one still asks for has no answer, and is tried again by a clock that stands still.
        if (life.dead) return
        const call = `${name} ${event.exchange}`
        if (event.kind === 'call') {
          asked.push(event.operation)
          this.#calls.set(call, event.operation)
        } else {
          this.#calls.delete(call)
          this.#held.delete(call)
        }
      },
    })
    const tipping = await createTipping({
      database: life.of(database),
      lastOwner: { id: dead?.id, note: (id) => Object.assign(life, { id }) },
      payments,
      replaysKeys: () => true,
      stillReplays: async () => true,
      clock,
      entropy: systemEntropy,
      logger: silentLogger,
      outgoingAllowLoopback: true,
      settings: {
        callbackUrl: (token) => CALLBACKS + token,
        payoutTimeoutMs: 0,
        closeTimeoutMs: 0,
        sweepEveryMs: this.#sweepEveryMs,
        auditEveryMs: 10 * 365 * 24 * 3_600_000,
      },
    })
    const bot: Bot = Object.assign(life, { tipping, clock, asked })
    this.all.push(bot)
    return bot
  }

  /** Lets time pass for these bots, in steps, in each of which they can read, write, make calls and receive answers. */
  async pass(ms: number, living: readonly Bot[] = this.living, stepMs = 2_500): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      for (const { clock } of living) await clock.advance(Math.min(stepMs, ms - passed))
      await this.idle()
    }
  }

  /** Waits until all started work has ended, or waits for the clock or for a held call. */
  async idle(): Promise<void> {
    for (let turns = 0; turns < 25; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if ((await serversAnswered()) || this.#calls.size > this.#held.size) turns = 0
    }
  }

  /** Makes the next call of this operation wait until it is released. */
  hold(operation: string, then: () => void = () => {}): { asked: Promise<void>; letGo: () => void } {
    const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = async () => {
      const call = [...this.#calls].findLast(([, named]) => named === operation)?.[0] ?? ''
      this.#held.add(call)
      asked.resolve()
      await gone.promise
      this.#held.delete(call)
      then()
    }
    this.provider.misbehave(operation, { before })
    return { asked: asked.promise, letGo: gone.resolve }
  }

  /** Ends the work that a dead bot had started. */
  async endOf(bot: Bot): Promise<void> {
    bot.kill()
    await this.idle()
  }

  origin(interaction?: string): Origin {
    this.#interactions += 1
    return {
      interaction: interaction ?? `interaction-${this.#interactions}`,
      guild: 'guild',
      channel: 'channel',
      reply: 'reply',
      locale: 'en',
    }
  }

  tip({ tipping }: Bot, from: string, to: string, amount: string, interaction?: string) {
    const recipients = [{ id: to, bot: false }]
    return tipping.tips.send({ from, to: recipients, amount, origin: this.origin(interaction) })
  }

  /** Gives a member this many sats through a deposit at one of the bots. */
  async fund(bot: Bot, member: string, sats: number): Promise<void> {
    const deposit = await bot.tipping.deposits.open({ member, amount: String(sats), origin: this.origin() })
    const charge = this.provider.chargeOf(deposit.request)
    this.provider.payCharge(charge.id)
    await bot.tipping.hint(this.token(charge.callbackUrl))
    await this.pass(10_000)
    expect(await this.available(member)).toBe(BigInt(sats) * 1_000n)
  }

  async linked({ tipping }: Bot, member: string): Promise<string> {
    const id = this.provider.user(`${member}-tag`)
    await tipping.links.link({ member, gamertag: `${member}-tag`, origin: this.origin() })
    return id
  }

  token(callbackUrl: string): string {
    return callbackUrl.slice(CALLBACKS.length)
  }

  async available(member: string): Promise<bigint> {
    return (await (this.living[0] as Bot).tipping.balances.view(member)).available
  }

  payout(member: string) {
    return this.database.read.payout.findFirstOrThrow({ where: { member }, orderBy: { createdAt: 'desc' } })
  }

  /** Proves the book, alone and against the wallet, and closes everything. */
  async close(): Promise<void> {
    const [last] = this.living
    if (last !== undefined) expect((await last.tipping.audit()).faults).toEqual([])
    for (const bot of this.all) {
      bot.kill()
      void bot.tipping.close()
    }
    await this.provider.down()
    await expectProvenTipping(this.database)
    for (const database of this.#databases) await database.close()
    rmSync(this.#folder, { recursive: true })
  }

  #forgetCalls(bot: number): void {
    for (const calls of [this.#calls, this.#held]) {
      for (const call of calls.keys()) if (call.startsWith(`${bot} `)) calls.delete(call)
    }
  }

  async #connect(): Promise<TippingDatabase> {
    const [shared] = this.#databases
    if (shared !== undefined && !onPostgres()) return shared
    const database = await warmTippingDatabase(join(this.#folder, 'tipping.sqlite'))
    this.#databases.push(database)
    return database
  }
}

/** The life of one bot, as far as its writes show it. A dead bot receives no more answers. */
class Life {
  id = ''
  afterCommit: () => unknown = () => {}
  dead = false
  readonly #ended = Promise.withResolvers<void>()
  readonly died = this.#ended.promise
  readonly #end: () => void
  #death: { commits: number; readonly moment: 'before' | 'after' } | undefined

  constructor(end: () => void) {
    this.#end = end
  }

  dieAt(commit: number, moment: 'before' | 'after'): void {
    this.#death = { commits: commit, moment }
  }

  kill(): void {
    if (this.dead) return
    this.dead = true
    this.#ended.resolve()
    this.#end()
  }

  of(database: TippingDatabase): TippingDatabase {
    const silence = new Promise<never>(() => undefined)
    const commit = async (run: () => Promise<unknown>): Promise<unknown> => {
      const death = this.#death
      const last = death !== undefined && --death.commits === 0
      if (last && death.moment === 'before') this.kill()
      if (this.dead) return silence
      // Also where it was refused: there is no other commit of this number.
      const end = await Promise.allSettled([run()])
      if (last) this.kill()
      if (this.dead) return silence
      const [outcome] = end
      if (outcome.status === 'rejected') throw outcome.reason
      await this.afterCommit()
      return outcome.value
    }
    const write = new Proxy(database.write, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== '$transaction') return value
        return (...args: unknown[]) => commit(() => Reflect.apply(value, target, args))
      },
    })
    const writeRaw = ((...args) => commit(() => database.writeRaw(...args))) as TippingDatabase['writeRaw']
    return { ...database, write, writeRaw }
  }
}
