import type { Tipping } from '../../tipping/tipping.ts'
import type { Call, Command, Options } from '../command.ts'
import { colour, panel } from '../look.ts'
import type { Message } from '../message.ts'
import type { Words } from '../words.ts'

const topics = ['tips', 'linking', 'deposits', 'drops', 'giveaways', 'pool', 'safety'] as const

const options = { topic: { kind: 'text', choices: topics } } as const satisfies Options

export const help = {
  name: 'help',
  answer: 'private',
  where: 'anywhere',
  options,
  async run({ options: { topic }, tipping, words }: Call<typeof options>) {
    return { say: topic === undefined ? start(words, tipping.testMoney) : about(topic, tipping, words) }
  },
} satisfies Command<typeof options>

function start(words: Words, testMoney: boolean): Message {
  const lines = [
    words.say('help.start'),
    `\n${words.say('help.step1')}`,
    words.say('help.step2'),
    words.say('help.step3'),
    `\n${words.say('help.everything')}`,
  ]
  const footer = testMoney ? words.say('help.test') : undefined
  return { embeds: [panel(colour.satchel, lines, { title: words.say('help.title'), footer })] }
}

function about(topic: (typeof topics)[number], tipping: Tipping, words: Words): Message {
  const lines = [
    words.say(`help.${topic}.text`),
    topic === 'deposits' && tipping.addresses.offered ? `\n${words.say('help.deposits.address')}` : '',
  ]
  return { embeds: [panel(colour.satchel, lines, { title: words.say(`help.${topic}.title`) })] }
}
