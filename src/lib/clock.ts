/**
 * A source of time that a test or a simulation can control. `now` is the wall clock (milliseconds since 1970, may
 * jump); `monotonic` only goes forward (milliseconds since an arbitrary start).
 */
export interface Clock {
  now(): number
  monotonic(): number
  /**
   * Runs `action` once after `delayMs`. The returned function cancels the timer. A pending timer does not keep a
   * process alive.
   */
  after(delayMs: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, action) {
    // setTimeout wraps around at 2^31 ms (24.8 days), which must not make a timer fire early.
    const timer = setTimeout(action, Math.min(Math.max(delayMs, 0), 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `delayMs` of the clock's time. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve))
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
