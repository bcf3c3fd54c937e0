import type { TippingContext } from '../engine/tipping-context.ts'
import { claimPrize } from './claim-prize.ts'
import { editGiveaway, planEdit } from './edit-giveaway.ts'
import { cancelGiveaway, endGiveaway } from './end-giveaway.ts'
import { enterGiveaway } from './enter-giveaway.ts'
import type { Giveaways } from './giveaways.ts'
import { rerollGiveaway } from './reroll-giveaway.ts'
import { redrawGiveaway } from './settle-claims.ts'
import { askToStart, confirmStart, startFromPool, startGiveaway } from './start-giveaway.ts'
import { listGiveaways, proveGiveaway, viewEntrants, viewGiveaway, viewReroll } from './view-giveaway.ts'

/** Binds the verbs of giveaways to their dependencies. `noteActive` stores which members have been active until now. */
export function bindGiveaways(context: TippingContext, noteActive: () => Promise<void>): Giveaways {
  return {
    start: (command) => startGiveaway(context, command),
    ask: (command) => askToStart(context, command),
    confirm: (word) => confirmStart(context, word),
    startFromPool: (command) => startFromPool(context, command),
    enter: (command) => enterGiveaway(context, command, noteActive),
    planEdit: (command) => planEdit(context, command),
    edit: (command) => editGiveaway(context, command),
    end: (command) => endGiveaway(context, command),
    cancel: (command) => cancelGiveaway(context, command),
    claim: (command) => claimPrize(context, command),
    redraw: (command) => redrawGiveaway(context, command),
    reroll: (command) => rerollGiveaway(context, command),
    view: (id) => viewGiveaway(context, id),
    entrants: (command) => viewEntrants(context, command),
    rerollView: (id) => viewReroll(context, id),
    proof: (command) => proveGiveaway(context, command),
    list: (command) => listGiveaways(context, command),
  }
}
