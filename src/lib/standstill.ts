import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'

/** The precision of the measurement in milliseconds. The timer itself is late by this much, which is subtracted. */
const RESOLUTION_MS = 10
const WINDOW_MS = 60_000
/** The length of a standstill from which it is logged. Discord waits three seconds for an acknowledgement. */
const ALERT_MS = 1_000

/** Returns the longest time in the last one or two minutes during which the process did not answer, in milliseconds. */
export type Standstill = () => number

/** The measured delays of the event loop in nanoseconds, from `perf_hooks`. */
type Delays = Pick<ReturnType<typeof monitorEventLoopDelay>, 'max' | 'reset'>

/** Measures how long the process does not answer, and logs an alert if that is a second or longer. */
export function watchStandstill(
  { clock, logger }: { readonly clock: Pick<Clock, 'after'>; readonly logger: Pick<Logger, 'error'> },
  delays: Delays = measure(),
): Standstill {
  let before = 0
  const longest = () => Math.max(delays.max / 1_000_000 - RESOLUTION_MS, 0)
  const turn = () => {
    before = longest()
    delays.reset()
    if (before >= ALERT_MS) {
      const ms = Math.round(before)
      logger.error(
        { alert: 'standstill', ms },
        `nobody was answered for ${ms} ms: look for what took so long, and report it`,
      )
    }
    clock.after(WINDOW_MS, turn)
  }
  clock.after(WINDOW_MS, turn)
  return () => Math.max(before, longest())
}

function measure(): Delays {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  return delays
}

/** Adds the longest standstill to the figures for Prometheus. */
export function addStandstill(registry: Registry, standstill: Standstill | undefined): void {
  if (standstill === undefined) return
  new Gauge({
    name: 'satchel_standstill_seconds',
    help: 'The longest time in the last one or two minutes in which the process answered nobody.',
    registers: [registry],
    collect() {
      this.set(standstill() / 1_000)
    },
  })
}
