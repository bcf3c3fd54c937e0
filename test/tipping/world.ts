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
  /** A source of prices in other money. */
  readonly ratesUrl?: string
  /** A source of public beacons, and their chain. */
  readonly drandUrl?: string
  readonly beaconChain?: BeaconChain
  /** The provider cannot tell what the wallet holds, from before the first start on. */
  readonly walletUnread?: boolean
  /** The bot finds out by itself whether the provider replays keys, as in earnest. */
  readonly learnsOfReplays?: boolean
  /** Bots that are started work on the book together; else each takes over from the one before. */
  readonly besideOthers?: boolean
  /** Nobody has said that the book is new. */
  readonly newBookUnsaid?: boolean
  /** Members can connect wallets, which `world.wallets` makes. */
  readonly ownWallets?: boolean
  /** Hears what the bot has to say; nobody does if left out. */
  readonly logger?: Logger
}

const CALLBACKS = 'http://callbacks.test/'
const LAST_HOUR_MS = 3_600_000
/** A bot of which so many turns of the event loop hear nothing waits for the clock. */
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
  /** How often a bot has turned to its database. */
  #questions = 0
  /** How many bots were born where one has died. */
  #rebirths = 0
  #death: { commits: number; moment: 'before' | 'after'; died: () => void } | undefined
  #apiKey: string
  /** The bot asks another provider, which knows nothing. */
  #elsewhere = false
  /** Resolves once the provider has said whether it replays keys. */
  askedForReplays: () => Promise<void> = async () => {}
  /** Whether the bot takes the provider for one that replays keys. */
  replays: boolean
  failCommits = 0
  /** Happens once, just before the next commit of any bot. That bot waits, so another one must do it. */
  beforeNextCommit: (() => Promise<unknown>) | undefined
  /** What the bot is told at its next start of the network that the provider moves sats of. */
  network: Network | undefined
  /** What a test leaves wrong on purpose. */
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

  /** Has the process die just before or just after it makes its n-th commit from now on durable. */
  dieAtCommit(n: number, moment: 'before' | 'after'): Promise<void> {
    const died = Promise.withResolvers<void>()
    this.#death = { commits: n, moment, died: died.resolve }
    return died.promise
  }

  /** Starts another bot where one has died. */
  async reborn(): Promise<void> {
    this.#death = undefined
    this.#rebirths += 1
    await this.#agents.pop()?.destroy()
    this.#left.pop()
    await this.start()
  }

  /** A bot's database, whose writing side fails and dies as told. A dead process hears nothing any more. */
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

  /** A reading side of a bot's database, of which each use counts. */
  #counting<Side extends object>(side: Side): Side {
    return new Proxy(side, {
      get: (target, name) => {
        this.#questions += 1
        return Reflect.get(target, name)
      },
    })
  }

  /** Starts a bot. The one before, if any, goes on existing, as after a network split. */
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

  /** Stops the bot at once, whatever it is doing, and starts another on the same database. */
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

  /** Opens a deposit, has it paid from outside, and lets the callback arrive. */
  async fund(member: string, sats: number): Promise<void> {
    const deposit = await this.tipping.deposits.open({ member, amount: String(sats), origin: this.origin() })
    const charge = this.provider.chargeOf(deposit.request)
    this.provider.payCharge(charge.id)
    await this.tipping.hint(this.token(charge.callbackUrl))
    await this.settle()
  }

  /** Gives a member a gamertag wallet and links it; resolves to the provider's user id. */
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

  /** The provider's id of the transaction with which the only share of a tip was paid out. */
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
   * Lets time pass for work that pauses, but never faster than the network and the database answer. Work of a bot that
   * has died never ends: no time passes for it once another is born in its place.
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

  /** Lets that much time pass, in steps that give the network its turn. */
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

  /** The same for what is long over: the process stands still until the last hour, so a month takes no longer than that. */
  async leap(ms: number): Promise<void> {
    this.clock.freeze(Math.max(ms - LAST_HOUR_MS, 0))
    await this.pass(Math.min(ms, LAST_HOUR_MS))
  }

  /** Waits until nothing is under way but what hangs. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) if (await this.#stirs()) turns = 0
  }

  /** Lets a turn of the event loop go by; whether anything was under way in it but what hangs. */
  async #stirs(): Promise<boolean> {
    const before = this.#questions
    await new Promise((resolve) => setImmediate(resolve))
    return (await serversAnswered()) || this.#exchanges > this.provider.hanging || this.#questions > before
  }

  /** Proves the books on their own and against the wallet, and ends everything. */
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
