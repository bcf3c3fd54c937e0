import { type RoundWorker, startWorker } from '../lib/worker.ts'
import { type PaymentsClient, PaymentsError, probeReplay, remembersKey } from '../payments-api/payments-api.ts'
import type { ReplayKeyStore } from '../tipping/engine/outgoing/replays.ts'
import type { Runtime } from './runtime.ts'

/** What is known about whether the provider replays its answer when an Idempotency-Key is sent again. */
export interface ReplayKnowledge {
  readonly known: () => boolean
  /**
   * Asks the provider for an old key's answer, and resolves to whether it still remembers everything that may be sent
   * again. Throws PaymentsError if the provider could not be asked.
   */
  readonly confirm: () => Promise<boolean>
  /**
   * Resolves as soon as the provider has shown, since this start, whether it replays and remembers. Asks the provider
   * if it has not been asked yet. A payment that is sent before that could never be sent again, so its outcome might
   * stay unknown. Throws PaymentsError if the provider could not be asked.
   */
  readonly asked: () => Promise<void>
  /** Begins to ask the provider, repeatedly, whether it replays and remembers. Resolves after the first attempt. */
  learn(client: PaymentsClient): Promise<void>
  /**
   * Resumes with the keys that the book stores. If the provider no longer replays them, it may have forgotten what an
   * earlier process sent, so nothing of that is sent again. If the provider could not be asked, it is asked before
   * anything is sent.
   */
  readonly takeUp: (store: ReplayKeyStore) => Promise<void>
  readonly close: () => void
}

const AFTER_SILENCE_MS = 30_000
/**
 * How long until the provider is asked again after a "no", because a gateway may have answered for an unreachable
 * provider, and because providers change.
 */
const AFTER_NO_MS = 15 * 60_000
/** If fewer keys than this are stored, more are prepared. */
const FEW_KEYS = 5
/**
 * How often the stored keys are renewed. A provider remembers a key for at least a day, so the key that tests its
 * memory must be younger than that.
 */
const RENEWED_AFTER_MS = 6 * 3_600_000
/** How long a confirmation is valid. */
const CONFIRMED_FOR_MS = 2_000

/**
 * Creates the knowledge for a provider about which nothing is known yet. Until the provider has shown that it replays,
 * nothing that moves money is sent twice.
 */
export function createReplayKnowledge(runtime: Runtime): ReplayKnowledge {
  return new Knowledge(runtime)
}

class Knowledge implements ReplayKnowledge {
  readonly #parts: Runtime
  #client: PaymentsClient | undefined
  #store: ReplayKeyStore = inMemory()
  #replays = false
  #confirmedAt = Number.NEGATIVE_INFINITY
  #renewing: Promise<boolean> | undefined
  #hasAnswered = false
  #worker: RoundWorker | undefined

  constructor(parts: Runtime) {
    this.#parts = parts
  }

  readonly known = () => this.#replays

