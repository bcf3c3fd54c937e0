import { qrPng } from '../../lib/qr.ts'
import type { FundraiserView } from '../../tipping/tipping.ts'
import { fundraiserButtons } from '../buttons/fundraiser.ts'
import { colour, mention, panel, relative } from '../look.ts'
import type { Picture } from '../message.ts'
import type { Words } from '../words.ts'
import { type Drawing, face } from './face.ts'

/** A code that fills the pool: for all to see with how far it has come, or once, for whoever asked. */
export const fundraiserFace = face({
  load: (tipping, record) => tipping.pools.fundraiser(record),
  draw: (view, words) => (view.public ? drawFundraiser(view, words) : drawCharge(view, words)),
  restMs: 1_500,
})

const BAR = 16

async function drawFundraiser(view: FundraiserView, words: Words): Promise<Drawing> {
  const { amount, goal, raised, payments, state, member, endedAt } = view
  const isOpen = state === 'open'
  const full = Number((raised * BigInt(BAR)) / goal)
  const percent = Math.min(Number((raised * 100n) / goal), 100)
  const lines = [
    `${'▰'.repeat(Math.min(full, BAR))}${'▱'.repeat(Math.max(BAR - full, 0))}  **${percent} %**`,
    words.say('fundraiser.raised', { raised, goal, count: payments }),
    isOpen ? words.say('fundraiser.open', { amount }) : '',
    isOpen ? '' : words.say(`fundraiser.${state}`, { when: relative(endedAt ?? new Date(0)) }),
  ]
  const picture = isOpen ? await qrPicture(view, words) : undefined
  const title = words.say('fundraiser.title')
  return {
    message: {
      content: words.say('fundraiser.headline', { who: mention(member), goal }),
      embeds: [panel(isOpen ? colour.satchel : colour.done, lines, { title, picture: picture?.name })],
      pictures: picture === undefined ? [] : [picture],
      buttons: isOpen ? fundraiserButtons(view, words) : [],
    },
  }
}

async function drawCharge(view: FundraiserView, words: Words): Promise<Drawing> {
  const { amount, state, request } = view
  const title = words.say('pool.chargeTitle', { amount })
  if (state !== 'open') {
    return { message: { embeds: [panel(colour.done, words.say('pool.chargePaid', { amount }), { title })] } }
  }
  const picture = await qrPicture(view, words)
  return {
    message: {
      embeds: [panel(colour.satchel, words.say('pool.chargeOpen'), { title, picture: picture.name })],
      pictures: [picture],
    },
    // Alone in its message, so that a long press on a phone copies the code and nothing else.
    after: [{ content: request }],
  }
}

async function qrPicture({ request, amount }: FundraiserView, words: Words): Promise<Picture> {
  const png = await qrPng(request, { minimumPixels: 512 })
  return { name: 'pool.png', png, alt: words.say('fundraiser.alt', { amount }) }
}
