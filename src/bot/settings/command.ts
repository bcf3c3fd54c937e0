import type { Call, Command } from '../interactions/command.ts'
import { drawMine } from './mine.ts'

export const settings = {
  name: 'settings',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, caller, guild, tipping, t }: Call) {
    const mine = await tipping.preferences.of(member)
    const { emojiTips } = tipping.preferences.ofServer(guild)
    return { say: drawMine(mine, t, { manages: caller.manager && guild !== null, emojiTips }) }
  },
} satisfies Command
