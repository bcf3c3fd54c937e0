import type { Logger } from '../lib/logger.ts'
import { LedgerUnavailable, Refusal } from '../tipping/tipping.ts'
import { Declined } from './declined.ts'
import { refusalWords } from './refusal-words.ts'
import type { Words } from './words.ts'

/** What is said of what went wrong: refusals become words, everything else a reference that the log knows. */
export function explanation(error: unknown, words: Words, log: Logger): string {
  if (error instanceof Refusal) {
    log.info({ refusal: error.code }, 'refused')
    return refusalWords(error, words)
  }
  if (error instanceof Declined) {
    log.info({ declined: error.why }, 'declined')
    return words.say(error.why, error.facts)
  }
  if (error instanceof LedgerUnavailable) {
    log.error({ err: error }, 'the database could not be written')
    return words.say('declined.unavailable')
  }
  const reference = referenceOf(log.bindings().interaction)
  log.error({ reference, err: error }, 'a command failed')
  return words.say('declined.unexpected', { reference })
}

/** Short enough to be read out: the last characters of the interaction's id in base 36. */
function referenceOf(interaction: unknown): string {
  return BigInt(String(interaction)).toString(36).slice(-7).toUpperCase()
}
