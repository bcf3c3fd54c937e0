import type { Clock } from '../../lib/clock.ts'

/** Calls under way before everything else steps aside. */
const MAX_UNDER_WAY = 32
/** With so many under way, thoughts before one included, nothing else is done before another. */
const MAX_BEFORE_DRY_RUN = 4
/** Nobody waits longer than this for others to be acknowledged. */
const MAX_WAIT_MS = 2_000

/** Discord wants to hear of a command within three seconds; its answer has fifteen minutes. So in a storm … */
export interface Acknowledgements {
  /** … the acknowledgements go out at once … */
  send<Acknowledged>(acknowledge: () => Promise<Acknowledged>): Promise<Acknowledged>
  /** … and whatever comes after one waits here until most of the others are through. */
  calm(): Promise<void>
  /** Thinks before one, where there is time; undefined where there is none. */
  think<Thought>(think: () => Promise<Thought>): Promise<Thought> | undefined
}

export function createAcknowledgements(clock: Clock): Acknowledgements {
  const waiting = new Set<() => void>()
  let underWay = 0
  return {
    think(think) {
      if (underWay >= MAX_BEFORE_DRY_RUN) return undefined
      underWay += 1
      return think().finally(() => {
        underWay -= 1
      })
    },
    async send(acknowledge) {
      underWay += 1
      try {
        return await acknowledge()
      } finally {
        underWay -= 1
        if (underWay <= MAX_UNDER_WAY) for (const proceed of [...waiting]) proceed()
      }
    },
    calm() {
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
