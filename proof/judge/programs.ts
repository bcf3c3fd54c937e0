import type { Faults } from './faults.ts'

const DAY_MS = 24 * 3_600_000

/** A reward that a key gave, as the book has it. */
export interface KeyReward {
  readonly id: string
  readonly apiKey: string
  readonly requester: string
  readonly recipient: string
  readonly amount: bigint
  readonly state: string
  /** The operation's key: which key of the server, and which Idempotency-Key. */
  readonly interaction: string
  /** By the book's clock. */
  readonly atMs: number
}

/** One who reads events, from where and how far, and what it was told. */
interface Reader {
  readonly from: number
  cursor: number
  readonly told: Set<number>
}

/** What programs may give by their keys, and what they must hear. */
export class Programs {
  readonly #faults: Faults
  readonly #budgets = new Map<string, bigint>()
  readonly #readers: Reader[] = []

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** A key was made, with what it may give in 24 hours. */
  made(key: string, budget: bigint): void {
    this.#budgets.set(key, budget)
  }

  /** Somebody begins to read after this entry of the book. Gives their number. */
  begins(from: number): number {
    return this.#readers.push({ from, cursor: from, told: new Set() }) - 1
  }

  /** Where a reader goes on. */
  cursorOf(reader: number): number {
    return this.#readers[reader]?.cursor ?? 0
  }

  /** A reader was told these events, in this order, and goes on at the cursor. */
  told(number: number, ids: readonly number[], cursor: number): void {
    const reader = this.#readers[number]
    if (reader === undefined) return
    let last = reader.cursor
    for (const id of ids) {
      this.#faults.expect(id > last, () => `reader ${number} was told the event ${id} after ${last}`)
      last = id
      reader.told.add(id)
    }
    this.#faults.expect(cursor >= last, () => `reader ${number} was told ${last}, and goes on at ${cursor}`)
    reader.cursor = cursor
  }

  /** Everything that the book tells in the end was told to each who has read so far. */
  mustHaveHeard(all: readonly number[]): void {
    for (const [number, { from, cursor, told }] of this.#readers.entries()) {
      const lost = all.filter((id) => id > from && id <= cursor && !told.has(id))
      this.#faults.expect(lost.length === 0, () => `reader ${number} was never told the events ${lost.join(', ')}`)
    }
  }

  /** Each Idempotency-Key was paid once, each key kept to its budget in any 24 hours, and nobody was paid by their own key. */
  judge(rewards: readonly KeyReward[]): void {
    const say = (what: string) => this.#faults.add(what)
    const events = new Map<string, string>()
    for (const { id, apiKey, requester, recipient, interaction, atMs } of rewards) {
      if (recipient === requester) say(`${recipient} was paid by their own key ${apiKey}`)
      const before = events.get(interaction)
      if (before !== undefined) say(`the key ${apiKey} paid twice under one Idempotency-Key: ${before} and ${id}`)
      events.set(interaction, id)
      const ofDay = rewards.filter(
        (other) =>
          other.apiKey === apiKey && other.state !== 'denied' && other.atMs <= atMs && other.atMs > atMs - DAY_MS,
      )
      const sum = ofDay.reduce((all, { amount }) => all + amount, 0n)
      const budget = this.#budgets.get(apiKey)
      if (budget !== undefined && sum > budget) say(`the key ${apiKey} gave ${sum} msats in 24 hours of ${budget}`)
    }
  }
}
