import type { Facts, Key } from '../i18n/translator.ts'

/** A refusal by the front itself, before it asks tipping. It is shown privately, and nothing moved. */
export class CommandRefusal extends Error {
  override name = 'CommandRefusal'
  readonly why: CommandRefusalKey
  readonly facts: Facts

  constructor(why: CommandRefusalKey, facts: Facts = {}) {
    super(why)
    this.why = why
    this.facts = facts
  }
}

type CommandRefusalKey = Extract<Key, `commandRefusals.${string}`>
