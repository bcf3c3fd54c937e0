import type { Clock } from '../../lib/clock.ts'
import { createTurns } from '../../lib/turns.ts'

/** The most acknowledgements that may be under way before everything else waits. */
const MAX_UNDER_WAY = 32
/** The number of acknowledgements and dry runs under way at which no further dry run begins. */
const MAX_BEFORE_DRY_RUN = 4
/** The longest time that a command waits until others are acknowledged. */
const MAX_WAIT_MS = 2_000
/**
 * The number of commands that are acknowledged, and the number that begin, in one turn of the event loop. Each command
 * takes up to two milliseconds.
 */
const A_TURN = 8

/**
 * The queue that puts acknowledgements before everything else. Discord must receive a command's acknowledgement within
 * three seconds, but its answer only within fifteen minutes. If many commands arrive at once, they are first
 * acknowledged, and only then run.
 */
export interface Acknowledgements {
  /**
   * Resolves when a command that has arrived may be acknowledged. Only a few commands may be acknowledged in each turn
   * of the event loop.
   */
  heard(): Promise<void>
  /** Sends an acknowledgement immediately. */
  send<Acknowledged>(acknowledge: () => Promise<Acknowledged>): Promise<Acknowledged>
  /** Runs a task before an acknowledgement is sent; undefined if there is no time for the task. */
  beforehand<Found>(run: () => Promise<Found>): Promise<Found> | undefined
  /**
   * Resolves when most acknowledgements have been sent, but after two seconds at the latest, so that the commands
   * themselves still have time. Only a few commands continue in each turn of the event loop.
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
