import type { TippingContext } from '../context.ts'
import { approveReward, denyReward } from './decide-reward.ts'
import { giveReward } from './give-reward.ts'
import type { Rewards } from './rewards.ts'
import { viewReward } from './view-reward.ts'

/** The rewards' API. */
export function createRewards(context: TippingContext): Rewards {
  return {
    give: (command) => giveReward(context, command),
    approve: (command) => approveReward(context, command),
    deny: (command) => denyReward(context, command),
    view: (id) => viewReward(context, id),
  }
}
