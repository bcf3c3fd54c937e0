import { MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'

const options = {
  to: { kind: 'member', required: true },
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  reason: { kind: 'text', required: true, longest: MAX_REWARD_REASON },
} as const satisfies Options

export const reward = {
  name: 'reward',
  answer: 'public',
  where: 'server',
  moderators: true,
  dryRun: true,
  options,
  async run({ options: { to, amount, reason }, ...asking }: Call<typeof options>) {
    const { member, caller, origin, tipping } = asking
    const guild = serverOf(asking)
    const { roles } = caller
    asking.willName([to.id])
    const { card } = await tipping.rewards.give({ guild, member, roles, to, amount, reason, origin })
    return { card }
  },
} satisfies Command<typeof options>
