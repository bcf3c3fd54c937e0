import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { WithdrawalView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Button, Outcome, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { CANCEL_CODE_VERB, CODE_VERB, drawWithdrawal } from './draw-withdrawal.ts'

/** Confirms and sends a withdrawal. The message that asked becomes the card that shows the progress. */
export const withdrawConfirm = {
  verb: 'withdraw-confirm',
  names: 'own',
  answer: 'update',
  async press(press: Press) {
    const { record: withdrawal, member, origin, tipping } = press
    return await shown(press, await tipping.withdrawals.confirm({ withdrawal, member, origin }))
  },
} satisfies Button

export const withdrawCancel = {
  verb: 'withdraw-cancel',
  names: 'own',
  answer: 'update',
  async press(press: Press) {
    const { record: withdrawal, member, origin, tipping } = press
    return await shown(press, await tipping.withdrawals.cancel({ withdrawal, member, origin }))
  },
} satisfies Button

/** Sends a message with only a withdrawal's code, so that a phone can copy it. */
export const withdrawCode = {
  verb: CODE_VERB,
  names: 'own',
  answer: 'private',
  async press({ record, member, tipping }: Press) {
    const card = await tipping.cards.get(record)
    if (card?.kind !== 'withdrawal') throw new CommandRefusal('commandRefusals.stale-button')
    const view = await tipping.withdrawals.view(card.record)
    if (view.member !== member || view.state !== 'offered' || view.request === undefined) {
      throw new CommandRefusal('commandRefusals.withdrawal-over')
    }
    return { say: { content: view.request } }
  },
} satisfies Button

/** Ends the code of a withdrawal. The card then shows the outcome. */
export const withdrawCancelCode = {
  verb: CANCEL_CODE_VERB,
  names: 'own',
  answer: 'private',
  async press({ record: withdrawal, member, origin, tipping, t }: Press) {
    const ended = await tipping.withdrawals.cancelCode({ withdrawal, member, origin })
    const text = t(ended === 'cancelled' ? 'withdrawal.codeCancelled' : 'withdrawal.claimed')
    return { say: { embeds: [panel(ended === 'cancelled' ? colour.over : colour.inFlight, text)] } }
  },
} satisfies Button

/**
 * Returns the card if this press created it; otherwise the outcome of an earlier press, because a card has one place.
 */
export async function shown({ origin, tipping, t, links }: Asking, view: WithdrawalView): Promise<Outcome> {
  const card = view.card === undefined ? undefined : await tipping.cards.get(view.card)
  if (card?.origin?.interaction === origin.interaction) return { card: card.id }
  return { say: await drawWithdrawal(view, t, links) }
}

export function decisionButtons(view: WithdrawalView, t: Translator): APIButtonComponentWithCustomId[] {
  const label = t(view.kind === 'request' ? 'withdrawal.showButton' : 'withdrawal.confirmButton')
  return [
    button(withdrawConfirm.verb, view.id, label, { emoji: '⚡', style: ButtonStyle.Primary }),
    button(withdrawCancel.verb, view.id, t('withdrawal.cancelButton')),
  ]
}
