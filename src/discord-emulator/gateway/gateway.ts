import type { Server } from 'node:http'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../lib/clock.ts'
import { type Entropy, token } from '../../lib/entropy.ts'
import type { Address } from '../address.ts'
import { isObject, type JsonObject } from '../rules/form.ts'
import { guildCreatePayload, memberPayload, userPayload } from '../world/payloads.ts'
import type { DiscordWorld } from '../world/world.ts'
import { type GatewayEvent, intent } from './events.ts'
import { Session } from './session.ts'

const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voiceState: 4,
  resume: 6,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const close = {
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  rateLimited: 4008,
  invalidShard: 4010,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const

/** https://docs.discord.com/developers/events/gateway#disconnecting */
const goodbyes: readonly number[] = [1000, 1001]
const heartbeatMs = 41_250
const maxPayloadBytes = 4096
const maxPayloadsAMinute = 120
const identifyEveryMs = 5_000
const knownIntents = (1 << 26) - 1

/** The state of a gateway session. */
export interface GatewaySession {
  readonly id: string
  /** The shard's index, and the number of shards. */
  readonly shard: readonly [number, number]
  readonly connected: boolean
  readonly resumes: number
}

export interface GatewayOptions {
  readonly world: DiscordWorld
  readonly clock: Clock
  readonly entropy: Entropy
  /** The emulator's addresses. Clients resume at the gateway's address. */
  readonly address: Address
  /**
   * The privileged intents that are switched off for the application, as a bit field. Requesting one of them ends the
   * connection (4014).
   */
  readonly disallowedIntents: number
  /** How many shards may identify within five seconds; undefined if there is no limit. */
  readonly maxConcurrency: number | undefined
  /** Called when the first session connects, and when no session is connected any more. */
  readonly onPresence: (online: boolean) => void
}

/** Thrown if a client breaks a rule of the gateway. The connection then ends with this code. */
class Hangup extends Error {
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** A client's connection, before and after the client identifies. */
interface Connection {
  readonly socket: WebSocket
  session: Session | undefined
  windowStart: number
  received: number
}

/** The gateway, with sessions, heartbeats, resuming, sharding and intents. It speaks JSON without compression. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  readonly #sessions = new Map<string, Session>()
  /** When the last session of each turn began. */
  readonly #begunAt = new Map<number, number>()
  #online = false

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#server.on('connection', (socket) => this.#welcome(socket))
  }

  /** Handles the WebSocket handshakes of an HTTP server at `/gateway`. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      if (request.url?.startsWith('/gateway') !== true) {
        socket.destroy()
        return
      }
      this.#server.handleUpgrade(request, socket, head, (client) => this.#server.emit('connection', client, request))
    })
  }

  get online(): boolean {
    return this.#online
  }

  /** Returns the sessions that are connected or may be resumed, oldest first. */
  get sessions(): readonly GatewaySession[] {
    return [...this.#sessions.values()].map(({ id, shard, connected, resumes }) => ({ id, shard, connected, resumes }))
  }

  /** Sends an event to every session that wants it, and forgets stale sessions. */
  tell(event: GatewayEvent): void {
    const now = this.#options.clock.now()
    for (const session of this.#sessions.values()) {
      if (session.stale(now)) this.#sessions.delete(session.id)
      else if (session.wants(event)) session.deliver(event)
    }
  }

  /** Cuts every connection. If `forget` is set, the sessions end as well, so that resuming fails. */
  drop(forget: boolean): void {
    for (const session of this.#sessions.values()) session.drop(this.#options.clock.now())
    if (forget) this.#sessions.clear()
    this.#notePresence()
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate()
    this.#sessions.clear()
    this.#server.close()
  }

  #welcome(socket: WebSocket): void {
    const connection: Connection = { socket, session: undefined, windowStart: this.#options.clock.now(), received: 0 }
    socket.on('message', (data) => {
      try {
        this.#receive(connection, data)
      } catch (error) {
        if (!(error instanceof Hangup)) throw error
        socket.close(error.code, error.message)
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', (code) => {
      const { session } = connection
      // Clients that close with these codes do not return.
      if (session?.isOn(socket) && goodbyes.includes(code)) this.#sessions.delete(session.id)
      session?.detach(socket, this.#options.clock.now())
      this.#notePresence()
    })
    send(socket, op.hello, { heartbeat_interval: heartbeatMs, _trace: ['emulator'] })
  }

  #receive(connection: Connection, data: RawData): void {
    const { socket } = connection
    const text = data.toString()
    if (Buffer.byteLength(text) > maxPayloadBytes) throw new Hangup(close.decodeError, 'Payload too large')
    if (!this.#withinRate(connection)) throw new Hangup(close.rateLimited, 'You are being rate limited.')
    const payload = parse(text)
    if (payload === undefined) throw new Hangup(close.decodeError, 'Error while decoding payload.')
    const body = isObject(payload.d) ? payload.d : {}
    switch (payload.op) {
      case op.heartbeat:
        send(socket, op.heartbeatAck)
        break
      case op.identify:
        this.#identify(connection, body)
        break
      case op.resume:
        this.#resume(connection, body)
        break
      default:
        if (connection.session === undefined) throw new Hangup(close.notAuthenticated, 'Not authenticated.')
        if (payload.op === op.requestMembers) this.#sendMembers(connection.session, body)
        else if (payload.op !== op.presence && payload.op !== op.voiceState)
          throw new Hangup(close.unknownOpcode, 'Unknown opcode.')
    }
  }

  #withinRate(connection: Connection): boolean {
    const now = this.#options.clock.now()
    if (now - connection.windowStart >= 60_000) {
      connection.windowStart = now
      connection.received = 0
    }
    connection.received += 1
    return connection.received <= maxPayloadsAMinute
  }

  #identify(connection: Connection, body: JsonObject): void {
    const { socket } = connection
    const { world, entropy, disallowedIntents } = this.#options
    if (connection.session !== undefined) throw new Hangup(close.alreadyAuthenticated, 'Already authenticated.')
    if (!this.#isToken(body.token)) throw new Hangup(close.authenticationFailed, 'Authentication failed.')
    const intents = body.intents
    if (typeof intents !== 'number' || !Number.isInteger(intents) || intents < 0 || intents > knownIntents)
      throw new Hangup(close.invalidIntents, 'Invalid intent(s).')
    if ((intents & disallowedIntents) !== 0) throw new Hangup(close.disallowedIntents, 'Disallowed intent(s).')
    const shard = readShard(body.shard)
    if (shard === undefined) throw new Hangup(close.invalidShard, 'Invalid shard.')
    if (!this.#mayBegin(shard[0])) {
      send(socket, op.invalidSession, false)
      return
    }
    const session = new Session(token(entropy, 16), intents, shard, socket)
    connection.session = session
    this.#sessions.set(session.id, session)
    const guilds = world
      .guildsOf(world.applicationId)
      .filter(({ id }) => session.wants({ name: '', guildId: id, intent: 0, data: () => ({}) }))
    const user = world.users.get(world.applicationId)
    session.dispatch('READY', {
      v: 10,
      user: user && { ...userPayload(user), verified: true, mfa_enabled: false, email: null, flags: 0 },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: this.#options.address.gatewayUrl,
      shard,
      application: { id: world.applicationId, flags: 0 },
      user_settings: {},
      relationships: [],
      private_channels: [],
      presences: [],
      guild_join_requests: [],
      geo_ordered_rtc_regions: [],
      _trace: ['emulator'],
    })
    if ((intents & intent.guilds) !== 0)
      for (const guild of guilds)
        session.dispatch('GUILD_CREATE', guildCreatePayload(world, guild, (intents & intent.guildVoiceStates) !== 0))
    this.#notePresence()
  }

  /**
   * Whether a shard may begin a session. Shards whose numbers have the same remainder share one turn every five
   * seconds. A shard that identifies too early gets "Invalid Session".
   * https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
   */
  #mayBegin(shard: number): boolean {
    const { clock, maxConcurrency } = this.#options
    if (maxConcurrency === undefined) return true
    const turn = shard % maxConcurrency
    const now = clock.monotonic()
    if (now - (this.#begunAt.get(turn) ?? Number.NEGATIVE_INFINITY) < identifyEveryMs) return false
    this.#begunAt.set(turn, now)
    return true
  }

  #resume(connection: Connection, body: JsonObject): void {
    const { socket } = connection
    if (!this.#isToken(body.token)) throw new Hangup(close.authenticationFailed, 'Authentication failed.')
    const session = this.#sessions.get(String(body.session_id))
    const sequence = Number(body.seq)
    if (session === undefined || !session.canReplay(sequence)) {
      send(socket, op.invalidSession, false)
      return
    }
    connection.session = session
    session.resume(socket, sequence)
    this.#notePresence()
  }

  /**
   * Answers "request guild members" in one chunk, with the members that have these ids or whose names begin with the
   * query.
   */
  #sendMembers(session: Session, body: JsonObject): void {
    const { world } = this.#options
    const guildId = String(body.guild_id)
    if (!world.guilds.has(guildId)) return
    const all = world.membersOf(guildId)
    const ids = body.user_ids === undefined ? undefined : [body.user_ids].flat().map(String)
    const query = String(body.query ?? '').toLowerCase()
    const limit = Number(body.limit ?? 0)
    const found =
      ids === undefined
        ? all.filter(({ userId, nick }) =>
            [nick, world.users.get(userId)?.username].some((name) => name?.toLowerCase().startsWith(query)),
          )
        : all.filter(({ userId }) => ids.includes(userId))
    session.dispatch('GUILD_MEMBERS_CHUNK', {
      guild_id: guildId,
      members: (limit > 0 ? found.slice(0, limit) : found).map((member) => memberPayload(world, member)),
      chunk_index: 0,
      chunk_count: 1,
      not_found: ids?.filter((id) => !all.some(({ userId }) => userId === id)) ?? [],
      ...(body.nonce !== undefined && { nonce: body.nonce }),
    })
  }

  #isToken(value: unknown): boolean {
    return value === this.#options.world.token || value === `Bot ${this.#options.world.token}`
  }

  #notePresence(): void {
    const online = [...this.#sessions.values()].some(({ connected }) => connected)
    if (online === this.#online) return
    this.#online = online
    this.#options.onPresence(online)
  }
}

function send(socket: WebSocket, code: number, data: unknown = null): void {
  socket.send(JSON.stringify({ op: code, d: data, s: null, t: null }))
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readShard(value: unknown): readonly [number, number] | undefined {
  if (value === undefined) return [0, 1]
  if (!Array.isArray(value)) return undefined
  const [index, count] = value as unknown[]
  const valid =
    Number.isInteger(index) && Number.isInteger(count) && Number(index) >= 0 && Number(index) < Number(count)
  return valid ? [Number(index), Number(count)] : undefined
}
