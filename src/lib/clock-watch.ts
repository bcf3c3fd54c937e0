import type { Clock } from './clock.ts'

export interface ClockWatchOptions {
  /** By how much the wall clock may differ from the monotonic one between two looks: NTP corrects it in small steps. */
  readonly toleranceMs: number
  /** How long both must have gone at one pace after a jump before the wall clock is believed again. */
  readonly steadyAfterMs: number
}

export interface ClockWatch {
  /** Whether the wall clock has gone at the pace of the monotonic clock, at every look since `steadyAfterMs`. */
  isSteady(): boolean
}

/**
 * Notices that the wall clock was set, by comparing how far it and the monotonic clock went since the last look. Expiry
 * by the wall clock waits until it is steady, so that a clock that jumps forth and back expires nothing.
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
