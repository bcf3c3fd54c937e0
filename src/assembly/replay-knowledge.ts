import { type PaymentsClient, PaymentsError, probeReplay, stillReplays } from '../payments-api/payments-api.ts'
import type { Runtime } from './runtime.ts'

/** Whether the provider is known to replay the answer to an Idempotency-Key. */
export interface ReplayKnowledge {
  readonly known: () => boolean
  /**
   * Whether the provider still replays a key that is older than anything sent since it became known, asked now. When it
   * does not, it is no longer known to replay. Throws PaymentsError when it could not be asked.
   */
  readonly confirm: () => Promise<boolean>
  /**
   * Resolves when the provider has been asked at least once since the start, now if need be. What is sent before that
   * could never be sent again, and would stay unknown. Throws PaymentsError when it could not be asked.
   */
  readonly asked: () => Promise<void>
  /** Asks the provider, again and again until it is known to replay; resolves after the first try. */
  learn(client: PaymentsClient): Promise<void>
  readonly close: () => void
}

const AFTER_SILENCE_MS = 30_000
/** A "no" may come from a gateway while its provider was away; and providers change. */
const AFTER_NO_MS = 15 * 60_000
/** A provider keeps keys for a day at least, so a key that is to prove what it remembers is not used for longer. */
const RENEWED_AFTER_MS = 6 * 3_600_000
/** How long a confirmation holds. */
const CONFIRMED_FOR_MS = 2_000

/** Until the provider has shown that it replays, nothing that moves money is ever sent twice. */
export function createReplayKnowledge(runtime: Runtime): ReplayKnowledge {
  return new Knowledge(runtime)
}

class Knowledge implements ReplayKnowledge {
  readonly #parts: Runtime
  #client: PaymentsClient | undefined
  /** The key that it was last seen to replay; undefined where it must be asked with a new one. */
  #key: string | undefined
  #replays = false
  #confirmedAt = Number.NEGATIVE_INFINITY
  #confirming: Promise<boolean> | undefined
  #hasAnswered = false
  #asking: Promise<void> | undefined
  #cancel = () => {}
  #closed = false

  constructor(parts: Runtime) {
    this.#parts = parts
  }

  readonly known = () => this.#replays

  readonly confirm = async () => {
    if (!this.#replays) return false
    if (this.#parts.clock.monotonic() - this.#confirmedAt < CONFIRMED_FOR_MS) return true
    this.#confirming ??= this.#confirm().finally(() => {
      this.#confirming = undefined
    })
    return await this.#confirming
  }

  readonly asked = async () => {
    if (this.#hasAnswered || this.#client === undefined) return
    this.#asking ??= this.#probe(this.#client).finally(() => {
      this.#asking = undefined
    })
    await this.#asking
  }

  async learn(client: PaymentsClient): Promise<void> {
    this.#client = client
    const { logger } = this.#parts
    try {
      if (this.#replays && !(await this.confirm())) return
      await this.#probe(client)
      logger.info({ replays: this.#replays }, 'the provider was asked whether it replays idempotency keys')
      this.#again(this.#replays ? RENEWED_AFTER_MS : AFTER_NO_MS)
    } catch (error) {
      if (error instanceof PaymentsError && error.status === 401) {
        logger.error('PAYMENTS_API_KEY is not accepted by PAYMENTS_BASE_URL: nothing can be paid in or out until it is')
      }
      logger.warn({ reason: String(error) }, 'the provider could not be asked whether it replays idempotency keys')
      this.#again(AFTER_SILENCE_MS)
    }
  }

  readonly close = () => {
    this.#closed = true
    this.#cancel()
  }

  async #probe(client: PaymentsClient): Promise<void> {
    this.#key = await probeReplay(client, this.#parts.entropy)
    this.#replays = this.#key !== undefined
    this.#hasAnswered = true
    this.#confirmedAt = this.#parts.clock.monotonic()
  }

  async #confirm(): Promise<boolean> {
    const { clock, logger } = this.#parts
    const key = this.#key
    if (this.#client === undefined) return false
    // Should the answer be lost, the same key proves nothing any more: the request itself may be what is remembered.
    this.#key = undefined
    if (key === undefined) await this.#probe(this.#client)
    else if (await stillReplays(this.#client, key)) this.#key = key
    else {
      this.#replays = false
      logger.error('the provider no longer replays idempotency keys: what was sent before is only read from now on')
      this.#again(AFTER_NO_MS)
    }
    if (this.#replays) this.#confirmedAt = clock.monotonic()
    return this.#replays
  }

  #again(ms: number): void {
    this.#cancel()
    const client = this.#client
    if (this.#closed || client === undefined) return
    this.#cancel = this.#parts.clock.after(ms, () => void this.learn(client))
  }
}
