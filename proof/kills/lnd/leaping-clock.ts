import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'

interface Timer {
  readonly due: number
  readonly action: () => void
  readonly cancel: () => void
}

/**
 * A clock of real time that can jump: everything that becomes due during a jump happens, and real nodes get a moment to
 * answer.
 */
export class LeapingClock implements Clock {
  #leapt = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return systemClock.now() + this.#leapt
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#leapt
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = {
      due: this.monotonic() + Math.max(delayMs, 0),
      action: () => {
        this.#timers.delete(timer)
        timer.cancel()
        action()
      },
      cancel: systemClock.after(delayMs, () => timer.action()),
    }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  /** Lets `ms` pass in steps of `stepMs`, each of which takes `realMs` of real time. */
  async leap(ms: number, { stepMs, realMs }: { readonly stepMs: number; readonly realMs: number }): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.#leapt += Math.min(stepMs, left)
      const due = [...this.#timers].filter((timer) => timer.due <= this.monotonic()).sort((a, b) => a.due - b.due)
      for (const timer of due) if (this.#timers.has(timer)) timer.action()
      await pause(realMs)
    }
  }
}
