import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'

const DAY_MS = 24 * 3_600_000
/** For so long a lone operator may write what they proposed, once the delay is over. */
const LONE_DAYS = 7

const proposal = z.object({
  id: z.string(),
  by: z.string(),
  /** Unix milliseconds. */
  at: z.int(),
  values: z.record(z.string(), z.string()),
})

/** Settings that an operator wants changed. It has secrets in the clear, as the settings file has: never log it. */
export type KeptProposal = z.infer<typeof proposal>

/**
 * Stores the one waiting proposal in a file beside the settings file, for its owner alone. With two operators it waits
 * for the second one, for a day. A lone operator writes it a day later, and has a week for it.
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

  /** Undefined if none waits, or where it has waited too long. A file that was cut is no proposal. */
  read(): KeptProposal | undefined {
    const read = proposal.safeParse(this.#json())
    if (!read.success || this.#clock.now() >= this.until(read.data).getTime()) return undefined
    return read.data
  }

  /** When it may be written; undefined: as soon as a second operator agrees. */
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
      `${this.#file} cannot be written (${code}). Give this user permission to write in its folder, or name another settings file in SETTINGS_FILE.`,
      { cause: error },
    )
  }
}
