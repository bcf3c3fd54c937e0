import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'

const DAY_MS = 24 * 3_600_000
/** How many days a single operator may apply their proposal after the delay. */
const LONE_DAYS = 7

const proposal = z.object({
  id: z.string(),
  by: z.string(),
  /** In Unix milliseconds. */
  at: z.int(),
  values: z.record(z.string(), z.string()),
})

/**
 * Settings that an operator wants to change. They contain secrets in the clear, like the settings file, so never log
 * them.
 */
export type KeptProposal = z.infer<typeof proposal>

/**
 * Stores the only waiting proposal in a file beside the settings file, for its owner alone. With two operators it waits
 * a day for the second one. A single operator may apply it a day later, within a week.
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

  /** Undefined if no proposal waits, or it has expired. A truncated file counts as none. */
  read(): KeptProposal | undefined {
    const read = proposal.safeParse(this.#json())
    if (!read.success || this.#clock.now() >= this.until(read.data).getTime()) return undefined
    return read.data
  }

  /** Returns when it may be applied; undefined: as soon as a second operator agrees. */
  from({ at }: KeptProposal): Date | undefined {
    return this.#isAlone ? new Date(at + DAY_MS) : undefined
  }

  until({ at }: KeptProposal): Date {
    return new Date(at + DAY_MS + (this.#isAlone ? LONE_DAYS * DAY_MS : 0))
  }

  /** Throws Problem if it cannot be written. */
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
