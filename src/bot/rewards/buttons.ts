import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { mustModerate, personIn } from '../interactions/in-server.ts'
import { button } from '../messages/message.ts'

/** Approves a reward as a second moderator. */
export const rewardApprove = {
  verb: 'reward-approve',
  names: 'reward',
  answer: 'update',
  async press({ record: reward, member, caller, tipping, ...asking }: Press) {
    await mustModerate({ caller })
    const { card } = await tipping.rewards.approve({ reward, member, person: personIn(asking) })
    return { card }
  },
} satisfies Button

/** Denies a reward. Any moderator may do so, including the person who requested it. */
export const rewardDeny = {
  verb: 'reward-deny',
  names: 'reward',
  answer: 'update',
  async press({ record: reward, member, caller, tipping }: Press) {
    await mustModerate({ caller })
    const { card } = await tipping.rewards.deny({ reward, member })
    return { card }
  },
} satisfies Button

export function decisionButtons(reward: string, t: Translator): APIButtonComponentWithCustomId[] {
  return [
    button(rewardApprove.verb, reward, t('reward.approveButton'), { style: ButtonStyle.Primary }),
    button(rewardDeny.verb, reward, t('reward.denyButton')),
  ]
}
