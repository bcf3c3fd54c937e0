import type { REST } from '@discordjs/rest'
import type { IIdentifyThrottler } from '@discordjs/ws'
import {
  type APIApplication,
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  type GatewayPresenceUpdateData,
  type RESTGetAPIGatewayBotResult,
  Routes,
  Status,
} from 'discord.js'
import { type Clock, pause } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type RoundWorker, startWorker } from '../../lib/worker.ts'
import type { ShardSession, Shards } from '../../tipping/tipping.ts'
import { cannotConnect } from './connection.ts'
import { LearnServers, shardOf } from './learn-servers.ts'
import { callsAt } from './permits.ts'
import { Shard } from './shard.ts'

interface Begun {
  readonly recommended: number
  readonly throttler: IIdentifyThrottler
  readonly presence: GatewayPresenceUpdateData
  /** Discord's information on the gateway at the start. */
  told: RESTGetAPIGatewayBotResult | undefined
}

export interface GatewayOptions {
  /** The client that receives everything from the gateway, as if it had itself connected. */
  readonly client: Client
  readonly rest: REST
  readonly token: string
  /** The address of Discord's API, for messages to operators. */
  readonly address: string
  readonly shards: Shards
  /** Servers that must be known before anything happens in them. */
  readonly first: readonly string[]
  readonly clock: Clock
  readonly log: Logger
}

/** How far a stored session may lag behind. Discord then repeats events, each of which takes effect once. */
const SAVE_EVERY_MS = 30_000
/** The longest that the start waits for servers. A command's own server comes with the command. */
const SERVERS_WAIT_MS = 5_000
/** The pause before another request if the book could not be asked whose turn it is to start a session. */
const ASK_AGAIN_MS = 1_000
/** The longest wait until a session is resumed. One that takes longer is given up, because its address may be gone. */
const RESUME_WAIT_MS = 6_000
/**
 * The longest wait for a new session's servers, which follow one by one.
 * https://docs.discord.com/developers/events/gateway#ready
 */
const GUILDS_WAIT_MS = 15_000

