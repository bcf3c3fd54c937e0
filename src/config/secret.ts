import { inspect } from 'node:util'
import { hideValue } from '../lib/redaction.ts'

/**
 * A value that must not be printed: printing, logging or JSON shows `[secret]`. If a text quotes the value, such as a
 * node's error, the log leaves it out.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    hideValue(value)
  }

  /** Returns the value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
