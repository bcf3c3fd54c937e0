import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'

const DAY_MS = 24 * 3_600_000
/** For how many days after the delay a single operator may apply their proposal. */
const LONE_DAYS = 7

const proposal = z.object({
  id: z.string(),
  by: z.string(),
  /** When it was proposed, in Unix milliseconds. */
  at: z.int(),
  values: z.record(z.string(), z.string()),
})

/** Settings that an operator proposes. Like the settings file, they contain secrets in the clear, so never log them. */
export type KeptProposal = z.infer<typeof proposal>

/**
 * Stores the only waiting proposal in a file beside the settings file, which only the file's owner can read. If there
 * are two operators, the proposal waits a day for the second one. A single operator may apply it a day later, and then
 * for a week.
 */
export class ProposalFile {
  readonly #file: string
  readonly #clock: Clock
  readonly #isAlone: boolean

  constructor(settingsFile: string, clock: Clock, isAlone: boolean) {
    this.#file = `${settingsFile}.proposed`
    this.#clock = clock
    this.#isAlone = isAlone
  }

  /** Returns the waiting proposal; undefined if there is none, it has expired, or its file cannot be read. */
  read(): KeptProposal | undefined {
    const read = proposal.safeParse(this.#json())
    if (!read.success || this.#clock.now() >= this.until(read.data).getTime()) return undefined
    return read.data
  }

  /** Returns when a proposal may be applied; undefined if it may be applied as soon as a second operator agrees. */
  from({ at }: KeptProposal): Date | undefined {
    return this.#isAlone ? new Date(at + DAY_MS) : undefined
  }

  until({ at }: KeptProposal): Date {
    return new Date(at + DAY_MS + (this.#isAlone ? LONE_DAYS * DAY_MS : 0))
  }

  /** Stores a proposal in place of any other. Throws Problem if the file cannot be written. */
  write(kept: KeptProposal): void {
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(kept), { mode: 0o600, flush: true })
      renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      throw this.#problem(error)
    }
  }

  remove(): void {
    try {
      rmSync(this.#file, { force: true })
    } catch (error) {
      throw this.#problem(error)
    }
  }

  #json(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {
      return undefined
    }
  }

  #problem(error: unknown): Problem {
    const { code } = error as { code?: string }
    return new Problem(
      `${this.#file} cannot be written (${code}). Give the user that runs Satchel permission to write in the folder of this file, or set SETTINGS_FILE to another file.`,
      { cause: error },
    )
  }
}
