import type { Faults } from './faults.ts'

const DAY_MS = 24 * 3_600_000

/** A reward that was given with a key, as recorded in the book. */
export interface KeyReward {
  readonly id: string
  readonly apiKey: string
  readonly requester: string
  readonly recipient: string
  readonly amount: bigint
  readonly state: string
  /** The operation's key: the server's API key, and the Idempotency-Key. */
  readonly interaction: string
  /** The time by the book's clock. */
  readonly atMs: number
}

/** A reader of events: where it began, how far it has read, and which events it was told. */
interface Reader {
  readonly from: number
  cursor: number
  readonly told: Set<number>
}

/** Judges programs' rewards by the limits of their keys, and the events that programs must receive. */
export class Programs {
  readonly #faults: Faults
  readonly #budgets = new Map<string, bigint>()
  readonly #readers: Reader[] = []
  /** Webhooks by the path of their addresses: the entry after which each begins, and the events that it received. */
  readonly #webhooks = new Map<string, { readonly from: number; readonly heard: Set<number> }>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes a new key, and its budget for 24 hours. */
  made(key: string, budget: bigint): void {
    this.#budgets.set(key, budget)
  }

  /** Notes that somebody begins to read after this entry of the book. Returns the reader's number. */
  begins(from: number): number {
    return this.#readers.push({ from, cursor: from, told: new Set() }) - 1
  }

  /** The numbers of all readers. */
  get readers(): readonly number[] {
    return [...this.#readers.keys()]
  }

  /** Returns the number of the last event that a reader has stored, after which the reader continues. */
  cursorOf(reader: number): number {
    return this.#readers[reader]?.cursor ?? 0
  }

  /** Notes that a reader was told these events, in this order. */
  told(number: number, ids: readonly number[]): void {
    const reader = this.#readers[number]
    if (reader === undefined) return
    for (const id of ids) {
      const { cursor } = reader
      this.#faults.expect(id > cursor, () => `reader ${number} was told the event ${id} after ${cursor}`)
      reader.cursor = id
      reader.told.add(id)
    }
  }

  /** Checks that each reader was told all events of its server since it began, and no others. */
  mustHaveHeard(all: readonly number[]): void {
    for (const [number, { from, told }] of this.#readers.entries()) {
      const due = new Set(all.filter((id) => id > from))
      const [lost, invented] = [due.difference(told), told.difference(due)]
      this.#faults.expect(lost.size === 0, () => `reader ${number} was never told the events ${[...lost].join(', ')}`)
      const what = () => `reader ${number} was told the events ${[...invented].join(', ')}, which are none`
      this.#faults.expect(invented.size === 0, what)
    }
  }

  /** Checks that each gift in the book has one event. */
  mustBeTold(gifts: readonly string[], told: readonly string[]): void {
    const [there, events] = [new Set(gifts), new Set(told)]
    const twice = told.filter((gift, n) => told.indexOf(gift) !== n)
    const wrong = [...there.symmetricDifference(events), ...twice]
    this.#faults.expect(wrong.length === 0, () => `not one event tells of each of the gifts ${wrong.join(', ')}`)
  }

  get webhooks(): number {
    return this.#webhooks.size
  }

  /** Notes that a webhook was made before this entry of the book. */
  listens(path: string, from: number): void {
    this.#webhooks.set(path, { from, heard: this.#webhooks.get(path)?.heard ?? new Set() })
  }

  /** Notes that a webhook was sent an event, perhaps again. */
  hears(path: string, id: number): void {
    const webhook = this.#webhooks.get(path) ?? { from: Number.POSITIVE_INFINITY, heard: new Set() }
    this.#webhooks.set(path, webhook)
    webhook.heard.add(id)
  }

  /** Checks that all events up to the webhook's cursor in the book have arrived. */
  mustHaveArrived(path: string, cursor: number, all: readonly number[]): void {
    const webhook = this.#webhooks.get(path)
    if (webhook === undefined) return
    const lost = all.filter((id) => id > webhook.from && id <= cursor && !webhook.heard.has(id))
    this.#faults.expect(lost.length === 0, () => `the webhook ${path} was never sent the events ${lost.join(', ')}`)
  }

  /**
   * Checks that each Idempotency-Key was paid once, each key kept to its budget in any 24 hours, and nobody was paid by
   * their own key.
   */
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
