import type { Faults } from './faults.ts'

interface MadeRule {
  /** The msats of each reward, and the most that all rewards of a month may cost. */
  readonly amount: bigint
  readonly budget: bigint
}

/** A reward that was paid by a rule, as recorded in the book. */
export interface RuleReward {
  readonly id: string
  readonly rule: string
  readonly requester: string
  readonly recipient: string
  readonly amount: bigint
  readonly state: string
  /** The operation's key: the rule, and the event that it paid for. */
  readonly interaction: string
  /** The month in UTC, such as 2030-01. */
  readonly month: string
}

/** Judges rules' payments by the rules' limits and the recipients of events. */
export class Rules {
  readonly #faults: Faults
  readonly #made = new Map<string, MadeRule>()
  readonly #somethingHappenedTo = new Set<string>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  made(id: string, rule: MadeRule): void {
    this.#made.set(id, rule)
  }

  told(recipient: string): void {
    this.#somethingHappenedTo.add(recipient)
  }

  /**
   * Checks that each event was paid once, each rule kept to its amount and budget, and nobody was paid by their own
   * rule.
   */
  judge(rewards: readonly RuleReward[]): void {
    const say = (what: string) => this.#faults.add(what)
    const events = new Map<string, string>()
    const spent = new Map<string, bigint>()
    for (const { id, rule, requester, recipient, amount, state, interaction, month } of rewards) {
      const made = this.#made.get(rule)
      if (made !== undefined && amount !== made.amount) say(`the rule ${rule} of ${made.amount} msats gave ${amount}`)
      if (recipient === requester) say(`${recipient} was paid by their own rule ${rule}`)
      if (!this.#somethingHappenedTo.has(recipient))
        say(`the rule ${rule} paid ${recipient}, of whom nothing was heard`)
      const before = events.get(interaction)
      if (before !== undefined) say(`the rule ${rule} paid twice for one event: ${before} and ${id}`)
      events.set(interaction, id)
      const sum = (spent.get(`${rule} ${month}`) ?? 0n) + (state === 'denied' ? 0n : amount)
      spent.set(`${rule} ${month}`, sum)
      if (made !== undefined && sum > made.budget)
        say(`the rule ${rule} gave ${sum} msats in ${month} of ${made.budget}`)
    }
  }
}
