import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrPng } from '../../lib/lightning/qr.ts'
import type { FundraiserView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { goalBar } from '../messages/goal-bar.ts'
import type { Picture } from '../messages/message.ts'
import { colour, mention, panel, relative } from '../messages/panel.ts'
import { type Links, payButtons } from '../pay-pages/links.ts'
import { fundraiserButtons } from './buttons.ts'

/**
 * Shows a code that fills the pool: publicly, with the fundraiser's progress, or only to the person who requested the
 * code.
 */
export const fundraiserRenderer = renderCard({
  load: (tipping, record) => tipping.pools.fundraiser(record),
  draw: (view, t, links) => (view.public ? drawFundraiser(view, t, links) : drawCharge(view, t, links)),
  restMs: 1_500,
})

async function drawFundraiser(view: FundraiserView, t: Translator, links: Links): Promise<Drawing> {
  const { amount, goal, raised, payments, state, member, endedAt } = view
  const isOpen = state === 'open'
  const lines = [
    goalBar(raised, goal, t),
    t('fundraiser.raised', { raised, goal, count: payments }),
    isOpen ? t('fundraiser.open', { amount }) : '',
    isOpen ? '' : t(`fundraiser.${state}`, { when: relative(endedAt ?? new Date(0)) }),
  ]
  const picture = isOpen ? await qrPicture(view, t) : undefined
  const title = t('fundraiser.title')
  return {
    message: {
      content: t('fundraiser.headline', { who: mention(member), goal }),
      embeds: [panel(isOpen ? colour.satchel : colour.done, lines, { title, picture: picture?.name })],
      pictures: picture === undefined ? [] : [picture],
      buttons: isOpen ? [...fundraiserButtons(view, t), ...payButtons(links, view.card, t)] : [],
    },
  }
}

async function drawCharge(view: FundraiserView, t: Translator, links: Links): Promise<Drawing> {
  const { amount, state, request } = view
  const title = t('pool.chargeTitle', { amount })
  if (state !== 'open') {
    return { message: { embeds: [panel(colour.done, t('pool.chargePaid', { amount }), { title })] } }
  }
  const picture = await qrPicture(view, t)
  return {
    message: {
      embeds: [panel(colour.satchel, t('pool.chargeOpen'), { title, picture: picture.name })],
      pictures: [picture],
      buttons: payButtons(links, view.card, t),
    },
    // In a separate message, so that a long press on a phone copies only the code.
    after: [{ content: request }],
  }
}

async function qrPicture({ request, amount }: FundraiserView, t: Translator): Promise<Picture> {
  const png = await qrPng(lightningUri(request), { minimumPixels: 512 })
  return { name: 'pool.png', png, alt: t('fundraiser.alt', { amount }) }
}
