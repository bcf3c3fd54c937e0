/** The public beacon's rounds: when each is signed, and its signature as the beacon published it. */
export class Beacons {
  readonly #signatures = new Map<number, string>()
  readonly #genesisMs: number

  /** `genesisMs` is the time of the first round; a round follows every three seconds. */
  constructor(genesisMs: number) {
    this.#genesisMs = genesisMs
  }

  said(round: number, signature: string): void {
    this.#signatures.set(round, signature)
  }

  signatureOf(round: number): string | undefined {
    return this.#signatures.get(round)
  }

  timeOf(round: number): number {
    return this.#genesisMs + (round - 1) * 3_000
  }

  /** Returns the first round that is signed more than half a minute after an end. */
  roundOfDraw(endMs: number): number {
    let round = Math.floor((endMs - this.#genesisMs) / 3_000)
    while (this.timeOf(round) <= endMs + 30_000) round += 1
    return round
  }
}
