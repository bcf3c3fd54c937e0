import type { TipView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { mention, small } from '../messages/panel.ts'
import { isWalletState } from '../messages/wallet-state.ts'
import { drawTip, peopleOfTip } from '../tips/card.ts'

/** Draws a tip to active members like any tip, but under a headline for rain. */
export const rainRenderer = renderCard({
  load: (tipping, record) => tipping.tips.view(record),
  people: peopleOfTip,
  draw: drawRain,
})

export function drawRain(tip: TipView, t: Translator): Drawing {
  const drawing = drawTip(tip, t)
  const { from, total: amount, shares } = tip
  const headline = t('rain.headline', { from: mention(from ?? ''), amount, count: shares.length })
  const [first, second] = shares
  const each = first === undefined || second === undefined ? [] : [t('rain.each', { share: first.amount })]
  const [, ...people] = drawing.message.content?.split('\n') ?? []
  const byWallet = shares.some(({ state }) => isWalletState(state)) ? [small(t('rain.onlyWallets'))] : []
  return {
    ...drawing,
    message: { ...drawing.message, content: [headline, ...each, ...byWallet, ...people].join('\n') },
  }
}
