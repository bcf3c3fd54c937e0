import type { Clock } from '../../lib/clock.ts'

/** How many acknowledgements may be under way before everything else waits for them. */
const MAX_UNDER_WAY = 32
/** With this many under way, including dry runs, no dry run begins before another acknowledgement. */
const MAX_BEFORE_DRY_RUN = 4
/** The longest that anybody waits for others to be acknowledged. */
const MAX_WAIT_MS = 2_000

/**
 * Discord must get a command's acknowledgement within three seconds; the answer has fifteen minutes. So if many
 * commands arrive at once, all of them are acknowledged before any of them runs.
 */
export interface Acknowledgements {
  /** Sends an acknowledgement at once. */
  send<Acknowledged>(acknowledge: () => Promise<Acknowledged>): Promise<Acknowledged>
  /** Runs a task before an acknowledgement is sent; undefined if there is no time for it. */
  beforehand<Found>(run: () => Promise<Found>): Promise<Found> | undefined
  /**
   * Resolves when most are sent, but after two seconds at the latest, which leaves time for the work after an
   * acknowledgement.
   */
  drained(): Promise<void>
}

export function createAcknowledgements(clock: Clock): Acknowledgements {
  const waiting = new Set<() => void>()
  let underWay = 0
  return {
    async send(acknowledge) {
      underWay += 1
      try {
        return await acknowledge()
      } finally {
        underWay -= 1
        if (underWay <= MAX_UNDER_WAY) for (const proceed of [...waiting]) proceed()
      }
    },
    beforehand(run) {
      if (underWay >= MAX_BEFORE_DRY_RUN) return undefined
      underWay += 1
      return run().finally(() => {
        underWay -= 1
      })
    },
    drained() {
      if (underWay <= MAX_UNDER_WAY) return Promise.resolve()
      return new Promise((resolve) => {
        const proceed = () => {
          cancel()
          waiting.delete(proceed)
          resolve()
        }
        const cancel = clock.after(MAX_WAIT_MS, proceed)
        waiting.add(proceed)
      })
    },
  }
}
