import { Problem } from '../../lib/problem.ts'
import type { Choice, Prompter } from './prompter.ts'

const AGAIN: Choice = { value: '', label: 'Try again' }

/**
 * Does work for which a person may first have to solve a problem, such as an unreachable node or a folder in use.
 * Describes the problem, and tries again when the person wants it, so that no earlier answer is lost. Resolves to
 * undefined if the person chooses `wayOut`.
 */
export async function untilMended<Result>(
  prompter: Prompter,
  work: () => Promise<Result> | Result,
  wayOut?: Choice,
): Promise<Result | undefined> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      prompter.say(`   ✗ ${error.message}`)
    }
    const other = wayOut === undefined ? '' : ` · "${wayOut.value}": ${wayOut.label.toLowerCase()}`
    const choices = wayOut === undefined ? [AGAIN] : [AGAIN, wayOut]
    const typed = await prompter.ask(`   [Enter] to try again${other}: `, { choices, isAside: true })
    if (wayOut !== undefined && typed.toLowerCase() === wayOut.value) return undefined
  }
}
