import { setTimeout as pause } from 'node:timers/promises'
import { type AskedChange, beginHistory, type History } from '../../judge/histories/history.ts'
import type { Chance } from '../../world/chance.ts'
import type { ChangeQuestion, Question, WithoutId, WriterAnswer } from './writer.ts'

/** Something that answers clients' requests: a writer process, or a ledger in this process. */
export interface Answerer {
  readonly ready: boolean
  /** Resolves to the answer; undefined if the answerer dies before it has answered. */
  ask(question: WithoutId<Question>): Promise<WriterAnswer | undefined>
}

/** An account that nearly everybody uses. */
export const HOT = 'pool server'
export const ACCOUNTS: readonly string[] = [HOT, ...Array.from({ length: 39 }, (_, i) => `member m${i}`)]
export const COUNTERS: readonly string[] = ['counter-0', 'counter-1']
/** The first balance of each account in msats, small enough that some accounts run dry. */
export const FUNDS = 2_000

/** The pause, in ms, before a client that was told that the book is unavailable asks again. */
const AGAIN_MS = 20

/** Clients that never give up on a change: without an answer they ask another process, until the outcome is certain. */
export class Clients {
  readonly history: History = beginHistory()
  /** The answers that no writer may give. */
  readonly faults: string[] = []
  acknowledged = 0
  refused = 0
  /** The number of changes with an attempt that had no answer. */
  unanswered = 0
  readonly #chance: Chance
  readonly #answerers: readonly Answerer[]
  readonly #done: ChangeQuestion[] = []
  #going = true
  #working: Promise<unknown> = Promise.resolve()

  constructor(chance: Chance, answerers: readonly Answerer[]) {
    this.#chance = chance
    this.#answerers = answerers
  }

  begin(count: number): void {
    this.#working = Promise.all(Array.from({ length: count }, (_, i) => this.#client(i)))
  }

  /** Resolves when every change has its answer. */
  async end(): Promise<void> {
    this.#going = false
    await this.#working
  }

  async #client(index: number): Promise<void> {
    for (let nth = 0; this.#going; nth += 1) {
      const kind = this.#chance.weighted({ change: 20, reading: 4, snapshot: 0.2, repeat: 0.1 })
      if (kind === 'reading') await this.#read()
      else if (kind === 'snapshot') await this.#look()
      else if (kind === 'change') await this.#change(this.#draw(`c${index}-${nth}`))
      else await this.#repeat()
    }
  }

  #draw(operation: string): ChangeQuestion {
    const from = this.#account()
    let to = from
    while (to === from) to = this.#account()
    const counter = this.#chance.happens(0.03) ? this.#chance.one(COUNTERS) : undefined
    return { operation, from, to, amount: this.#chance.between(1, 400), counter }
  }

  #account(): string {
    return this.#chance.happens(0.3) ? HOT : this.#chance.one(ACCOUNTS)
  }

  async #change(asked: ChangeQuestion): Promise<void> {
    const change: AskedChange = {
      ...asked,
      counter: asked.counter,
      asked: now(),
      answered: Infinity,
      outcome: 'unknown',
    }
    this.history.changes.push(change)
    let unknown = false
    for (;;) {
      const answer = await (await this.#anybody()).ask({ kind: 'change', change: asked })
      if (answer === undefined) {
        if (!unknown) this.unanswered += 1
        unknown = true
        continue
      }
      if (answer.outcome === 'unavailable') {
        await pause(AGAIN_MS)
        continue
      }
      // Nobody else asks for this operation, and an unavailable attempt has written nothing.
      if (answer.outcome === 'again' && !unknown)
        this.faults.push(`${asked.operation} was there before it was asked for`)
      if (answer.outcome === 'failed' || answer.outcome === 'read') {
        this.faults.push(`${asked.operation} failed: ${answer.why}`)
        return
      }
      change.answered = now()
      change.outcome = answer.outcome === 'short' ? 'short' : 'written'
      if (change.outcome === 'short') this.refused += 1
      else this.#acknowledge(asked)
      return
    }
  }

  #acknowledge(asked: ChangeQuestion): void {
    this.acknowledged += 1
    if (this.#done.length < 5_000) this.#done.push(asked)
  }

  /** Repeats an acknowledged change, which must not be made twice. */
  async #repeat(): Promise<void> {
    if (this.#done.length === 0) return
    const asked = this.#chance.one(this.#done)
    const answer = await (await this.#anybody()).ask({ kind: 'change', change: asked })
    if (answer === undefined || answer.outcome === 'again' || answer.outcome === 'unavailable') return
    this.faults.push(`${asked.operation} was asked for again, and answered ${answer.outcome} ${answer.why ?? ''}`)
  }

  async #read(): Promise<void> {
    const account = this.#account()
    const [asked, answer] = [now(), await (await this.#anybody()).ask({ kind: 'reading', account })]
    if (answer?.value === undefined) return
    this.history.readings.push({ account, value: answer.value, asked, answered: now() })
  }

  async #look(): Promise<void> {
    const [asked, answer] = [now(), await (await this.#anybody()).ask({ kind: 'snapshot' })]
    if (answer?.value !== undefined) this.history.snapshots.push({ sum: answer.value, asked, answered: now() })
  }

  async #anybody(): Promise<Answerer> {
    for (;;) {
      const ready = this.#answerers.filter((each) => each.ready)
      if (ready.length > 0) return this.#chance.one(ready)
      await pause(AGAIN_MS)
    }
  }
}

function now(): number {
  return performance.now()
}
