import type { Call, Command, Options } from '../command.ts'
import { colour, panel } from '../look.ts'
import { quotable } from '../refusal-words.ts'

const options = { gamertag: { kind: 'text', required: true, longest: 100 } } as const satisfies Options

export const link = {
  name: 'link',
  answer: 'private',
  where: 'anywhere',
  options,
  async run(call: Call<typeof options>) {
    const { member, origin, tipping, words } = call
    const { gamertag } = await tipping.link({ member, gamertag: call.options.gamertag, origin })
    const text = words.say('link.done', { gamertag: quotable(gamertag) })
    return { say: { embeds: [panel(colour.done, text, { title: words.say('link.title') })] } }
  },
} satisfies Command<typeof options>
