import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { expect } from 'vitest'
import { createReplayKnowledge } from '../../src/assembly/replay-knowledge.ts'
import { type Entropy, systemEntropy } from '../../src/lib/entropy.ts'
import type { Network } from '../../src/lib/lightning/bolt11.ts'
import { type Logger, silentLogger } from '../../src/lib/logger.ts'
import type { BeaconChain } from '../../src/lib/proofs/beacon.ts'
import { createPaymentsClient } from '../../src/payments-api/payments-api.ts'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'
import type { TippingSettings } from '../../src/tipping/core/settings.ts'
import { createTipping } from '../../src/tipping/create-tipping.ts'
import type { Origin, Tipping } from '../../src/tipping/tipping.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { serversAnswered } from '../support/postgres/pending.ts'
import { expectProvenTipping } from '../support/proven-books.ts'
import { expectReturnsInLog } from '../support/returns-in-log.ts'
import { type Fault, type ProviderAbilities, ScriptedProvider } from '../support/scripted-provider.ts'
import { type ScriptedWallet, ScriptedWallets } from '../support/scripted-wallets.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

export interface WorldOptions extends Partial<ProviderAbilities> {
  readonly settings?: Partial<TippingSettings>
  readonly wallet?: bigint
  readonly apiKey?: string
  /** The address of a source of prices in other currencies. */
  readonly ratesUrl?: string
  /** The address of a source of public beacons, and their chain. */
  readonly drandUrl?: string
  readonly beaconChain?: BeaconChain
  /** Whether the provider cannot report its wallet's balance, from before the first start on. */
  readonly walletUnread?: boolean
  /** Whether the bot itself finds out whether the provider replays keys, as in production. */
  readonly learnsOfReplays?: boolean
  /** Whether started bots work on the book together; otherwise each takes over from the previous one. */
  readonly besideOthers?: boolean
  /** Whether the setting that declares the book new is missing. */
  readonly newBookUnsaid?: boolean
  /** Whether members can connect wallets, which `world.wallets` creates. */
  readonly ownWallets?: boolean
  /** The logger that receives the bot's lines. */
  readonly logger?: Logger
}

const CALLBACKS = 'http://callbacks.test/'
const LAST_HOUR_MS = 3_600_000
/** The number of turns of the event loop without an answer after which a bot counts as waiting for the clock. */
const QUIET_TURNS = 25

/**
 * A bot's tipping on its own database, a provider that can be made to misbehave, and a clock that stands still.
 */
export class TippingWorld {
  readonly provider: ScriptedProvider
  readonly clock = new ManualClock()
  readonly wallets = new ScriptedWallets(this.clock)
  readonly #folder = mkdtempSync(join(tmpdir(), 'tipping-'))
  readonly #options: WorldOptions
  readonly #entropy: Entropy = systemEntropy
  readonly #left: Tipping[] = []
  readonly #agents: Agent[] = []
  #closing: Promise<void> | undefined
  #interactions = 0
  #exchanges = 0
  /** The number of queries by a bot to its database. */
  #questions = 0
  /** The number of bots that were started after a death. */
  #rebirths = 0
  #death: { commits: number; moment: 'before' | 'after'; died: () => void } | undefined
  #apiKey: string
  /** Whether the bot uses another provider, which has no records of it. */
  #elsewhere = false
  /** Resolves once the provider has said whether it replays keys. */
  askedForReplays: () => Promise<void> = async () => {}
  /** Whether the bot believes that the provider replays keys. */
  replays: boolean
  failCommits = 0
  /**
   * The function that runs once, just before the next commit of any bot. That bot waits, so the function must act
   * through another one.
   */
  beforeNextCommit: (() => Promise<unknown>) | undefined
  /** The network of the provider's sats, as the bot learns it at its next start. */
  network: Network | undefined
  /** The faults that a test leaves on purpose. */
  excused: RegExp | undefined
  tipping!: Tipping
  database!: TippingDatabase

  private constructor(options: WorldOptions) {
    this.#options = options
    this.#apiKey = options.apiKey ?? 'key'
    this.provider = new ScriptedProvider(options)
    this.provider.wallet = options.wallet ?? 0n
    this.provider.now = () => this.clock.now()
    this.replays = this.provider.abilities.replays
  }

  /** The book's file. */
  get file(): string {
    return `${this.#folder}/tipping.sqlite`
  }

  static async open(options: WorldOptions = {}): Promise<TippingWorld> {
    const world = new TippingWorld(options)
    closeAfterTest(world)
    await world.provider.up()
    if (options.walletUnread) world.provider.misbehave('getWallet', ...Array<Fault>(300).fill('error'))
    world.database = await warmTippingDatabase(`${world.#folder}/tipping.sqlite`)
    await world.start()
    await world.settle()
    return world
  }

  /** Makes the process die just before or just after its n-th commit from now on becomes durable. */
  dieAtCommit(n: number, moment: 'before' | 'after'): Promise<void> {
    const died = Promise.withResolvers<void>()
    this.#death = { commits: n, moment, died: died.resolve }
    return died.promise
  }

