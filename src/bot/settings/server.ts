import {
  type APISelectMenuComponent,
  ButtonStyle,
  ChannelType,
  ComponentType,
  channelMention,
  roleMention,
  SelectMenuDefaultValueType,
} from 'discord.js'
import { type Msats, sats } from '../../lib/money/amount.ts'
import { NOTHING_CHOSEN, type ServerDefaults, type ServerPreferences } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { button, type Message, select } from '../messages/message.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { type ServerWallet, walletInBrief } from '../pools/server-wallet.ts'
import { DEFAULT, emojiTipsShown, languageMenu, languageName } from './mine.ts'

export const SERVER_VERB = 'settings-server'
/** The verb that shows who changed what. */
export const CHANGES_VERB = 'settings-changes'
/** The verb that shows who gave the anonymous tips. The record of its button is the page's number. */
export const ANONYMOUS_VERB = 'settings-anonymous'
/** The verb that opens the form for emoji and their amounts. */
export const EMOJI_VERB = 'settings-emoji'

export const topics = [
  'channels',
  'moderatorRoles',
  'blockedMembers',
  'blockedRoles',
  'smallestTip',
  'largestTip',
  'perDay',
  'newAccountPerDay',
  'newAccountDays',
  'coolDownSeconds',
  'confirmAbove',
  'approvalAbove',
  'rainAccountDays',
  'rainMemberDays',
  'claimDays',
  'emojiTips',
  'noLinks',
  'noAnonymousTips',
  'language',
  'logChannel',
  'recapChannel',
  'recapMonthly',
] as const
export type Topic = (typeof topics)[number]
/** A numeric setting with an operator's default. */
type Numeric = keyof ServerDefaults

