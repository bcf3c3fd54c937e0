import type { TippingContext } from '../engine/tipping-context.ts'
import { paySplit } from './pay-split.ts'
import { createSplit, deleteSplit, editSplit, listSplits } from './save-split.ts'
import type { Splits } from './splits.ts'

export function bindSplits(context: TippingContext): Splits {
  return {
    create: (command) => createSplit(context, command),
    edit: (command) => editSplit(context, command),
    delete: (decision) => deleteSplit(context, decision),
    list: (guild) => listSplits(context, guild),
    pay: (command) => paySplit(context, command),
  }
}
