import { within } from '../../core/activity.ts'
import type { OutgoingContext } from '../outgoing/outgoing.ts'
import { sendReserved } from '../outgoing/send-outgoing.ts'
import { PAYOUTS } from './payout-kind.ts'

/**
 * Runs payouts, a limited number at a time. A request that waited in a queue would use up its time limit, and nobody
 * could tell whether it was sent.
 */
export class PayoutRunner {
  readonly #context: () => OutgoingContext
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(context: () => OutgoingContext) {
    this.#context = context
  }

  /** Starts reserved payouts, and waits briefly for their outcomes, so that most commands can show them. */
  async start(ids: readonly string[]): Promise<void> {
    await this.run(
      'payout',
      ids.map((id) => () => sendReserved(this.#context(), PAYOUTS, id)),
    )
  }

  /** Starts other tasks that send money, and waits briefly for them to end. */
  async run(name: string, tasks: readonly (() => Promise<void>)[]): Promise<void> {
    const context = this.#context()
    const ended = tasks.map((task) => context.activity.run(name, () => this.#inTurn(task)))
    await within(context.clock, Promise.all(ended), context.settings.payoutTimeoutMs)
  }

  async #inTurn(task: () => Promise<void>): Promise<void> {
    if (this.#running >= this.#context().settings.maxConcurrentPayouts) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      await task()
    } finally {
      // The longest-waiting task takes this one's place.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
