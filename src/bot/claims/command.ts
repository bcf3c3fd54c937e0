import type { Call, Command } from '../interactions/command.ts'

export const claim = {
  name: 'claim',
  answer: 'private',
  where: 'anywhere',
  guests: true,
  options: {},
  async run({ member, origin, tipping }: Call) {
    const { card } = await tipping.claims.take({ member, origin })
    return { card }
  },
} satisfies Command
