import type { Clock } from '../../lib/clock.ts'
import { createTurns } from '../../lib/turns.ts'

/** How many acknowledgements may be under way before everything else waits for them. */
const MAX_UNDER_WAY = 32
/** With this many under way, including dry runs, no dry run begins before another acknowledgement. */
const MAX_BEFORE_DRY_RUN = 4
/** The longest time that a command waits until others are acknowledged. */
const MAX_WAIT_MS = 2_000
/** How many commands are acknowledged, and how many begin, in one turn of the event loop. Each takes up to two milliseconds. */
const A_TURN = 8

/**
 * Discord must get a command's acknowledgement within three seconds; the answer has fifteen minutes. So if many
 * commands arrive at once, all of them are acknowledged before any of them runs.
 */
export interface Acknowledgements {
  /**
   * Resolves when an arrived command may be acknowledged. A few commands may be acknowledged in each turn of the event
   * loop.
   */
  heard(): Promise<void>
  /** Sends an acknowledgement immediately. */
  send<Acknowledged>(acknowledge: () => Promise<Acknowledged>): Promise<Acknowledged>
  /** Runs a task before an acknowledgement is sent; undefined if there is no time for it. */
  beforehand<Found>(run: () => Promise<Found>): Promise<Found> | undefined
  /**
   * Resolves when most are sent, but after two seconds at the latest, which leaves time for the work after an
   * acknowledgement. A few may continue in each turn of the event loop.
   */
  drained(): Promise<void>
}

export function createAcknowledgements(clock: Clock): Acknowledgements {
  const waiting = new Set<() => void>()
  const [toAcknowledge, toBegin] = [createTurns(A_TURN), createTurns(A_TURN)]
  let underWay = 0

  function untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      const proceed = () => {
        cancel()
        waiting.delete(proceed)
        resolve()
      }
      const cancel = clock.after(MAX_WAIT_MS, proceed)
      waiting.add(proceed)
    })
  }

  async function counted<T>(run: () => Promise<T>): Promise<T> {
    underWay += 1
    try {
      return await run()
    } finally {
      underWay -= 1
      if (underWay <= MAX_UNDER_WAY) for (const proceed of [...waiting]) proceed()
    }
  }

  return {
    heard: () => counted(toAcknowledge),
    send: counted,
    beforehand(run) {
      if (underWay >= MAX_BEFORE_DRY_RUN) return undefined
      underWay += 1
      return run().finally(() => {
        underWay -= 1
      })
    },
    async drained() {
      if (underWay > MAX_UNDER_WAY) await untilDrained()
      await toBegin()
    },
  }
}
