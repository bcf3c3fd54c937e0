import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { frame } from '../messages/frame.ts'
import { colour } from '../messages/panel.ts'

/** Takes back an answer that said that something was done, and was not. Nothing of its record is shown. */
export const interruptedRenderer = renderCard({
  load: async () => undefined,
  draw: (_, t): Drawing => ({ message: { frame: frame(colour.refused, [t('tip.interrupted')]) } }),
})
