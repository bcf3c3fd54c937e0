import type { Facts, Key } from './i18n/translator.ts'

/** What the front itself cannot do, before tipping was ever asked. Said privately; nothing moved. */
export class Declined extends Error {
  override name = 'Declined'
  readonly why: DeclinedKey
  readonly facts: Facts

  constructor(why: DeclinedKey, facts: Facts = {}) {
    super(why)
    this.why = why
    this.facts = facts
  }
}

type DeclinedKey = Extract<Key, `declined.${string}`>
