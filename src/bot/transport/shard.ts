import type { REST } from '@discordjs/rest'
import {
  CloseCodes,
  type IIdentifyThrottler,
  type SessionInfo,
  WebSocketManager,
  WebSocketShardEvents,
} from '@discordjs/ws'
import { type GatewayDispatchPayload, GatewayOpcodes, type GatewayPresenceUpdateData } from 'discord.js'
import { type Clock, pause } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ShardSession } from '../../tipping/tipping.ts'

export interface ShardOptions {
  readonly id: number
  /** The number of shards of all processes together. */
  readonly count: number
  /** The session to resume, or undefined to start a new one. */
  readonly session: ShardSession | undefined
  readonly intents: number
  readonly presence: GatewayPresenceUpdateData
  /** The client for requesting the gateway's address. */
  readonly rest: Pick<REST, 'get'>
  readonly token: string
  readonly throttler: IIdentifyThrottler
  readonly clock: Clock
  readonly log: Logger
  /** Receives all of Discord's events in order. */
  readonly hear: (packet: GatewayDispatchPayload) => void
  /** Called when the session changes or ends. */
  readonly sessionChanged: () => void
}

/**
 * The codes with which Discord closes a connection permanently.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
const FOR_GOOD: readonly number[] = [4004, 4010, 4011, 4012, 4013, 4014]
const MAX_CLOSE_MS = 2_000

/** One shard's connection to Discord's gateway. It resumes the shard's session if Discord permits that. */
export class Shard {
  readonly id: number
  readonly #options: ShardOptions
  readonly #ws: WebSocketManager
  #session: SessionInfo | null
  /** The number of the last event that was passed on. */
  #heard: number
  #replayed = 0
  #isResumed = false
  #connected = false
  #wasConnected = false
  #stopped = false

  constructor(options: ShardOptions) {
    const { id, count, session, intents, rest, token, presence, throttler } = options
    this.id = id
    this.#options = options
    // A session always gets the events that it requested at its start.
    const known = session?.intents === intents ? session : undefined
    this.#heard = known?.sequence ?? 0
    this.#session = known === undefined ? null : infoOf(known, id, count)
    this.#ws = new WebSocketManager({
      // It only asks for the gateway's address.
      ...{ token, intents, rest: rest as REST, shardCount: count, shardIds: [id] },
      initialPresence: presence,
      buildIdentifyThrottler: () => throttler,
      // A stopped shard that was about to reconnect waits here forever.
      retrieveSessionInfo: () => (this.#stopped ? new Promise(() => undefined) : this.#session),
      updateSessionInfo: (_, info) => this.#note(info),
    })
    this.#listen()
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Whether the shard has resumed a session, in which case Discord does not send the servers again. */
  get isResumed(): boolean {
    return this.#isResumed
  }

  /** The data that another process needs to resume the session; undefined if there is no session. */
  get session(): ShardSession | undefined {
    if (this.#session === null) return undefined
    const { sessionId, resumeURL } = this.#session
    return { id: sessionId, resumeUrl: resumeURL, sequence: this.#heard, intents: this.#options.intents }
  }

  /** Connects the shard. Rejects if Discord refuses the connection, or cannot be reached. */
  async connect(): Promise<void> {
    await this.#ws.connect()
  }

  /** Stops receiving events, but leaves the session open, so that it can be resumed. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#connected = false
    const closed = this.#ws.destroy({ code: CloseCodes.Resuming, reason: 'another process goes on' })
    await Promise.race([closed, pause(this.#options.clock, MAX_CLOSE_MS)])
  }

  #note(info: SessionInfo | null): void {
    if (this.#stopped) return
    const before = this.#session?.sessionId
    this.#session = info
    if (info?.sessionId === before) return
    this.#heard = info?.sequence ?? 0
    this.#options.sessionChanged()
  }

  #listen(): void {
    const { id, log, presence, hear } = this.#options
    this.#ws.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (this.#stopped) return
      this.#heard = Math.max(this.#heard, data.s)
      this.#replayed += 1
      hear(data)
    })
    this.#ws.on(WebSocketShardEvents.Hello, () => {
      this.#replayed = 0
    })
    this.#ws.on(WebSocketShardEvents.Ready, () => {
      this.#connected = true
      this.#wasConnected = true
      this.#isResumed = false
    })
    this.#ws.on(WebSocketShardEvents.Resumed, () => {
      const text = this.#wasConnected
        ? 'reconnected to Discord'
        : 'went on with the session that an earlier process had'
      log.info({ shard: id, replayed: this.#replayed }, text)
      this.#connected = true
      this.#wasConnected = true
      this.#isResumed = true
      // An earlier version may have set another presence.
      Promise.resolve(this.#ws.send(id, { op: GatewayOpcodes.PresenceUpdate, d: presence })).catch(() => undefined)
    })
    this.#ws.on(WebSocketShardEvents.Closed, ({ code }) => {
      this.#connected = false
      if (this.#stopped) return
      if (FOR_GOOD.includes(code)) log.error({ shard: id }, `Discord ended the connection for good (${code})`)
      else if (this.#wasConnected) log.warn({ shard: id }, 'the connection to Discord was lost; reconnecting')
      else log.info({ shard: id, code }, 'Discord did not resume the session, or did not answer; trying again')
    })
    this.#ws.on(WebSocketShardEvents.Error, ({ error }) => {
      if (!this.#stopped) log.error({ err: error, shard: id }, 'the connection to Discord reported an error')
    })
  }
}

function infoOf({ id, resumeUrl, sequence }: ShardSession, shardId: number, shardCount: number): SessionInfo {
  return { sessionId: id, resumeURL: resumeUrl, sequence, shardId, shardCount }
}
