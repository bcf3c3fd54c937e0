import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { type Entropy, uniform } from '../../lib/entropy.ts'

/** The letters and digits of a code, without those that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10
const MAX_WRONG = 5
const PAUSE_MS = 60_000

/**
 * The result of an entered code: `paused` for a minute after five wrong codes, `used` if the code has already been
 * used.
 */
export type CodeOutcome = 'right' | 'wrong' | 'used' | 'paused'

/**
 * The code proves that the person at the page can read this process's output, or has set the code. A code that was made
 * here works once, and five wrong entries replace it. `announce` tells a person each new code.
 */
export class SetUpCode {
  readonly #entropy: Entropy
  readonly #clock: Clock
  readonly #fixed: string | undefined
  readonly #announce: (code: string) => void
  #code = ''
  #used = false
  #wrong = 0
  #pausedUntil = 0

  /** `fixed` is a code that the operator has set, which is never replaced and works repeatedly. */
  constructor(options: {
    readonly fixed: string | undefined
    readonly entropy: Entropy
    readonly clock: Clock
    readonly announce: (code: string) => void
  }) {
    this.#fixed = options.fixed
    this.#entropy = options.entropy
    this.#clock = options.clock
    this.#announce = options.announce
    this.renew()
  }

  /** Whether the operator has set the code, in which case no output shows it. */
  get isFixed(): boolean {
    return this.#fixed !== undefined
  }

  get isUsed(): boolean {
    return this.#used
  }

  /** Makes and announces another code, unless the operator has set the code. */
  renew(): void {
    this.#used = false
    if (this.#fixed !== undefined) {
      this.#code = plain(this.#fixed)
      return
    }
    const letters = Array.from({ length: LENGTH }, () => LETTERS[uniform(this.#entropy, LETTERS.length)])
    this.#code = letters.join('')
    this.#announce(`${this.#code.slice(0, LENGTH / 2)}-${this.#code.slice(LENGTH / 2)}`)
  }

  enter(typed: string): CodeOutcome {
    if (this.#clock.now() < this.#pausedUntil) return 'paused'
    if (this.#used) return 'used'
    if (isSame(plain(typed), this.#code)) {
      this.#wrong = 0
      this.#used = this.#fixed === undefined
      return 'right'
    }
    this.#wrong += 1
    if (this.#wrong < MAX_WRONG) return 'wrong'
    this.#wrong = 0
    this.#pausedUntil = this.#clock.now() + PAUSE_MS
    this.renew()
    return 'paused'
  }
}

/** Normalises a code: without dashes and spaces, in capitals. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

/** Compares two codes in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
