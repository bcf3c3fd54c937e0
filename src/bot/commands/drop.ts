import type { Call, Command, Options } from '../command.ts'

const DAYS = { kind: 'whole', smallest: 1, largest: 3650 } as const

const options = {
  amount: { kind: 'text', required: true, longest: 40 },
  shares: { kind: 'whole', required: true, smallest: 1, largest: 100 },
  minutes: { kind: 'whole', smallest: 1, largest: 10_080 },
  codes: { kind: 'yes-no' },
  puzzle: { kind: 'text', choices: ['phrase', 'sum', 'trivia'] },
  role: { kind: 'role' },
  draw: { kind: 'yes-no' },
  question: { kind: 'text', longest: 200 },
  answer: { kind: 'text', longest: 200 },
  'account-days': DAYS,
  'member-days': DAYS,
} as const satisfies Options

export const voucherDrop = {
  name: 'voucher drop',
  answer: 'public',
  where: 'server',
  options,
  async run({ member, guild, standing, origin, options: given, tipping }: Call<typeof options>) {
    const { amount, shares, minutes, codes, puzzle, role, draw, question, answer } = given
    const { card } = await tipping.drops.open({
      ...{ member, amount, shares, minutes, codes, draw, puzzle, question, answer, origin },
      // Everybody has the role that bears the server's own id.
      role: role?.id === guild ? undefined : role?.id,
      accountDays: given['account-days'],
      memberDays: given['member-days'],
      accountSince: standing.accountSince,
    })
    return { card }
  },
} satisfies Command<typeof options>
