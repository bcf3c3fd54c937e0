import type { Clock } from '../../../lib/clock.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'

const WINDOW_MS = 600_000

/** Keeps guessers of voucher codes out. */
export interface WrongCodes {
  /**
   * Runs a look-up of a code for `guesser`, which counts as a wrong guess until `right` is called. Throws ServiceRefusal
   * (too_many_wrong_codes) without looking anything up after `most` wrong guesses within ten minutes.
   */
  guard<T>(guesser: Guesser, lookUp: (right: () => void) => Promise<T>): Promise<T>
}

/** Who tries codes, and how many wrong ones they have within ten minutes: ten for a user, 300 for a project's key. */
export type Guesser = { readonly user: string } | { readonly apiKey: string }

interface Guess {
  /** Monotonic ms. */
  readonly at: number
}

/** Counts in memory, over a sliding window. Guesses that run at the same time are counted before they are answered. */
export function createWrongCodes(clock: Clock): WrongCodes {
  const guesses = new Map<string, readonly Guess[]>()
  return {
    async guard(guesser, lookUp) {
      const [name, most] = 'user' in guesser ? [`user:${guesser.user}`, 10] : [`key:${guesser.apiKey}`, 300]
      const now = clock.monotonic()
      const recent = (guesses.get(name) ?? []).filter(({ at }) => now - at < WINDOW_MS)
      // The one that has to be forgotten before there is room for another.
      const oldest = recent.at(-most)
      if (oldest !== undefined) throw lockedOut(oldest.at + WINDOW_MS - now)
      const guess = { at: now }
      guesses.set(name, [...recent, guess])
      return lookUp(() => {
        const wrong = (guesses.get(name) ?? []).filter((other) => other !== guess)
        guesses.set(name, wrong)
      })
    },
  }
}

function lockedOut(waitMs: number): ServiceRefusal {
  const seconds = Math.ceil(waitMs / 1_000)
  return new ServiceRefusal(
    'too_many_wrong_codes',
    `Too many wrong voucher codes. Try again in ${Math.ceil(seconds / 60)} min.`,
    { 'retry-after': String(seconds) },
  )
}
