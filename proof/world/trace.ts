import { createHash } from 'node:crypto'
import type { Timeline } from './timeline.ts'

const LATEST = 60

/** A world's events, line by line. Two runs of the same seed write the same lines, as equal fingerprints show. */
export class Trace {
  readonly #timeline: Timeline
  readonly #hash = createHash('sha256')
  readonly #write: ((line: string) => void) | undefined
  readonly latest: string[] = []

  constructor(timeline: Timeline, write?: (line: string) => void) {
    this.#timeline = timeline
    this.#write = write
  }

  note(text: string): void {
    const line = `${this.#timeline.monotonic()} ${text}`
    this.#hash.update(`${line}\n`)
    this.latest.push(line)
    if (this.latest.length > LATEST) this.latest.shift()
    this.#write?.(line)
  }

  fingerprint(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }
}
