import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Call, Command, Options } from '../interactions/command.ts'

const MINUTES_IN_30_DAYS = 43_200

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  description: { kind: 'text' },
  expires: { kind: 'whole', smallest: 1, largest: MINUTES_IN_30_DAYS },
} as const satisfies Options

export const invoice = {
  name: 'invoice',
  answer: 'public',
  where: 'server',
  announces: true,
  dryRun: true,
  options,
  async run({ member, origin, options: { amount, description, expires }, tipping }: Call<typeof options>) {
    if (!(await tipping.links.isLinked(member))) {
      // Without an account of their own it fills their balance here.
      const asking = { note: description ?? '' }
      return { card: (await tipping.deposits.open({ member, amount, asking, origin })).card }
    }
    const { card } = await tipping.invoices.create({ member, amount, description, expiresInMinutes: expires, origin })
    return { card }
  },
} satisfies Command<typeof options>
