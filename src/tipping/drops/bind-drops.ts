import type { TippingContext } from '../engine/tipping-context.ts'
import { claimDrop } from './claim-drop.ts'
import type { Drops } from './drops.ts'
import { askToDrop, confirmDrop, openDrop, openDropFromPool } from './open-drop.ts'
import { closeDrop } from './poll-drop.ts'
import { openDropsOf, viewDrop, viewDropClaim } from './view-drop.ts'

export function bindDrops(context: TippingContext): Drops {
  return {
    open: (command) => openDrop(context, command),
    ask: (command) => askToDrop(context, command),
    confirm: (word) => confirmDrop(context, word),
    openFromPool: (command) => openDropFromPool(context, command),
    claim: (command) => claimDrop(context, command),
    close: (command) => closeDrop(context, command),
    view: (id) => viewDrop(context, id),
    mine: (member, most) => openDropsOf(context, member, most),
    claimView: (id) => viewDropClaim(context, id),
  }
}
