import type { TippingContext } from '../engine/tipping-context.ts'
import type { Asks } from './asks.ts'
import { closeAsk } from './close-ask.ts'
import { openAsk } from './open-ask.ts'
import { tipForAsk } from './tip-for-ask.ts'
import { viewAsk } from './view-ask.ts'

export function bindAsks(context: TippingContext): Asks {
  return {
    open: (command) => openAsk(context, command),
    tipFor: (command) => tipForAsk(context, command),
    close: (command) => closeAsk(context, command),
    view: (id) => viewAsk(context, id),
  }
}
