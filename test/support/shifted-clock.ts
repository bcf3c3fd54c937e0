import { type Clock, systemClock } from '../../src/lib/clock.ts'

/**
 * A clock that can be moved forward, wall and monotonic together, as if time had passed. Timers that were already set
 * do not fire earlier, so restart the bot.
 */
export class ShiftedClock implements Clock {
  shiftMs = 0
  now = () => systemClock.now() + this.shiftMs
  monotonic = () => systemClock.monotonic() + this.shiftMs
  after = (delayMs: number, action: () => void) => systemClock.after(delayMs, action)
}
