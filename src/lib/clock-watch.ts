import type { Clock } from './clock.ts'

export interface ClockWatchOptions {
  /**
   * How far the wall clock may deviate from the monotonic clock between two checks, because NTP corrects it in small
   * steps.
   */
  readonly toleranceMs: number
  /** How long both clocks must have run at the same pace after a jump before the wall clock is trusted again. */
  readonly steadyAfterMs: number
}

export interface ClockWatch {
  /** Whether the wall clock has run at the monotonic clock's pace, in every check of the last `steadyAfterMs`. */
  isSteady(): boolean
}

/**
 * Notices that the wall clock was set, by comparing how far it and the monotonic clock have moved since the last check.
 * Expiry by the wall clock waits until that clock is steady, so a clock that jumps back and forth expires nothing.
 */
export function createClockWatch(clock: Clock, { toleranceMs, steadyAfterMs }: ClockWatchOptions): ClockWatch {
  let offset = clock.now() - clock.monotonic()
  let jumpedAt: number | undefined
  return {
    isSteady() {
      const current = clock.now() - clock.monotonic()
      if (Math.abs(current - offset) > toleranceMs) jumpedAt = clock.monotonic()
      offset = current
      return jumpedAt === undefined || clock.monotonic() - jumpedAt >= steadyAfterMs
    },
  }
}
