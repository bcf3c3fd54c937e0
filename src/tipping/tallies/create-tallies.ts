import type { TippingContext } from '../context.ts'
import type { Tallies } from './tallies.ts'
import { askToTipMessage, tipByReaction, tipMessage } from './tip-message.ts'
import { viewTally } from './view-tally.ts'

/** The tallies' API. */
export function createTallies(context: TippingContext): Tallies {
  return {
    tip: (command) => tipMessage(context, command),
    ask: (command) => askToTipMessage(context, command),
    react: (command) => tipByReaction(context, command),
    view: (message) => viewTally(context, message),
  }
}
