import type { AskView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame, LINE } from '../messages/frame.ts'
import { goalBar } from '../messages/goal-bar.ts'
import { colour, mention, moment, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { askButtons } from './buttons.ts'

/**
 * Shows somebody's request for sats, with its purpose and progress. The card counts every gift, so no gift is announced
 * in a separate message.
 */
export const askRenderer = renderCard({
  load: (tipping, record) => tipping.asks.view(record),
  draw: drawAsk,
  people: ({ member }) => [member],
  restMs: 1_500,
})

function drawAsk(view: AskView, t: Translator): Drawing {
  const { member, goal, given: raised, gifts: count, reason, state, endsAt } = view
  const isOpen = state === 'open'
  const said = reason === '' ? [] : [`> ${quotable(reason, reason.length)}`]
  const lines = [...said, goalBar(raised, goal, t), t('fundraiser.raised', { raised, goal, count })]
  const end = isOpen ? small(t('ask.open', { who: mention(member), until: moment(endsAt) })) : endLine(view, t)
  const edge = isOpen ? colour.satchel : state === 'reached' ? colour.done : colour.over
  return {
    message: {
      content: t('ask.headline', { who: mention(member), goal }),
      frame: frame(edge, lines.join('\n'), LINE, end),
      buttons: isOpen ? askButtons(view, t) : [],
    },
  }
}

function endLine({ state, endedAt, closedBy }: AskView, t: Translator): string {
  if (closedBy !== undefined) return t('ask.closedBy', { by: mention(closedBy) })
  return t(state === 'reached' ? 'fundraiser.reached' : 'fundraiser.closed', { when: relative(endedAt ?? new Date(0)) })
}
