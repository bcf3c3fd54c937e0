import {
  type APIChannel,
  type APIGuild,
  type Client,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayOpcodes,
  type RESTGetAPICurrentUserGuildsResult,
  Routes,
} from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import type { Calls } from './permits.ts'

export interface LearnServersOptions {
  readonly client: Client
  /** The client for calls without urgency. */
  readonly calls: Calls
  /** Reports a server as the gateway does at the start of a session. */
  readonly hear: (packet: GatewayDispatchPayload, shard: number) => void
  /** Servers that must be known before anything happens in them. */
  readonly first: readonly string[]
  readonly clock: Clock
  readonly log: Logger
}

/** The largest number of servers that are all read at the start. */
const READ_ALL = 50
const MAX_CONCURRENT = 8
/** The time for which a server is not requested again after a failure. */
const ASK_AGAIN_MS = 60_000

/** Returns a server's shard. https://docs.discord.com/developers/events/gateway#sharding */
export function shardOf(guild: string, count: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(count))
}

/**
 * Reads servers' names, channels and roles over REST. Discord sends them only at the start of a session, which a
 * process that resumes a session has missed. If there are many servers, each is read when something first happens in
 * it: most of ten thousand are never needed.
 */
export class LearnServers {
  readonly #options: LearnServersOptions
  readonly #read: (guild: string) => Promise<void>
  readonly #reading = new Map<string, Promise<void>>()
  /** This process's shards whose servers Discord has not sent. */
  readonly #untold = new Set<number>()
  #count = 1
  #list: Promise<readonly string[] | undefined> | undefined
  #knowsAll = true

  constructor(options: LearnServersOptions) {
    this.#options = options
    this.#read = limitConcurrency(MAX_CONCURRENT, (guild: string) => this.#readNow(guild))
  }

  /** Whether this process gets all its servers, and not only those in which something happens. */
  get knowsAll(): boolean {
    return this.#knowsAll
  }

  /** Notes that a session was resumed. Resolves when the required servers are known. */
  async resumed(shard: number, count: number): Promise<void> {
    this.#count = count
    this.#untold.add(shard)
    this.#list ??= this.#listed()
    const all = await this.#list.catch((error) => {
      this.#list = undefined
      throw error
    })
    if (all === undefined) this.#knowsAll = false
    await Promise.all((all ?? this.#options.first).map((guild) => this.learn(guild)))
  }

  /** Notes that a shard's servers need not be read, because Discord sends them, or another process runs the shard. */
  told(shard: number): void {
    this.#untold.delete(shard)
  }

  /** Resolves when a server is known, or could not be read; in the latter case, later events describe the server. */
  learn(guild: string | null): Promise<void> {
    const { client, clock, log } = this.#options
    if (guild === null || !this.#untold.has(shardOf(guild, this.#count)) || client.guilds.cache.has(guild))
      return Promise.resolve()
    const before = this.#reading.get(guild)
    if (before !== undefined) return before
    const reading = this.#read(guild).then(
      () => void this.#reading.delete(guild),
      (error) => {
        log.warn({ err: error, guild }, 'a server could not be read; the next event there describes it')
        clock.after(ASK_AGAIN_MS, () => this.#reading.delete(guild))
      },
    )
    this.#reading.set(guild, reading)
    return reading
  }

  /** Returns the ids of all servers; undefined if there are too many to read. */
  async #listed(): Promise<readonly string[] | undefined> {
    const query = new URLSearchParams({ limit: String(READ_ALL + 1) })
    const page = (await this.#options.calls.get(Routes.userGuilds(), { query })) as RESTGetAPICurrentUserGuildsResult
    return page.length > READ_ALL ? undefined : page.map(({ id }) => id)
  }

  /** Reads a server without its threads, because an event in a thread includes the parent channel. */
  async #readNow(id: string): Promise<void> {
    const { client, calls, hear } = this.#options
    const [guild, channels] = await Promise.all([
      calls.get(Routes.guild(id)) as Promise<APIGuild>,
      calls.get(Routes.guildChannels(id)) as Promise<APIChannel[]>,
    ])
    const nobody = { members: [], presences: [], voice_states: [], stage_instances: [], soundboard_sounds: [] }
    const told = { ...guild, channels, threads: [], ...nobody, guild_scheduled_events: [], unavailable: false }
    const shard = shardOf(id, this.#count)
    // The gateway may have sent it meanwhile, or it may be another process's.
    if (client.guilds.cache.has(id) || !this.#untold.has(shard)) return
    hear({ op: GatewayOpcodes.Dispatch, t: GatewayDispatchEvents.GuildCreate, s: 0, d: told } as never, shard)
  }
}
