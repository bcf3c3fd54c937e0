import { createHash } from 'node:crypto'
import { MSATS_PER_SAT } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import { performTip } from '../tips/send-tip.ts'
import type { MessageTipCommand, TallyView } from './tallies.ts'
import { viewTally } from './view-tally.ts'

/** Tips whoever wrote a message; the message's one card counts it. */
export async function tipMessage(context: TippingContext, command: MessageTipCommand): Promise<TallyView> {
  const { message, author, origin, ...tip } = command
  const content = [tip.from, message, author.id, tip.amount, tip.note ?? '']
  await context.once.perform({ interaction: origin.interaction, verb: 'tip-message', content }, (digest) =>
    performTip(context, {
      kind: 'tally',
      digest,
      command: { ...tip, to: [author], origin },
      tally: { message, card: tallyCard(message) },
    }),
  )
  return await viewTally(context, message)
}

/** What a ⚡ reaction gives: nothing, unless its owner has said how much. */
export async function tipByReaction(
  context: TippingContext,
  command: Omit<MessageTipCommand, 'amount' | 'note'>,
): Promise<TallyView | undefined> {
  const { reactionTip } = await context.preferences.of(command.from)
  if (reactionTip === undefined) return undefined
  return await tipMessage(context, { ...command, amount: String(reactionTip / MSATS_PER_SAT) })
}

/** A message's card is known before its first tip, so that payouts can name it. A UUID made from the message's id. */
function tallyCard(message: string): string {
  const hash = createHash('sha256').update(`tally of ${message}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
