import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../interactions/command.ts'

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
} as const satisfies Options

export const deposit = {
  name: 'deposit',
  answer: 'private',
  where: 'anywhere',
  guests: true,
  options,
  async run({ member, origin, options: { amount }, tipping }: Call<typeof options>) {
    const { card } = await tipping.deposits.open({ member, amount, origin })
    return { card }
  },
} satisfies Command<typeof options>
