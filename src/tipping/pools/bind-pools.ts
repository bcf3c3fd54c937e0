import type { TippingContext } from '../engine/tipping-context.ts'
import { setBudget } from './budgets.ts'
import { closeFundraiser } from './close-fundraiser.ts'
import { askToGive, askToGiveTo, confirmPoolGift, givePool, giveToFundraiser } from './give-pool.ts'
import { openFundraiser } from './open-fundraiser.ts'
import { exportPool, poolHistory } from './pool-history.ts'
import type { Pools } from './pools.ts'
import { readFundraiserView, viewPool } from './view-pool.ts'

export function bindPools(context: TippingContext, exportOf: Parameters<typeof exportPool>[2]): Pools {
  return {
    view: (guild) => viewPool(context, guild),
    fund: (command) => openFundraiser(context, command),
    give: (command) => givePool(context, command),
    giveTo: (command) => giveToFundraiser(context, command),
    ask: (command) => askToGive(context, command),
    askTo: (command) => askToGiveTo(context, command),
    confirm: (word) => confirmPoolGift(context, word),
    fundraise: (command) => openFundraiser(context, command),
    fundraiser: (id) => readFundraiserView(context, id),
    closeFundraiser: (command) => closeFundraiser(context, command),
    budget: (command) => setBudget(context, command),
    history: (guild, since) => poolHistory(context, guild, since),
    export: (command) => exportPool(context, command, exportOf),
  }
}
