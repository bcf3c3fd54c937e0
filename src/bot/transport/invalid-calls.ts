import type { Clock } from '../../lib/clock.ts'

const MINUTE_MS = 60_000
const COUNTED_MINUTES = 10

/**
 * Counts this process's invalid calls of the last ten minutes, as Discord does before it bans an address at 10,000:
 * those that Discord answered with 401, 403 or 429, except a 429 that others caused.
 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export class InvalidCalls {
  readonly #clock: Clock
  /** The number of invalid calls by minute. */
  readonly #counts = new Map<number, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(status: number, scope: string | null): void {
    if (status !== 401 && status !== 403 && (status !== 429 || scope === 'shared')) return
    const minute = this.#minute()
    this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + 1)
  }

  get count(): number {
    const oldest = this.#minute() - COUNTED_MINUTES
    for (const minute of this.#counts.keys()) if (minute < oldest) this.#counts.delete(minute)
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  #minute(): number {
    return Math.floor(this.#clock.monotonic() / MINUTE_MS)
  }
}
