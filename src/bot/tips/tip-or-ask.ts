import type { TipCommand } from '../../tipping/tipping.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Asking, Outcome } from '../interactions/command.ts'
import { colour, panel } from '../messages/panel.ts'

/**
 * Sends a tip, but asks its giver for a private confirmation first if the tip is large. A giver whose balance is too
 * small, or who has no wallet if there are no balances, privately gets an invoice.
 */
export async function tipOrAsk({ tipping, t, announced }: Asking, command: TipCommand): Promise<Outcome> {
  const given = await tipping.invoicedTips.ask({ ...command, announced })
  if ('asked' in given) return confirmationOutcome(given, t)
  if ('missing' in given || 'invoice' in given) return { card: given.card, isPrivate: true }
  if (command.anonymous) return { say: { embeds: [panel(colour.done, t('tip.anonymousSent'))] } }
  return { card: given.card }
}
