/** The public beacon's rounds: when each is signed, and what was signed, as the beacon itself gave it out. */
export class Beacons {
  readonly #signatures = new Map<number, string>()
  readonly #genesisMs: number

  /** The first round is of `genesisMs`; one follows every three seconds. */
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

  /** The first round that is signed later than half a minute after an end. */
  roundOfDraw(endMs: number): number {
    let round = Math.floor((endMs - this.#genesisMs) / 3_000)
    while (this.timeOf(round) <= endMs + 30_000) round += 1
    return round
  }
}
