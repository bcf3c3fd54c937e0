import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { GuardedFetch } from '../../lib/http/guarded-fetch.ts'
import type { Logger } from '../../lib/logger.ts'
import { type BeaconChain, isSignatureOfRound } from '../../lib/proofs/beacon.ts'

/** The public beacon for draws. */
export interface Beacons {
  readonly chain: BeaconChain
  readonly configured: boolean
  /** Whether a draw may rely on the beacon: it was reached within the last half hour. */
  readonly reachable: boolean
  /** Returns a round's verified signature in hexadecimal; undefined if it is not available now. Never throws. */
  signatureOf(round: number): Promise<string | undefined>
  /** Checks whether the source can be reached. Never throws. */
  refresh(): Promise<void>
}

/** The time for which draws rely on a source after it was last reached. */
const TRUSTED_MS = 30 * 60_000
/** The interval between checks of whether the beacon can be reached. */
export const ASK_BEACON_EVERY_MS = 10 * 60_000
const TIMEOUT_MS = 5_000

const beaconShape = z.object({ round: z.int().min(1), signature: z.string() })

export interface BeaconSourceOptions {
  /** The value of DRAND_URL; undefined if draws use no beacon. */
  readonly url: string | undefined
  readonly chain: BeaconChain
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly logger: Logger
}

/** Reads a drand server over HTTP. Accepts only answers that bear the chain's signature. */
export class BeaconSource implements Beacons {
  readonly #options: BeaconSourceOptions
  #reachedAtMs: number | undefined

  constructor(options: BeaconSourceOptions) {
    this.#options = options
  }

  get configured(): boolean {
    return this.#options.url !== undefined
  }

  get chain(): BeaconChain {
    return this.#options.chain
  }

  get reachable(): boolean {
    return this.#reachedAtMs !== undefined && this.#options.clock.monotonic() - this.#reachedAtMs <= TRUSTED_MS
  }

  async refresh(): Promise<void> {
    if (this.configured) await this.#ask('latest')
  }

  async signatureOf(round: number): Promise<string | undefined> {
    return this.configured ? await this.#ask(round) : undefined
  }

  async #ask(which: number | 'latest'): Promise<string | undefined> {
    const { url, chain, fetch, clock, logger } = this.#options
    try {
      const { status, body } = await fetch(`${url}/${chain.hash}/public/${which}`, { timeoutMs: TIMEOUT_MS })
      if (status !== 200) throw new Error(`the source answered with HTTP status ${status}`)
      const { round, signature } = beaconShape.parse(JSON.parse(body.toString('utf8')))
      if (which !== 'latest' && round !== which)
        throw new Error(`the source answered with round ${round}, not ${which}`)
      if (!isSignatureOfRound(chain, round, signature)) throw new Error(`the signature of round ${round} is wrong`)
      this.#reachedAtMs = clock.monotonic()
      return signature
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 300) : String(error)
      logger.warn({ reason, which }, 'DRAND_URL gave no beacon')
      return undefined
    }
  }
}
