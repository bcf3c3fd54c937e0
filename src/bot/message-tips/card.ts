import { hyperlink, messageLink } from 'discord.js'
import { MAX_NOTE, type MessageTipsView, type ReceiptView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { claimButton } from '../claims/buttons.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, panel, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

/** Draws the one card below a tipped message. The card counts all tips for that message. */
export const messageTipsRenderer = renderCard({
  load: (tipping, record) => tipping.messageTips.view(record),
  draw: drawMessageTips,
  answers: ({ channel, message }) => ({ channel, message }),
  people: ({ author, givers }) => [author, ...givers.map(({ member }) => member)],
  restMs: 1_500,
})

/** Notifies a member privately of a tip, if the member wants such messages. */
export const receiptRenderer = renderCard({
  load: (tipping, record) => tipping.tips.receipt(record),
  draw: drawReceipt,
})

const MAX_GIVERS = 5

function drawMessageTips(view: MessageTipsView, t: Translator): Drawing {
  const { author, total, tips, givers, notes, claimableUntil } = view
  const more = givers.length - MAX_GIVERS
  const lines = [
    ...givers
      .slice(0, MAX_GIVERS)
      .map(({ member, amount }) => t('messageTips.giver', { who: mention(member), amount })),
    more > 0 ? t('messageTips.more', { count: more }) : '',
    ...notes.map(({ member, note }) => `> ${quotable(note, MAX_NOTE)} · ${mention(member)}`),
    claimableUntil === undefined
      ? ''
      : t('messageTips.unclaimed', { who: mention(author), until: relative(claimableUntil) }),
  ]
  return {
    message: {
      content: t('messageTips.headline', { who: mention(author), total, count: tips }),
      embeds: [panel(colour.satchel, lines)],
      buttons: claimableUntil === undefined ? [] : [claimButton(view.message, t('tip.claimButton'))],
      // Discord notifies of a new message, but not of an edit: so of the first tip, but not of every one.
      notifies: [author],
    },
  }
}

function drawReceipt(
  { from, amount, note, anonymous, reward, guild, channel, message }: ReceiptView,
  t: Translator,
): Drawing {
  const lines = [
    t(reward ? 'receipt.reward' : 'receipt.tip', { amount, who: mention(from) }),
    note === '' ? '' : `> ${quotable(note, MAX_NOTE)}`,
    anonymous ? t('receipt.anonymous') : '',
    message === undefined || guild === undefined
      ? ''
      : hyperlink(t('receipt.message'), messageLink(channel, message, guild)),
    small(t('receipt.why')),
  ]
  return { message: { embeds: [panel(colour.done, lines)] } }
}
