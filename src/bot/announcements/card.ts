import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { frame } from '../messages/frame.ts'
import { colour } from '../messages/panel.ts'

/** Replaces an answer that announced a result which then did not happen. Shows nothing from the card's record. */
export const interruptedRenderer = renderCard({
  load: async () => undefined,
  draw: (_, t): Drawing => ({ message: { frame: frame(colour.refused, [t('tip.interrupted')]) } }),
})
