import { WebSocket } from 'ws'
import { aborted, type Clock, pause } from '../../../lib/clock.ts'
import { USER_AGENT } from '../../../lib/http/user-agent.ts'

export interface ArrivalHintsParts {
  /** phoenixd's address, `http:` or `https:`. */
  readonly url: string
  readonly authorization: string
  readonly clock: Clock
}

const CONNECT_TIMEOUT_MS = 5_000
/** The maximum size of a message. An event has only a few hundred bytes, and its content is not used. */
const MAX_MESSAGE_BYTES = 64 * 1024
/** The pauses before reconnecting, in milliseconds. The last one repeats. */
const PAUSES_MS = [1_000, 5_000, 30_000]
/** The interval at which a connection is checked with a ping. */
const PING_EVERY_MS = 30_000

/**
 * A listener for phoenixd's messages about arrivals (`/websocket`). phoenixd sends each message once, so a message is
 * lost if the connection is broken. A message is therefore only a hint: it causes the list of arrivals to be read
 * sooner, and its content is ignored.
 */
export class ArrivalHints {
  readonly #parts: ArrivalHintsParts
  readonly #waiting = new Set<() => void>()
  /** Whether a message has come since `next` last resolved. */
  #said = false

  constructor(parts: ArrivalHintsParts) {
    this.#parts = parts
  }

  /**
   * Resolves at the next hint, or immediately if a hint has come since the last call; also resolves if the signal
   * aborts.
   */
  async next(signal: AbortSignal): Promise<void> {
    if (this.#said || signal.aborted) {
      this.#said = false
      return
    }
    await new Promise<void>((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        this.#said = false
        resolve()
      }
      this.#waiting.add(end)
      signal.addEventListener('abort', end)
    })
  }

  /**
   * Maintains a connection until the signal aborts. Never throws, because the list is read at the usual intervals even
   * without a connection.
   */
  async listen(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (await this.#untilBroken(signal)) failures = 0
      const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
      await Promise.race([pause(this.#parts.clock, pauseMs), aborted(signal)])
    }
  }

  /** Connects, and waits until the connection breaks. Resolves to whether the connection ever opened. */
  #untilBroken(signal: AbortSignal): Promise<boolean> {
    const { url, authorization, clock } = this.#parts
    return new Promise((resolve) => {
      const address = `${url.replace(/^http/, 'ws')}/websocket`
      const headers = { authorization, 'user-agent': USER_AGENT }
      const socket = new WebSocket(address, { headers, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
      let isOpen = false
      let isAlive = true
      let cancel = clock.after(CONNECT_TIMEOUT_MS, () => socket.terminate())
      const ping = () => {
        if (!isAlive) return socket.terminate()
        isAlive = false
        socket.ping()
        cancel = clock.after(PING_EVERY_MS, ping)
      }
      const stop = () => socket.terminate()
      signal.addEventListener('abort', stop)
      socket.on('error', () => {})
      socket.on('open', () => {
        cancel()
        isOpen = true
        cancel = clock.after(PING_EVERY_MS, ping)
      })
      socket.on('pong', () => {
        isAlive = true
      })
      socket.on('message', () => this.#hint())
      socket.on('close', () => {
        cancel()
        signal.removeEventListener('abort', stop)
        resolve(isOpen)
      })
    })
  }

  #hint(): void {
    this.#said = true
    for (const end of [...this.#waiting]) end()
  }
}