  /** Starts another bot after a death. */
  async reborn(): Promise<void> {
    this.#death = undefined
    this.#rebirths += 1
    await this.#agents.pop()?.destroy()
    this.#left.pop()
    await this.start()
  }

  /**
   * A bot's database, whose writing side fails, or dies with its process, as the test decides. A dead process receives
   * no more answers.
   */
  #crashing(database: TippingDatabase): TippingDatabase {
    const silence = new Promise<never>(() => undefined)
    let dead = false
    const commit = async (run: () => Promise<unknown>): Promise<unknown> => {
      this.#questions += 1
      const meanwhile = this.beforeNextCommit
      this.beforeNextCommit = undefined
      await meanwhile?.()
      if (this.failCommits > 0) {
        this.failCommits -= 1
        throw new Error('database or disk is full')
      }
      const death = this.#death
      const last = death !== undefined && --death.commits === 0
      if (last && death.moment === 'before') dead = true
      if (dead) {
        death?.died()
        return silence
      }
      const result = await run()
      if (!last) return result
      dead = true
      death.died()
      return silence
    }
    const write = new Proxy(database.write, {
      get: (target, name) => {
        this.#questions += 1
        const value = Reflect.get(target, name)
        if (name !== '$transaction') return value
        return (...args: unknown[]) => (dead ? silence : commit(() => Reflect.apply(value, target, args)))
      },
    })
    const raw = (...args: Parameters<TippingDatabase['writeRaw']>) => commit(() => database.writeRaw(...args))
    const writeRaw = ((...args) => (dead ? silence : raw(...args))) as TippingDatabase['writeRaw']
    const [read, readRaw] = [this.#counting(database.read), this.#counting(database.readRaw)]
    return { ...database, read, readRaw, write, writeRaw }
  }

