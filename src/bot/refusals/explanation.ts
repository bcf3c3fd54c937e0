import type { Logger } from '../../lib/logger.ts'
import { LedgerUnavailable, TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { inviteButton } from '../installation/invitation.ts'
import type { Message } from '../messages/message.ts'
import { refusal } from '../messages/panel.ts'
import type { BudgetReader } from './budget-remedies.ts'
import { CommandRefusal } from './command-refusal.ts'
import { refusalText } from './refusal-text.ts'

/** Explains a failure. A text about an unexpected error contains only a reference, which is also in the log. */
export function explanation(error: unknown, t: Translator, log: Logger, reader?: BudgetReader): string {
  if (error instanceof TippingRefusal) {
    log.info({ refusal: error.code }, 'refused')
    return refusalText(error, t, reader)
  }
  if (error instanceof CommandRefusal) {
    log.info({ refused: error.why }, 'refused')
    return t(error.why, error.facts)
  }
  if (error instanceof LedgerUnavailable) {
    log.error({ err: error }, 'the database could not be written')
    return t('commandRefusals.unavailable')
  }
  const reference = referenceOf(log.bindings().interaction)
  log.error({ reference, err: error }, 'a command failed')
  return t('commandRefusals.unexpected', { reference })
}

/** Returns the explanation as a message, with a button that invites the bot if that would help. */
export function refusalOf(
  error: unknown,
  t: Translator,
  { log, application, caller }: { log: Logger; application: string; caller: BudgetReader },
): Message {
  const said = refusal(explanation(error, t, log, caller))
  const takesInvitation = error instanceof CommandRefusal && INVITING.includes(error.why)
  return takesInvitation ? { ...said, buttons: [inviteButton(application, t)] } : said
}

const INVITING: readonly string[] = ['commandRefusals.servers-only', 'commandRefusals.only-you']

/** Returns a reference short enough to be read out: the last characters of the interaction's id in base 36. */
function referenceOf(interaction: unknown): string {
  return BigInt(String(interaction)).toString(36).slice(-7).toUpperCase()
}
