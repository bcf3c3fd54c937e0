import type { Call, Command, Options } from '../discord/command.ts'
import { colour, panel } from '../discord/panel.ts'
import { quotable } from '../discord/refusal-text.ts'

const options = { gamertag: { kind: 'text', required: true, longest: 100 } } as const satisfies Options

export const link = {
  name: 'link',
  answer: 'private',
  where: 'anywhere',
  options,
  async run(call: Call<typeof options>) {
    const { member, origin, tipping, t } = call
    const { gamertag } = await tipping.link({ member, gamertag: call.options.gamertag, origin })
    const text = t('link.done', { gamertag: quotable(gamertag) })
    return { say: { embeds: [panel(colour.done, text, { title: t('link.title') })] } }
  },
} satisfies Command<typeof options>
