import type { Facts, Key } from '../i18n/translator.ts'

/** A refusal by the front itself, before it calls tipping. The refusal is shown privately, and nothing has moved. */
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
