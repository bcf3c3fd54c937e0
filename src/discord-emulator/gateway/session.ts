import type { WebSocket } from 'ws'
import type { JsonObject } from '../rules/form.ts'
import { type GatewayEvent, intent } from './events.ts'

/** The number of events that a session always keeps for a client that resumes. */
const maxEvents = 10_000
/** How long a session without a connection waits for its client to resume. */
const resumableMs = 5 * 60_000

/** A session of a bot that has identified. It outlives its socket, so that the bot can resume it. */
export class Session {
  readonly id: string
  readonly intents: number
  readonly shard: readonly [number, number]
  #socket: WebSocket | undefined
  #sequence = 0
  #sent: { readonly sequence: number; readonly text: string }[] = []
  #lostAt: number | undefined
  /** How often a client has resumed the session. */
  resumes = 0

  constructor(id: string, intents: number, shard: readonly [number, number], socket: WebSocket) {
    this.id = id
    this.intents = intents
    this.shard = shard
    this.#socket = socket
  }

  get connected(): boolean {
    return this.#socket !== undefined
  }

  isOn(socket: WebSocket): boolean {
    return this.#socket === socket
  }

  /**
   * Whether the client has been disconnected so long that Discord does not let it resume any more. `now` is in Unix
   * milliseconds.
   */
  stale(now: number): boolean {
    return this.#lostAt !== undefined && now - this.#lostAt > resumableMs
  }

  /** Whether an event belongs to this session's shard, and the session has the intent that the event needs. */
  wants(event: GatewayEvent): boolean {
    if (event.intent !== 0 && (this.intents & event.intent) === 0) return false
    const [index, count] = this.shard
    const owner = event.guildId === null ? 0 : Number((BigInt(event.guildId) >> 22n) % BigInt(count))
    return owner === index
  }

  /** Sends an event immediately or, if no client is connected, when the client resumes. */
  dispatch(name: string, data: JsonObject): void {
    this.#sequence += 1
    const text = JSON.stringify({ t: name, s: this.#sequence, op: 0, d: data })
    this.#sent.push({ sequence: this.#sequence, text })
    if (this.#sent.length > 2 * maxEvents) this.#sent = this.#sent.slice(-maxEvents)
    this.#socket?.send(text)
  }

  deliver(event: GatewayEvent): void {
    this.dispatch(event.name, event.data((this.intents & intent.messageContent) !== 0))
  }

  /** Whether the session still has all events after `sequence`. */
  canReplay(sequence: number): boolean {
    const [oldest] = this.#sent
    return sequence <= this.#sequence && (oldest === undefined || sequence >= oldest.sequence - 1)
  }

  /**
   * Continues the session on a new socket: sends the events after `sequence`, which the client has missed, and then
   * RESUMED.
   */
  resume(socket: WebSocket, sequence: number): void {
    this.#socket?.close(4000, 'resumed elsewhere')
    this.#socket = socket
    this.#lostAt = undefined
    this.resumes += 1
    for (const event of this.#sent) if (event.sequence > sequence) socket.send(event.text)
    this.dispatch('RESUMED', { _trace: ['emulator'] })
  }

  /** Forgets a socket that has closed, unless the session already continues on another socket. */
  detach(socket: WebSocket, now: number): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#lostAt = now
  }

  /** Cuts the connection without a close code. The session remains. */
  drop(now: number): void {
    this.#socket?.terminate()
    if (this.#socket !== undefined) this.detach(this.#socket, now)
  }
}
