import type { Clock } from '../lib/clock.ts'

/** So many may be under way before everything else steps aside. */
const MANY = 32
/** With so many under way, nothing else is done before one. */
const FEW = 4
/** Nobody waits longer than this for others to be acknowledged. */
const LONGEST_WAIT_MS = 2_000

/** Discord wants to hear of a command within three seconds; its answer has fifteen minutes. So in a storm … */
export interface Acknowledgements {
  /** … the acknowledgements go out at once … */
  send(acknowledge: () => Promise<unknown>): Promise<void>
  /** … and whatever comes after one waits here until most of the others are through. */
  calm(): Promise<void>
  /** Whether there is time to think before one. */
  readonly quiet: boolean
}

export function createAcknowledgements(clock: Clock): Acknowledgements {
  const waiting = new Set<() => void>()
  let underWay = 0
  return {
    get quiet() {
      return underWay < FEW
    },
    async send(acknowledge) {
      underWay += 1
      try {
        await acknowledge()
      } finally {
        underWay -= 1
        if (underWay <= MANY) for (const proceed of [...waiting]) proceed()
      }
    },
    calm() {
      if (underWay <= MANY) return Promise.resolve()
      return new Promise((resolve) => {
        const proceed = () => {
          cancel()
          waiting.delete(proceed)
          resolve()
        }
        const cancel = clock.after(LONGEST_WAIT_MS, proceed)
        waiting.add(proceed)
      })
    },
  }
}
