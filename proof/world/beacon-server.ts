import type { Clock } from '../../src/lib/clock.ts'
import { roundAfter } from '../../src/lib/proofs/beacon.ts'
import { createBeaconChain } from '../../test/support/beacon-chain.ts'
import type { Reply } from './network.ts'
import type { Server } from './simulated-http.ts'

export const BEACON_HOST = 'beacons.example'

/** The time of the first round, before any world begins. */
const GENESIS_MS = Date.UTC(2029, 11, 1)

/**
 * A public beacon: it signs each round when the round is due in the world's true time, and serves the signature to
 * anybody who requests it later.
 */
export class BeaconServer {
  readonly #own = createBeaconChain(GENESIS_MS)
  readonly #signed = new Map<number, string>()
  readonly #clock: Clock
  readonly #onSigned: (round: number, signature: string) => void

  constructor(clock: Clock, onSigned: (round: number, signature: string) => void) {
    this.#clock = clock
    this.#onSigned = onSigned
  }

  /** A bot's settings for this beacon. */
  get options() {
    return { drandUrl: `https://${BEACON_HOST}`, beaconChain: this.#own.chain }
  }

  readonly server: Server = async ({ url }): Promise<Reply> => {
    const latest = roundAfter(this.#own.chain, this.#clock.now()) - 1
    const which = url.pathname.split('/').at(-1) ?? ''
    const round = which === 'latest' ? latest : Number(which)
    const headers = { 'content-type': 'application/json' }
    if (round > latest) return { status: 404, headers, body: '{}' }
    return { status: 200, headers, body: JSON.stringify({ round, signature: this.#sign(round) }) }
  }

  #sign(round: number): string {
    const signature = this.#signed.get(round) ?? this.#own.sign(round)
    this.#signed.set(round, signature)
    this.#onSigned(round, signature)
    return signature
  }
}
