import type { Facts, Key } from '../i18n/translator.ts'

/** What the front itself cannot do, before tipping was ever asked. Said privately; nothing moved. */
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
