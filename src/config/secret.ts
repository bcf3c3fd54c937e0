import { inspect } from 'node:util'
import { hideValue } from '../lib/redaction.ts'

/**
 * A value that must not be printed: whatever shows it, logs it or writes it as JSON gets `[secret]`. Where a text quotes it,
 * such as an error of a node, the log leaves it out.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    hideValue(value)
  }

  /** The value itself, for the one place that needs it. */
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