/**
 * The gateway shards that this process runs: all of them if it is alone, else its share. Each shard resumes its session
 * from the book, no matter which process started the session, so no event in between is missed.
 */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #running = new Map<number, Shard>()
  /** The stored state of each shard, as text. */
  readonly #stored = new Map<number, string>()
  readonly #saver: RoundWorker
  /** The reader of servers that Discord does not send, because their session was resumed. */
  readonly servers: LearnServers
  /** The servers that a new session has announced but not delivered yet. */
  readonly #expected = new Map<string, PromiseWithResolvers<void>>()
  #begun: Begun | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  #count = 1

  constructor(options: GatewayOptions) {
    this.#options = options
    const failed = (error: unknown) => options.log.warn({ err: error }, 'sessions at Discord could not be stored')
    const { client, rest, clock, log, first } = options
    const calls = callsAt(rest, 'background')
    const hear = (packet: GatewayDispatchPayload, shard: number) => this.#pass(packet, shard)
    this.servers = new LearnServers({ client, calls, hear, first, clock, log })
    this.#saver = startWorker({ clock, round: () => this.#save(), pauseMs: SAVE_EVERY_MS, failed })
  }

  /** Whether each shard of this process is connected. True for a process on standby. */
  get isConnected(): boolean {
    return [...this.#running.values()].every(({ connected }) => connected)
  }

  /**
   * Resolves when this process's shards are connected, or when the process is on standby because others have all
   * shards. Throws Problem if Discord cannot be reached or refuses the shards.
   */
  async start(application: APIApplication, presence: GatewayPresenceUpdateData): Promise<void> {
    const { address } = this.#options
    await this.#begin(application, presence).catch((cause) => Promise.reject(cannotConnect(cause, address)))
  }

  async #begin(application: APIApplication, presence: GatewayPresenceUpdateData): Promise<void> {
    const { client, rest, shards, log } = this.#options
    const told = (await rest.get(Routes.gatewayBot())) as RESTGetAPIGatewayBotResult
    const { shards: recommended, session_start_limit: limit } = told
    this.#begun = { recommended, throttler: this.#takeTurns(limit.max_concurrency), presence, told }
    // Events are passed on at once, even before the servers are known.
    client.ws.status = Status.Ready
    const user = application.bot ?? (await rest.get(Routes.user()))
    this.#pass({ t: GatewayDispatchEvents.Ready, d: { user, guilds: [], application } } as never, 0)
    await this.#follow(true)
    this.#begun.told = undefined
    if (this.#running.size === 0) log.info('other processes have the gateway; this one stands by')
    // Not awaited, because the next check of living processes must not wait for it.
    shards.whenFree(async () => void this.#follow(false).catch((error) => this.#warn(error)))
  }

  /**
   * Limits how many sessions all processes of the bot together start in five seconds. Discord refuses any further
   * sessions, but counts them.
   */
  #takeTurns(concurrency: number): IIdentifyThrottler {
    const { shards, clock } = this.#options
    const ask = (shard: number) =>
      shards.turn(shard, concurrency).catch((error: unknown) => {
        this.#warn(error)
        return ASK_AGAIN_MS
      })
    return {
      async waitForIdentify(shard, signal) {
        for (let waitMs = await ask(shard); waitMs > 0; waitMs = await ask(shard)) {
          await pause(clock, waitMs)
          signal.throwIfAborted()
        }
      },
    }
  }

  /** Stops receiving, and releases the shards, so that other processes can take them over. */
  async close(): Promise<void> {
    this.#closed = true
    const stopped = this.#stop([...this.#running.keys()])
    await this.#saver.close()
    const sessions = await stopped
    if (this.#begun === undefined) return
    await this.#options.shards.leave(sessions).catch((error) => this.#warn(error))
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'shards could not be shared out; it is tried again')
  }

  /** Runs this process's shards, and no others. With `wait`, resolves when all are connected. */
  #follow(wait: boolean): Promise<void> {
    const turn = this.#turn.catch(() => undefined).then(() => this.#share())
    this.#turn = turn
    return turn.then(async (connecting) => {
      const connected = Promise.all(connecting)
      if (wait) await connected
      else connected.catch((error) => this.#warn(error))
    })
  }

  async #share(): Promise<Promise<void>[]> {
    const { shards, log } = this.#options
    if (this.#closed || this.#begun === undefined) return []
    const { count, own, surplus } = await shards.take(this.#begun.recommended)
    await this.#stop([...this.#running.keys()].filter((id) => !own.has(id)))
    if (surplus.length > 0) {
      log.info({ shards: surplus }, 'another process takes some of the shards')
      await shards.giveBack(await this.#stop(surplus))
    }
    if (this.#closed) return []
    const missing = [...own].filter(([id]) => !this.#running.has(id) && !surplus.includes(id))
    return missing.map(([id, session]) => this.#run(id, count, this.#mustBegin() ? undefined : session))
  }

  /** Whether a new session is needed, because only its start reports who is in which voice channel. */
  #mustBegin(): boolean {
    return this.#options.client.options.intents.has(GatewayIntentBits.GuildVoiceStates)
  }

  async #run(id: number, count: number, session: ShardSession | undefined): Promise<void> {
    const { client, rest, clock, log } = this.#options
    if (this.#begun === undefined) return
    this.#count = count
    const hear = (packet: GatewayDispatchPayload) => this.#hear(packet, id)
    const sessionChanged = () => this.#saver.wake()
    const { throttler, presence } = this.#begun
    const gateway = this.#knownFirst(rest)
    const { intents, token } = { intents: Number(client.options.intents.bitfield), token: this.#options.token }
    const shared = { rest: gateway, token, clock, log, throttler, presence, hear, sessionChanged }
    const shard = new Shard({ ...shared, id, count, session, intents })
    this.#running.set(id, shard)
    this.#stored.set(id, JSON.stringify(session))
    try {
      const connecting = shard.connect()
      if (session !== undefined && !(await this.#isAnswered(connecting))) {
        log.warn({ shard: id }, 'the session that an earlier process had leads nowhere; a new one is begun')
        await this.#stop([id])
        return await this.#run(id, count, undefined)
      }
      await connecting
      if (!shard.isResumed) return await this.#untilServersCame()
      const learned = this.servers.resumed(id, count)
      learned.catch((error) => log.warn({ err: error, shard: id }, 'not all servers could be read'))
      await Promise.race([learned, pause(clock, SERVERS_WAIT_MS)])
    } catch (error) {
      // The next round tries again.
      if (this.#running.get(id) === shard) await this.#stop([id])
      throw error
    }
  }

  /**
   * Returns a client that answers with the gateway's known address, because each shard's client would request it again.
   */
  #knownFirst(rest: REST): Pick<REST, 'get'> {
    const begun = this.#begun
    return {
      get: async (route, options) => {
        const told = begun?.told
        if (begun === undefined || told === undefined || route !== Routes.gatewayBot())
          return await rest.get(route, options)
        return told
      },
    }
  }

  async #isAnswered(connecting: Promise<void>): Promise<boolean> {
    const { clock } = this.#options
    return await Promise.race([connecting.then(() => true), pause(clock, RESUME_WAIT_MS).then(() => false)])
  }

  /** Stops shards. Resolves to their sessions. */
  async #stop(ids: readonly number[]): Promise<Map<number, ShardSession | undefined>> {
    const shards = ids.map((id) => this.#running.get(id)).filter((shard) => shard !== undefined)
    for (const { id } of shards) {
      this.#running.delete(id)
      this.#stored.delete(id)
    }
    await Promise.all(shards.map((shard) => shard.stop()))
    if (!this.#closed) for (const { id } of shards) this.#forget(id)
    return new Map(shards.map(({ id, session }) => [id, session]))
  }

  /** Drops a shard's servers, because this process no longer gets their updates. */
  #forget(shard: number): void {
    this.servers.told(shard)
    for (const id of [...this.#options.client.guilds.cache.keys()]) {
      if (shardOf(id, this.#count) !== shard) continue
      this.#pass({ t: GatewayDispatchEvents.GuildDelete, d: { id } } as never, shard)
    }
  }

  async #save(): Promise<void> {
    const changed = [...this.#running].filter(([id, { session }]) => this.#stored.get(id) !== JSON.stringify(session))
    if (changed.length === 0) return
    const sessions = new Map(changed.map(([id, { session }]) => [id, session]))
    await this.#options.shards.save(sessions)
    for (const [id, session] of sessions) this.#stored.set(id, JSON.stringify(session))
  }

  #hear(packet: GatewayDispatchPayload, shard: number): void {
    if (packet.t === GatewayDispatchEvents.Resumed) return
    if (packet.t === GatewayDispatchEvents.Ready) {
      this.servers.told(shard)
      for (const { id } of packet.d.guilds) this.#expected.set(id, Promise.withResolvers())
    }
    this.#pass(packet, shard)
    if (packet.t !== GatewayDispatchEvents.GuildCreate && packet.t !== GatewayDispatchEvents.GuildDelete) return
    const arrived = this.#expected.get(packet.d.id)
    this.#expected.delete(packet.d.id)
    arrived?.resolve()
  }

  async #untilServersCame(): Promise<void> {
    const coming = [...this.#expected.values()].map(({ promise }) => promise)
    await Promise.race([Promise.all(coming), pause(this.#options.clock, GUILDS_WAIT_MS)])
  }

  /** Makes discord.js read a packet as if discord.js had itself connected. It has no public method for this. */
  #pass(packet: GatewayDispatchPayload, id: number): void {
    const { client, log } = this.#options
    try {
      client.emit(Events.Raw, packet, id)
      const ws = client.ws as unknown as { handlePacket(packet: object, shard: object): void }
      ws.handlePacket(packet, { id, checkReady: () => undefined })
    } catch (error) {
      log.error({ err: error, event: packet.t }, 'an event from Discord could not be read')
    }
  }
}