  readonly confirm = async () => {
    if (!this.#replays) return false
    if (this.#parts.clock.monotonic() - this.#confirmedAt < CONFIRMED_FOR_MS) return true
    return await this.#renew()
  }

  readonly asked = async () => {
    if (!this.#hasAnswered) await this.#renew()
  }

  async learn(client: PaymentsClient): Promise<void> {
    this.#client = client
    const { clock, logger } = this.#parts
    this.#worker = startWorker({
      clock,
      firstInMs: 0,
      round: async () => {
        await this.#renew()
        logger.info({ replays: this.#replays }, 'the provider was asked whether it replays idempotency keys')
      },
      pauseMs: (failures) => (failures > 0 ? AFTER_SILENCE_MS : this.#replays ? RENEWED_AFTER_MS : AFTER_NO_MS),
      failed(error) {
        if (error instanceof PaymentsError && error.status === 401) {
          logger.error(
            'PAYMENTS_API_KEY is not accepted by PAYMENTS_BASE_URL: nothing can be paid in or out until it is',
          )
        }
        logger.warn({ reason: String(error) }, 'the provider could not be asked whether it replays idempotency keys')
      },
    })
    await this.#worker.idle()
  }

  readonly takeUp = async (store: ReplayKeyStore) => {
    const sinceTheStart = await this.#store.read()
    this.#store = store
    this.#confirmedAt = Number.NEGATIVE_INFINITY
    if (!this.#hasAnswered && (await store.read()).length > 0) return
    try {
      await this.#prove(sinceTheStart)
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      this.#parts.logger.warn({ reason: error.message }, 'the provider could not be asked what it remembers')
    }
  }

  readonly close = () => {
    void this.#worker?.close()
  }

  /**
   * Asks the provider whether it replays and remembers; simultaneous callers share one request. Throws PaymentsError if
   * the provider could not be asked.
   */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #ask(): Promise<boolean> {
    if (this.#client === undefined) return false
    // Test with an unimportant key whether the provider is reachable.
    const first = await probeReplay(this.#client, this.#parts.entropy)
    const proven = await this.#prove(first === undefined ? [] : [first, ...(await this.#spareKeys(this.#client))])
    // Not earlier: anything sent while this is undecided could never be sent again.
    this.#hasAnswered = true
    return proven
  }

  /**
   * Prepares more keys if few are left: each lost answer uses up a stored key, and a minute of lost answers must not
   * use up all of them. Returns fewer keys if the provider does not answer every request.
   */
  async #spareKeys(client: PaymentsClient): Promise<string[]> {
    const spare: string[] = []
    try {
      for (let few = (await this.#store.read()).length + 1; few < FEW_KEYS; few += 1) {
        const key = await probeReplay(client, this.#parts.entropy)
        if (key !== undefined) spare.push(key)
      }
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
    }
    return spare
  }

  /**
   * Tests with a stored key whether the provider has forgotten nothing, and resolves to the result. `fresh` are keys
   * that the provider has just replayed; empty if it does not replay.
   */
  async #prove(fresh: readonly string[]): Promise<boolean> {
    const [key] = await this.#store.read()
    if (fresh.length === 0) return await this.#startOver([], key === undefined ? undefined : 'no longer replays')
    if (key === undefined) return await this.#startOver(fresh, undefined)
    // Take the key before asking with it, so that no other bot does. A lost answer costs the key, and the next request
    // uses another one.
    if (!(await this.#store.take(key))) return await this.#prove(fresh)
    if (!(await this.#isRemembered(key))) return await this.#startOver(fresh, 'has forgotten')
    await this.#store.add([key, ...fresh])
    this.#replays = true
    this.#confirmedAt = this.#parts.clock.monotonic()
    return true
  }

  async #isRemembered(key: string): Promise<boolean> {
    try {
      return await remembersKey(this.#client as PaymentsClient, key)
    } catch (error) {
      // It never left this machine, so it is still good.
      if (error instanceof PaymentsError && error.kind === 'unreachable') await this.#store.add([key])
      throw error
    }
  }

  async #startOver(keys: readonly string[], lost: string | undefined): Promise<false> {
    this.#replays = false
    await this.#store.startOver(keys)
    this.#replays = keys.length > 0
    this.#confirmedAt = this.#parts.clock.monotonic()
    if (lost !== undefined) {
      const what = `the provider ${lost} idempotency keys: what was sent before is only read from now on`
      this.#parts.logger.error(what)
      if (!this.#replays) this.#worker?.wakeIn(AFTER_NO_MS)
    }
    return false
  }
}

const MAX_IN_MEMORY = 12

/** Creates a store of keys in memory, which is used while no book is open. */
function inMemory(): ReplayKeyStore {
  let kept: readonly string[] = []
  return {
    read: async () => [...kept],
    async take(key) {
      const there = kept.includes(key)
      kept = kept.filter((each) => each !== key)
      return there
    },
    async add(keys) {
      kept = [...kept, ...keys].slice(-MAX_IN_MEMORY)
    },
    async startOver(keys) {
      kept = keys
    },
  }
}
