import { inspect } from 'node:util'
import { hideValue } from '../lib/redaction.ts'

/**
 * A value that must not be shown: when it is printed, logged or converted to JSON, only `[secret]` appears. If another
 * text contains the value, such as a node's error message, the log hides it there, too.
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