const MAX_PICKED = 10
/** The maximum number of excluded members. A larger group usually shares a role, which can be excluded instead. */
const MAX_BLOCKED = 25
const AMOUNTS = {
  smallestTip: [1, 5, 10, 21, 50, 100, 500, 1_000],
  largestTip: [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
  perDay: [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
  newAccountPerDay: [1, 10, 50, 100, 500, 1_000, 5_000, 10_000],
  confirmAbove: [100, 1_000, 5_000, 10_000, 50_000, 100_000],
  approvalAbove: [0, 100, 1_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
} as const
const NUMBERS = {
  rainAccountDays: [0, 1, 3, 7, 14, 30, 60, 90, 180, 365],
  rainMemberDays: [0, 1, 3, 7, 14, 30, 60, 90, 180, 365],
  claimDays: [1, 3, 7, 14, 30, 60, 90, 180, 365],
  newAccountDays: [1, 3, 7, 14, 30, 60, 90, 180, 365],
  coolDownSeconds: [5, 10, 30, 60, 300, 900, 1_800, 3_600, 21_600, 86_400],
} as const

/** Draws a server's settings: a list of all of them, a control for one of them, and a menu to choose that one. */
export function drawServer(
  server: ServerPreferences,
  topic: Topic | undefined,
  { t, defaults, wallet }: { readonly t: Translator; readonly defaults: ServerDefaults; readonly wallet: ServerWallet },
): Message {
  const usual = usualOf(defaults, t)
  const lines = [
    ...topics.map((each) => lineOf(server, each, t, usual)),
    // `/pool balance` changes it.
    ...(wallet.offered || wallet.own !== undefined
      ? [t('settings.server.wallet', { value: walletInBrief(wallet, t) })]
      : []),
  ]
  const titles = topics.map((each) => ({
    value: each,
    label: t(`settings.server.titles.${each}`),
    chosen: each === topic,
  }))
  const chooseTopic = select(SERVER_VERB, 'topic', t('settings.server.topicMenu'), titles)
  return {
    embeds: [
      panel(colour.satchel, lines, {
        title: t('settings.server.title'),
        footer: topic === 'moderatorRoles' ? t('settings.server.rolesHint') : undefined,
      }),
    ],
    buttons: [
      ...(topic === 'emojiTips' ? [emojiButton(t)] : []),
      button(CHANGES_VERB, 'here', t('changes.button'), { emoji: '📜' }),
      button(ANONYMOUS_VERB, '0', t('anonymousTips.button'), { emoji: '🎭' }),
    ],
    menus: [chooseTopic, ...(topic === undefined || topic === 'emojiTips' ? [] : [control(server, topic, t, usual)])],
  }
}

/** Builds the button that opens the form for emoji, which are typed, because they cannot be picked from a menu. */
function emojiButton(t: Translator) {
  return button(EMOJI_VERB, 'here', t('settings.server.emojiButton'), { emoji: '✏️', style: ButtonStyle.Primary })
}

/** Returns a line for each changed setting, including those reset to their default. */
export function chosenLines(
  chosen: Partial<ServerPreferences>,
  { t, defaults }: { readonly t: Translator; readonly defaults: ServerDefaults },
): string[] {
  const server = { ...NOTHING_CHOSEN, ...chosen }
  const lines = topics.filter((topic) => topic in chosen).map((topic) => lineOf(server, topic, t, usualOf(defaults, t)))
  const zone = chosen.timeZone === undefined ? [] : [t('settings.server.timeZone', { value: chosen.timeZone })]
  return [...lines, ...zone]
}

function lineOf(server: ServerPreferences, topic: Topic, t: Translator, usual: Usual): string {
  return t(`settings.server.${topic}`, { value: shown(server, topic, t, usual) })
}

function usualOf(defaults: ServerDefaults, t: Translator): Usual {
  return (topic) => t('settings.default', { value: written(topic, defaults[topic], t) })
}

/** Formats a setting's default: `10,000 sats (default)`. */
type Usual = (topic: Numeric) => string

function shown(server: ServerPreferences, topic: Topic, t: Translator, usual: Usual): string {
  switch (topic) {
    case 'channels':
      return server.channels.map((id) => channelMention(id)).join(' ') || t('settings.server.everywhere')
    case 'moderatorRoles':
      return server.moderatorRoles.map((id) => roleMention(id)).join(' ') || t('settings.server.nobodyElse')
    case 'blockedMembers':
      return server.blockedMembers.map((id) => mention(id)).join(' ') || t('settings.none')
    case 'blockedRoles':
      return server.blockedRoles.map((id) => roleMention(id)).join(' ') || t('settings.none')
    case 'logChannel':
    case 'recapChannel':
      return server[topic] === undefined ? t('settings.off') : channelMention(server[topic])
    case 'language':
      return languageName(server.language, t)
    case 'emojiTips':
      return emojiTipsShown(server.emojiTips, t) || t('settings.none')
    case 'noLinks':
    case 'noAnonymousTips':
    case 'recapMonthly':
      return t(`settings.${FLAGS[topic][server[topic] ? 1 : 0]}`)
    case 'approvalAbove':
      return server.approvalAbove === undefined ? t('settings.off') : t.amount(server.approvalAbove)
    default:
      return server[topic] === undefined ? usual(topic) : written(topic, server[topic], t)
  }
}

/** Formats a numeric setting. */
function written(topic: Numeric, value: number | Msats | undefined, t: Translator): string {
  if (value === undefined) return t('settings.none')
  if (typeof value === 'bigint') return t.amount(value)
  return howLong(topic as keyof typeof NUMBERS, value, t)
}

function control(
  server: ServerPreferences,
  topic: Exclude<Topic, 'emojiTips'>,
  t: Translator,
  usual: Usual,
): APISelectMenuComponent {
  // The menu above shows the setting's name already.
  const picker = (what: 'channel' | 'channels' | 'roles' | 'people') => ({
    ...{ custom_id: `${SERVER_VERB}:${topic}`, placeholder: t(`settings.server.pick.${what}`) },
    ...{ min_values: 0, max_values: MAX_PICKED },
  })
  const placeholder = t('settings.server.pick.value')
  switch (topic) {
    case 'channels':
      return {
        type: ComponentType.ChannelSelect,
        ...picker('channels'),
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement],
        default_values: server.channels.map((id) => ({ id, type: SelectMenuDefaultValueType.Channel })),
      }
    case 'logChannel':
    case 'recapChannel':
      return {
        type: ComponentType.ChannelSelect,
        ...{ ...picker('channel'), max_values: 1 },
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement],
        default_values: [server[topic] ?? []].flat().map((id) => ({ id, type: SelectMenuDefaultValueType.Channel })),
      }
    case 'moderatorRoles':
    case 'blockedRoles':
      return {
        type: ComponentType.RoleSelect,
        ...picker('roles'),
        default_values: server[topic].map((id) => ({ id, type: SelectMenuDefaultValueType.Role })),
      }
    case 'blockedMembers':
      return {
        type: ComponentType.UserSelect,
        ...{ ...picker('people'), max_values: MAX_BLOCKED },
        default_values: server.blockedMembers.map((id) => ({ id, type: SelectMenuDefaultValueType.User })),
      }
    case 'language':
      return languageMenu(SERVER_VERB, 'settings.server.language', server.language, t)
    case 'noLinks':
    case 'noAnonymousTips':
    case 'recapMonthly':
      return flagMenu(server, topic, t)
    case 'rainAccountDays':
    case 'rainMemberDays':
    case 'claimDays':
    case 'newAccountDays':
    case 'coolDownSeconds':
      return select(SERVER_VERB, topic, placeholder, timeOptions(topic, server[topic], t, usual))
    default:
      return select(SERVER_VERB, topic, placeholder, amountOptions(topic, server[topic], t, usual))
  }
}

/** The settings with two values each, of which the first is the default. */
const FLAGS = {
  noLinks: ['on', 'off'],
  noAnonymousTips: ['on', 'off'],
  recapMonthly: ['everyWeek', 'everyMonth'],
} as const

function flagMenu(server: ServerPreferences, topic: keyof typeof FLAGS, t: Translator): APISelectMenuComponent {
  const [usual, other] = FLAGS[topic]
  const choices = [
    { value: DEFAULT, label: t(`settings.${usual}`), chosen: !server[topic] },
    { value: other, label: t(`settings.${other}`), chosen: server[topic] },
  ]
  return select(SERVER_VERB, topic, t('settings.server.pick.value'), choices)
}

function timeOptions(topic: keyof typeof NUMBERS, chosen: number | undefined, t: Translator, usual: Usual) {
  const times = NUMBERS[topic].map((count) => ({
    value: String(count),
    label: howLong(topic, count, t),
    chosen: chosen === count,
  }))
  return [{ value: DEFAULT, label: usual(topic), chosen: chosen === undefined }, ...times]
}

function howLong(topic: keyof typeof NUMBERS, count: number, t: Translator): string {
  if (count === 0) return t('settings.noMinimum')
  if (topic !== 'coolDownSeconds') return t.duration(count, 'day')
  if (count < 60) return t.duration(count, 'second')
  return count < 3_600 ? t.duration(count / 60, 'minute') : t.duration(count / 3_600, 'hour')
}

function amountOptions(topic: keyof typeof AMOUNTS, chosen: Msats | undefined, t: Translator, usual: Usual) {
  const none = topic === 'approvalAbove' ? t('settings.off') : usual(topic)
  const amounts = AMOUNTS[topic].map((amount) => ({
    value: String(amount),
    label: amount === 0 ? t('settings.server.everyReward') : t.amount(sats(amount)),
    chosen: chosen === sats(amount),
  }))
  return [{ value: DEFAULT, label: none, chosen: chosen === undefined }, ...amounts]
}
