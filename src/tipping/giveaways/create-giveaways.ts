import type { TippingContext } from '../context.ts'
import { cancelGiveaway, endGiveaway } from './decide-giveaway.ts'
import { enterGiveaway } from './enter-giveaway.ts'
import type { Giveaways } from './giveaways.ts'
import { rerollGiveaway } from './reroll-giveaway.ts'
import { askToStart, confirmStart, startGiveaway } from './start-giveaway.ts'
import { listGiveaways, proveGiveaway, viewGiveaway, viewReroll } from './view-giveaway.ts'

/** The giveaways’ API. */
export function createGiveaways(context: TippingContext): Giveaways {
  return {
    start: (command) => startGiveaway(context, command),
    ask: (command) => askToStart(context, command),
    confirm: (word) => confirmStart(context, word),
    enter: (command) => enterGiveaway(context, command),
    end: (command) => endGiveaway(context, command),
    cancel: (command) => cancelGiveaway(context, command),
    reroll: (command) => rerollGiveaway(context, command),
    view: (id) => viewGiveaway(context, id),
    rerollView: (id) => viewReroll(context, id),
    proof: (command) => proveGiveaway(context, command),
    list: (command) => listGiveaways(context, command),
  }
}
