import { mention } from '../look.ts'
import { type Drawing, face } from './face.ts'
import { drawTip } from './tip.ts'

/** A tip to those who were active: drawn like one, and called what it is. */
export const rainFace = face({
  load: (tipping, record) => tipping.tipView(record),
  draw: (tip, words): Drawing => {
    const drawing = drawTip(tip, words)
    const content = words.say('rain.headline', {
      from: mention(tip.from),
      amount: tip.total,
      count: tip.shares.length,
      share: tip.shares[0]?.amount ?? tip.total,
    })
    return { ...drawing, message: { ...drawing.message, content } }
  },
})
