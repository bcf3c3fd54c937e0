import { suggestSendable } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../discord/command.ts'
import { drawAsked } from './card.ts'

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestSendable },
  to: { kind: 'text' },
} as const satisfies Options

export const withdraw = {
  name: 'withdraw',
  answer: 'private',
  where: 'anywhere',
  options,
  async run({ member, origin, options: { amount, to }, tipping, t }: Call<typeof options>) {
    return { say: drawAsked(await tipping.withdrawals.ask({ member, amount, to, origin }), tipping, t) }
  },
} satisfies Command<typeof options>