  /** Returns a reading side of a bot's database that counts its uses. */
  #counting<Side extends object>(side: Side): Side {
    return new Proxy(side, {
      get: (target, name) => {
        this.#questions += 1
        return Reflect.get(target, name)
      },
    })
  }

  /** Starts a bot. A previous bot, if any, keeps running, as after a network split. */
  async start(settings: Partial<TippingSettings> = {}): Promise<Tipping> {
    const agent = new Agent({ pipelining: 1, connections: 64 })
    const logger = this.#options.logger ?? silentLogger
    const replays = createReplayKnowledge({ clock: this.clock, entropy: this.#entropy, logger })
    const learns = this.#options.learnsOfReplays === true
    const replaysKeys = () => (learns ? replays.known() : this.replays)
    const payments = createPaymentsClient({
      dispatcher: agent,
      baseUrl: this.provider.baseUrl + (this.#elsewhere ? '/elsewhere' : ''),
      apiKey: this.#apiKey,
      clock: this.clock,
      replaysKeys,
      observe: (event) => {
        this.#exchanges += event.kind === 'call' ? 1 : -1
      },
    })
    this.#agents.push(agent)
    if (learns) await this.run(replays.learn(payments))
    const opening = createTipping({
      database: this.#crashing(this.database),
      alone: this.#options.besideOthers !== true,
      isSaidToBeNew: () => this.#options.newBookUnsaid !== true,
      payments,
      replaysKeys,
      stillReplays: async () => this.replays && this.provider.abilities.replays,
      askedForReplays: () => this.askedForReplays(),
      ...(learns && {
        stillReplays: replays.confirm,
        askedForReplays: replays.asked,
        takeUpReplayKeys: replays.takeUp,
      }),
      clock: this.clock,
      entropy: this.#entropy,
      logger,
      ...{ ratesUrl: this.#options.ratesUrl, drandUrl: this.#options.drandUrl },
      ...(this.#options.beaconChain && { beaconChain: this.#options.beaconChain }),
      outgoingAllowLoopback: true,
      network: this.network,
      ...(this.#options.ownWallets && { ownWallets: this.wallets }),
      settings: {
        callbackUrl: (token) => CALLBACKS + token,
        payoutTimeoutMs: 60_000,
        closeTimeoutMs: 0,
        sweepEveryMs: 60 * 60_000,
        noticeEveryMs: 60 * 60_000,
        noteActiveEveryMs: 10 * 365 * 24 * 3_600_000,
        auditEveryMs: 10 * 365 * 24 * 3_600_000,
        ...this.#options.settings,
        ...settings,
      },
    })
    const tipping = learns ? await this.run(opening) : await opening
    const close = () => tipping.close().finally(replays.close)
    this.tipping = Object.assign(Object.create(tipping) as Tipping, { close })
    this.#left.push(this.tipping)
    return this.tipping
  }

  /** Stops the bot immediately, whatever it is doing, and starts another on the same database. */
  async restart(options: { apiKey?: string; elsewhere?: boolean } = {}): Promise<void> {
    await Promise.all([this.tipping.close(), this.#agents.pop()?.destroy()])
    this.#apiKey = options.apiKey ?? this.#apiKey
    this.#elsewhere = options.elsewhere ?? this.#elsewhere
    await this.start()
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

  tip(from: string, to: string | readonly string[], amount: string, interaction?: string) {
    const recipients = (typeof to === 'string' ? [to] : to).map((id) => ({ id, bot: id.startsWith('bot') }))
    return this.tipping.tips.send({ from, to: recipients, amount, origin: this.origin(interaction) })
  }

  /** Opens a deposit, pays it from outside, and delivers the callback. */
  async fund(member: string, sats: number): Promise<void> {
    const deposit = await this.tipping.deposits.open({ member, amount: String(sats), origin: this.origin() })
    const charge = this.provider.chargeOf(deposit.request)
    this.provider.payCharge(charge.id)
    await this.tipping.hint(this.token(charge.callbackUrl))
    await this.settle()
  }

  /** Links a member to a new gamertag wallet; resolves to the provider's user id. */
  async linked(member: string): Promise<string> {
    const id = this.provider.user(`${member}-tag`)
    await this.tipping.links.link({ member, gamertag: `${member}-tag`, origin: this.origin() })
    return id
  }

  /** Connects a wallet of this name to the member of this name. */
  async connected(member: string, change: Partial<Pick<ScriptedWallet, 'methods'>> = {}): Promise<ScriptedWallet> {
    const wallet = Object.assign(this.wallets.add(member), change)
    const { token } = await this.tipping.ownWallets.invite({ member, locale: 'en' })
    const outcome = await this.tipping.ownWallets.connect({ token, text: wallet.uri })
    expect(outcome).toHaveProperty('connected')
    return wallet
  }

  token(callbackUrl: string): string {
    return callbackUrl.slice(CALLBACKS.length)
  }

  async available(member: string): Promise<bigint> {
    return (await this.tipping.balances.view(member)).available
  }

  received(userId: string): bigint {
    return this.provider.received.get(userId) ?? 0n
  }

  /** Returns the provider's id of the transaction that paid out a tip's only share. */
  async transactionOf(tip: string): Promise<string | undefined> {
    const share = (await this.tipping.tips.view(tip)).shares[0]
    if (share?.state !== 'paid') throw new Error(`a share that is ${share?.state} has no transaction`)
    const receipt = this.tipping.history.receipt({ member: share.recipient, operation: share.payout ?? '' })
    return (await this.run(receipt)).remoteId
  }

  settle(): Promise<void> {
    return this.run(this.tipping.settled())
  }

  /**
   * Lets time pass for work that pauses, but never faster than the network and the database answer. The work of a dead
   * bot never ends: no time passes for it once another bot has been started.
   */
  async run<T>(work: Promise<T>): Promise<T> {
    const life = this.#rebirths
    let ended = false
    const watched = work.finally(() => {
      ended = true
    })
    watched.catch(() => undefined)
    for (let quiet = 0; !ended && life === this.#rebirths; quiet += 1) {
      if (await this.#stirs()) quiet = 0
      if (quiet < QUIET_TURNS) continue
      const next = this.clock.nextInMs
      if (next !== undefined) await this.clock.advance(next)
      quiet = 0
    }
    return await watched
  }

  /** Lets this much time pass, in steps that leave the network time to answer. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.monotonic() + ms
    for (;;) {
      await this.#quiet()
      const left = until - this.clock.monotonic()
      const next = this.clock.nextInMs
      if (next === undefined || next > left) {
        await this.clock.advance(left)
        await this.#quiet()
        return
      }
      await this.clock.advance(next)
    }
  }

  /**
   * Lets a long period pass: the process stands still until the last hour, so that a month takes no longer than
   * an hour.
   */
  async leap(ms: number): Promise<void> {
    this.clock.freeze(Math.max(ms - LAST_HOUR_MS, 0))
    await this.pass(Math.min(ms, LAST_HOUR_MS))
  }

  /** Waits until no work is under way except calls that hang. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) if (await this.#stirs()) turns = 0
  }

  /** Lets a turn of the event loop pass; returns whether any work was under way in it except calls that hang. */
  async #stirs(): Promise<boolean> {
    const before = this.#questions
    await new Promise((resolve) => setImmediate(resolve))
    return (await serversAnswered()) || this.#exchanges > this.provider.hanging || this.#questions > before
  }

  /** Proves the books on their own and against the wallet, and closes everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.provider.hanging === 0) {
      const audit = await this.run(this.tipping.audit())
      expect(audit.faults.filter((fault) => !this.excused?.test(fault))).toEqual([])
    }
    await Promise.all(this.#left.map((tipping) => tipping.close()))
    await this.provider.down()
    await Promise.all(this.#agents.map((agent) => agent.destroy()))
    await expectProvenTipping(this.database)
    await expectReturnsInLog(this.database)
    await this.database.close()
    rmSync(this.#folder, { recursive: true })
  }
}
