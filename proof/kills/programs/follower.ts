import type { StreamOptions } from '../../../clients/typescript/src/index.ts'
import type { HeardEvent, Sitting } from '../../judge/heard.ts'
import type { Chance } from '../../world/chance.ts'

const SITS_MS = [300, 8_000] as const
/** The probability that the program dies before it has stored its last events, which it then receives again. */
const FORGETS = 0.3
const FORGOTTEN = 4

/**
 * A program that follows a stream of events with Satchel's own client, which resumes after the last received event when
 * the server dies. Sometimes the program dies, too, and resumes after the last event that it stored.
 */
export class Follower {
  readonly name: string
  readonly sittings: Sitting[] = []
  readonly faults: string[] = []
  /** Whether the program sometimes dies. */
  isStormy = true
  readonly #chance: Chance
  readonly #open: (options: StreamOptions) => AsyncIterable<HeardEvent>
  #noted: string | undefined

  /**
   * Creates a program that begins to follow by `open`, whose errors are faults. It begins after the event `from`, or
   * now if that is undefined.
   */
  constructor(
    name: string,
    {
      chance,
      open,
      from,
    }: { chance: Chance; open: (options: StreamOptions) => AsyncIterable<HeardEvent>; from?: string },
  ) {
    this.name = name
    this.#chance = chance
    this.#open = open
    this.#noted = from
  }

  get heard(): number {
    return this.sittings.reduce((sum, { heard }) => sum + heard.length, 0)
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.faults.length === 0) {
      const heard: HeardEvent[] = []
      this.sittings.push({ after: this.#noted, heard })
      const over = AbortSignal.any([signal, AbortSignal.timeout(this.#chance.between(...SITS_MS))])
      try {
        for await (const event of this.#open({ after: this.#noted, signal: over })) heard.push(event)
      } catch (error) {
        this.faults.push(`the stream of ${this.name} ended: ${String(error)}`)
      }
      const forgotten = this.isStormy && this.#chance.happens(FORGETS) ? this.#chance.between(1, FORGOTTEN) : 0
      const noted = heard.slice(0, Math.max(0, heard.length - forgotten))
      this.#noted = noted.at(-1)?.id ?? this.#noted
    }
  }
}
