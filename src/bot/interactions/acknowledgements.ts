import type { Clock } from '../../lib/clock.ts'

/** Acknowledgements under way before everything else waits for them. */
const MAX_UNDER_WAY = 32
/** With so many under way, dry runs included, none begins before another acknowledgement. */
const MAX_BEFORE_DRY_RUN = 4
/** Nobody waits longer than this for others to be acknowledged. */
const MAX_WAIT_MS = 2_000

/**
 * Discord wants to hear of a command within three seconds; its answer has fifteen minutes. So where many commands arrive
 * at once, all of them are acknowledged before any of them is carried out.
 */
export interface Acknowledgements {
  /** Sends one at once. */
  send<Acknowledged>(acknowledge: () => Promise<Acknowledged>): Promise<Acknowledged>
  /** Runs something before one is sent; undefined if there is no time for it. */
  beforehand<Found>(run: () => Promise<Found>): Promise<Found> | undefined
  /** Resolves when most are through, and at the latest in two seconds: time for what comes after one. */
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
