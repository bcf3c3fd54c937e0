import type { Tipping } from '../../tipping/tipping.ts'
import type { Call, Command, Options } from '../discord/command.ts'
import type { Message } from '../discord/message.ts'
import { colour, panel } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'

const topics = ['tips', 'linking', 'deposits', 'drops', 'giveaways', 'pool', 'safety'] as const

const options = { topic: { kind: 'text', choices: topics } } as const satisfies Options

export const help = {
  name: 'help',
  answer: 'private',
  where: 'anywhere',
  options,
  async run({ options: { topic }, tipping, t }: Call<typeof options>) {
    return { say: topic === undefined ? start(t, tipping.testMoney) : about(topic, tipping, t) }
  },
} satisfies Command<typeof options>

function start(t: Translator, testMoney: boolean): Message {
  const lines = [t('help.start'), `\n${t('help.step1')}`, t('help.step2'), t('help.step3'), `\n${t('help.everything')}`]
  const footer = testMoney ? t('help.test') : undefined
  return { embeds: [panel(colour.satchel, lines, { title: t('help.title'), footer })] }
}

function about(topic: (typeof topics)[number], tipping: Tipping, t: Translator): Message {
  const lines = [
    t(`help.${topic}.text`),
    topic === 'deposits' && tipping.addresses.offered ? `\n${t('help.deposits.address')}` : '',
  ]
  return { embeds: [panel(colour.satchel, lines, { title: t(`help.${topic}.title`) })] }
}
