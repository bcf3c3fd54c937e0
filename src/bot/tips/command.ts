import { MAX_NOTE } from '../../tipping/tipping.ts'
import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import { recipients } from './recipients.ts'
import { tipOrAsk } from './tip-or-ask.ts'

const options = {
  to: { kind: 'mentionable', required: true },
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestOwnAmounts },
  also: { kind: 'text', longest: 1000 },
  split: { kind: 'yes-no' },
  note: { kind: 'text', longest: MAX_NOTE },
  anonymous: { kind: 'yes-no' },
  ...FROM_POOL,
} as const satisfies Options

export const tip = {
  name: 'tip',
  answer: 'public',
  where: 'anywhere',
  guests: true,
  dryRun: true,
  options,
  hidesAsker: ({ anonymous }) => anonymous === true,
  async run(call: Call<typeof options>) {
    const { amount, split, note, anonymous } = call.options
    const to = await recipients(call, call.options.to, call.options.also)
    const { member: from, memberName: fromName, origin } = call
    const pool = await poolToPay(call, call.options)
    const { accountSince } = call.caller
    const tip = { from, fromName, to, amount, split, note, anonymous, origin, accountSince }
    if (pool !== undefined) return { card: (await call.tipping.tips.sendFromPool({ ...tip, pool })).card }
    return await tipOrAsk(call, tip)
  },
} satisfies Command<typeof options>
