import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { frame } from '../messages/frame.ts'
import { colour } from '../messages/panel.ts'

/** Takes back an answer that announced a result that did not happen. Shows nothing of its record. */
export const interruptedRenderer = renderCard({
  load: async () => undefined,
  draw: (_, t): Drawing => ({ message: { frame: frame(colour.refused, [t('tip.interrupted')]) } }),
})
