import type { TippingContext } from '../engine/tipping-context.ts'
import { approveReward, denyReward } from './decide-reward.ts'
import { giveReward } from './give-reward.ts'
import { listOutcomes } from './list-outcomes.ts'
import { confirmList, previewList } from './pay-list.ts'
import type { Rewards } from './rewards.ts'
import { viewReward } from './view-reward.ts'

export function bindRewards(context: TippingContext, giveApproved: Parameters<typeof approveReward>[2]): Rewards {
  return {
    give: (command) => giveReward(context, command),
    approve: (command) => approveReward(context, command, giveApproved),
    deny: (command) => denyReward(context, command),
    view: (id) => viewReward(context, id),
    readList: (command) => previewList(context, command),
    confirmList: (word) => confirmList(context, word),
    listOutcomes: (reward) => listOutcomes(context, reward),
  }
}
