import { MAX_ASK_REASON } from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../interactions/command.ts'

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  reason: { kind: 'text', required: true, longest: MAX_ASK_REASON },
  days: { kind: 'whole', smallest: 1, largest: 30 },
} as const satisfies Options

/** Requests sats from the other people in a channel, with a card that counts their gifts. */
export const ask = {
  name: 'ask',
  answer: 'public',
  where: 'server',
  options,
  async run({ member, caller, origin, tipping, options: given }: Call<typeof options>) {
    const { card } = await tipping.asks.open({ member, roles: caller.roles, ...given, origin })
    return { card }
  },
} satisfies Command<typeof options>
