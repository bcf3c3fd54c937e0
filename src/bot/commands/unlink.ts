import type { Call, Command } from '../command.ts'
import { colour, panel } from '../look.ts'
import { quotable } from '../refusal-words.ts'

export const unlink = {
  name: 'unlink',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, origin, tipping, words }: Call) {
    const { gamertag } = await tipping.unlink({ member, origin })
    const text = words.say('unlink.done', { gamertag: quotable(gamertag) })
    return { say: { embeds: [panel(colour.over, text, { title: words.say('unlink.title') })] } }
  },
} satisfies Command
