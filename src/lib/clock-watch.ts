import type { Clock } from './clock.ts'

/** By how much the wall clock may differ from the monotonic one between two looks: NTP corrects it in small steps. */
const TOLERANCE_MS = 2_000
/** How long the wall clock must have been steady after a jump before times are compared with it again. */
const STEADY_AFTER_MS = 600_000

export interface ClockWatch {
  /** Whether the wall clock has gone at the pace of the monotonic clock, at every look of the last ten minutes. */
  isSteady(): boolean
}

/**
 * Notices that the wall clock was set, by comparing how far it and the monotonic clock went since the last look. What
 * expires by the wall clock waits until it is steady, so that a clock that jumps forth and back expires nothing.
 */
export function createClockWatch(clock: Clock): ClockWatch {
  let offset = clock.now() - clock.monotonic()
  let jumpedAt: number | undefined
  return {
    isSteady() {
      const current = clock.now() - clock.monotonic()
      if (Math.abs(current - offset) > TOLERANCE_MS) jumpedAt = clock.monotonic()
      offset = current
      return jumpedAt === undefined || clock.monotonic() - jumpedAt >= STEADY_AFTER_MS
    },
  }
}
