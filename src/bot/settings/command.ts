import type { Call, Command } from '../discord/command.ts'
import { drawMine } from './mine.ts'

export const settings = {
  name: 'settings',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, caller, guild, tipping, t }: Call) {
    const mine = await tipping.preferences.of(member)
    return { say: drawMine(mine, t, caller.manager && guild !== null) }
  },
} satisfies Command
