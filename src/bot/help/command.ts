import type { APIButtonComponentWithURL } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import { namingReactions } from '../emoji/own-emoji.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Call, Choice, Choosing, Command, Options } from '../interactions/command.ts'
import { button, type Message, select } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'
import { walletOpen } from '../own-wallets/command.ts'
import { type Links, linkButton } from '../pay-pages/links.ts'

const topics = ['tips', 'linking', 'deposits', 'drops', 'giveaways', 'pool', 'safety'] as const
type Topic = (typeof topics)[number]

const options = { topic: { kind: 'text', choices: topics } } as const satisfies Options

export const help = {
  name: 'help',
  answer: 'private',
  where: 'anywhere',
  options,
  async run(call: Call<typeof options>) {
    return { say: await drawHelp(call, call.options.topic) }
  },
} satisfies Command<typeof options>

/** Shows another topic in the same message. */
export const helpTopic = {
  verb: 'help-topic',
  names: 'nothing',
  answer: 'update',
  async choose({ chosen: [topic], ...asking }: Choosing) {
    const isTopic = (each: string): each is Topic => each === topic
    return { say: await drawHelp(asking, topics.find(isTopic)) }
  },
} satisfies Choice

type Reader = Pick<Asking, 'tipping' | 'links' | 't' | 'caller'>

/** Draws a page of help, with a menu of all topics, and buttons that open the member's wallet and our pages. */
async function drawHelp(asking: Reader, topic: Topic | undefined): Promise<Message> {
  const { tipping, links, t } = asking
  const page = topic === undefined || !tipping.holdsSats ? start(t, tipping) : await about(topic, asking)
  const choices = topics.map((value) => ({
    value,
    label: t(`commands.help.options.topic.choices.${value}`),
    chosen: value === topic,
  }))
  return {
    ...page,
    // The topics concern balances.
    menus: tipping.holdsSats ? [select(helpTopic.verb, 'menu', t('help.topicMenu'), choices)] : [],
    buttons: [button(walletOpen.verb, 'mine', t('wallet.openButton'), { emoji: '👛' }), ...leadingOn(links, t)],
  }
}

/** Builds the buttons that open our pages, as far as these exist. */
function leadingOn({ status, docs, support }: Links, t: Translator): APIButtonComponentWithURL[] {
  return [
    ...(status === undefined ? [] : [linkButton(status, t('help.statusButton'), '🔎')]),
    ...(docs === undefined ? [] : [linkButton(docs, t('help.docsButton'), '📖')]),
    ...(support === undefined ? [] : [linkButton(support, t('help.supportButton'), '🛟')]),
  ]
}

function start(t: Translator, { testMoney, holdsSats, addresses, faucet: { amount } }: Tipping): Message {
  if (!holdsSats) return { embeds: [panel(colour.satchel, [t('noCustody.help')], { title: t('help.title') })] }
  const faucet = amount === undefined ? '' : `\n🚰 ${t('help.faucet', { amount })}`
  const lines = [
    t('help.start'),
    `\n🎉 ${t('help.fun')}`,
    `\n${t('help.step1')}`,
    t('help.step2'),
    t('help.step3'),
    `\n${t('help.everything')}${addresses.offered ? ` · ${t('help.address')}` : ''}`,
    faucet,
  ]
  const footer = testMoney ? t('help.test') : undefined
  return { embeds: [panel(colour.satchel, lines, { title: t('help.title'), footer })] }
}

async function about(topic: Topic, { tipping, caller, t }: Reader): Promise<Message> {
  // Discord shows the commands that fill and spend a pool only to moderators.
  const key = topic === 'pool' && (await caller.moderates()) ? 'help.pool.moderators' : (`help.${topic}.text` as const)
  const lines = [namingReactions(t(key)), ...(topic === 'deposits' ? aboutThisProvider(tipping, t) : [])]
  return { embeds: [panel(colour.satchel, lines, { title: t(`help.${topic}.title`) })] }
}

/** Explains features that only some providers have. */
function aboutThisProvider({ addresses, offers }: Tipping, t: Translator): string[] {
  return [
    addresses.offered ? t('help.deposits.address') : '',
    addresses.offered && offers.receives ? t('help.deposits.ownOffer') : '',
    offers.pays ? t('help.deposits.offers') : '',
    offers.names ? t('help.deposits.names') : '',
  ].flatMap((text) => (text === '' ? [] : [`\n${text}`]))
}
