import type { Call, Command } from '../discord/command.ts'
import { colour, panel } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'

export const unlink = {
  name: 'unlink',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, origin, tipping, t }: Call) {
    const ended = await tipping.members.unlink({ member, origin })
    const gamertag = 'address' in ended ? ended.address : ended.gamertag
    const text = t('unlink.done', { gamertag: quotable(gamertag, 80) })
    return { say: { embeds: [panel(colour.over, text, { title: t('unlink.title') })] } }
  },
} satisfies Command
