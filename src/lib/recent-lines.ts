import type { Clock } from './clock.ts'
import { redactText } from './redaction.ts'

const RETENTION_MS = 60 * 60_000
const MAX_LINES = 5_000
const MAX_CHARACTERS = 1_000_000
/** The most characters of one line. A limit is necessary because a stack of causes can be long. */
const MAX_LINE = 8_000

/**
 * The log's lines of the last hour, in memory. Their number is limited, so a process that logs much stores less than an
 * hour.
 */
export class RecentLines {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #lines: { readonly at: number; readonly text: string }[] = []
  #characters = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  add(line: string): void {
    const text = line.length > MAX_LINE ? cutShort(line) : line
    this.#lines.push({ at: this.#clock.monotonic(), text })
    this.#characters += text.length
    while (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.text.length ?? 0
    }
  }

  /** Returns the lines, newest first. Also redacts text that has become a secret since it was logged. */
  list(): string[] {
    const since = this.#clock.monotonic() - RETENTION_MS
    const lines = this.#lines.filter(({ at }) => at > since)
    return lines.reverse().map(({ text }) => redactText(text))
  }
}

/** Shortens a line, but leaves its time, level and message readable. */
function cutShort(line: string): string {
  try {
    const { level, time, name, part, msg } = JSON.parse(line) as Record<string, unknown>
    const text = typeof msg === 'string' ? msg.slice(0, MAX_LINE / 2) : undefined
    return JSON.stringify({ level, time, name, part, cut: line.length, msg: text })
  } catch {
    return line.slice(0, MAX_LINE)
  }
}
