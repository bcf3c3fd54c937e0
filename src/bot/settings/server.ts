import {
  type APISelectMenuComponent,
  ChannelType,
  ComponentType,
  channelMention,
  roleMention,
  SelectMenuDefaultValueType,
} from 'discord.js'
import { type Msats, sats } from '../../lib/amount.ts'
import type { ServerPreferences } from '../../tipping/tipping.ts'
import { colour, panel } from '../look.ts'
import { type Message, select } from '../message.ts'
import type { Words } from '../words.ts'
import { DEFAULT, languageMenu, languageName } from './mine.ts'

export const SERVER_VERB = 'settings-server'

export const topics = [
  'channels',
  'moderatorRoles',
  'smallestTip',
  'largestTip',
  'confirmAbove',
  'approvalAbove',
  'parkingDays',
  'language',
] as const
export type Topic = (typeof topics)[number]

const MOST_PICKED = 10
const AMOUNTS = {
  smallestTip: [1, 5, 10, 21, 50, 100, 500, 1_000],
  largestTip: [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
  confirmAbove: [100, 1_000, 5_000, 10_000, 50_000, 100_000],
  approvalAbove: [0, 100, 1_000, 5_000, 10_000, 50_000, 100_000, 1_000_000],
} as const
const DAYS = [1, 3, 7, 14, 30, 60, 90, 180, 365]

/** A server's settings: all of them to read, one to change, and a menu to choose which. */
export function drawServer(server: ServerPreferences, topic: Topic | undefined, words: Words): Message {
  const lines = topics.map((each) => words.say(`settings.server.${each}`, { value: shown(server, each, words) }))
  const titles = topics.map((each) => ({
    value: each,
    label: words.say(`settings.server.titles.${each}`),
    chosen: each === topic,
  }))
  const chooseTopic = select(SERVER_VERB, 'topic', words.say('settings.server.topicMenu'), titles)
  return {
    embeds: [
      panel(colour.satchel, lines, {
        title: words.say('settings.server.title'),
        footer: topic === 'moderatorRoles' ? words.say('settings.server.rolesHint') : undefined,
      }),
    ],
    menus: [chooseTopic, ...(topic === undefined ? [] : [control(server, topic, words)])],
  }
}

function shown(server: ServerPreferences, topic: Topic, words: Words): string {
  switch (topic) {
    case 'channels':
      return server.channels.map((id) => channelMention(id)).join(' ') || words.say('settings.server.everywhere')
    case 'moderatorRoles':
      return server.moderatorRoles.map((id) => roleMention(id)).join(' ') || words.say('settings.server.nobodyElse')
    case 'parkingDays':
      return server.parkingDays === undefined
        ? words.say('settings.default')
        : words.say('settings.days', { count: server.parkingDays })
    case 'language':
      return languageName(server.language, words)
    case 'approvalAbove':
      return server.approvalAbove === undefined ? words.say('settings.off') : words.amount(server.approvalAbove)
    default:
      return server[topic] === undefined ? words.say('settings.default') : words.amount(server[topic])
  }
}

function control(server: ServerPreferences, topic: Topic, words: Words): APISelectMenuComponent {
  const placeholder = words.say(`settings.server.titles.${topic}`)
  const picked = { custom_id: `${SERVER_VERB}:${topic}`, placeholder, min_values: 0, max_values: MOST_PICKED }
  switch (topic) {
    case 'channels':
      return {
        type: ComponentType.ChannelSelect,
        ...picked,
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement],
        default_values: server.channels.map((id) => ({ id, type: SelectMenuDefaultValueType.Channel })),
      }
    case 'moderatorRoles':
      return {
        type: ComponentType.RoleSelect,
        ...picked,
        default_values: server.moderatorRoles.map((id) => ({ id, type: SelectMenuDefaultValueType.Role })),
      }
    case 'language':
      return languageMenu(SERVER_VERB, server.language, words)
    case 'parkingDays': {
      const days = DAYS.map((count) => ({
        value: String(count),
        label: words.say('settings.days', { count }),
        chosen: server.parkingDays === count,
      }))
      const none = { value: DEFAULT, label: words.say('settings.default'), chosen: server.parkingDays === undefined }
      return select(SERVER_VERB, topic, placeholder, [none, ...days])
    }
    default:
      return select(SERVER_VERB, topic, placeholder, amountOptions(topic, server[topic], words))
  }
}

function amountOptions(topic: keyof typeof AMOUNTS, chosen: Msats | undefined, words: Words) {
  const none = topic === 'approvalAbove' ? words.say('settings.off') : words.say('settings.default')
  const amounts = AMOUNTS[topic].map((amount) => ({
    value: String(amount),
    label: amount === 0 ? words.say('settings.server.everyReward') : words.amount(sats(amount)),
    chosen: chosen === sats(amount),
  }))
  return [{ value: DEFAULT, label: none, chosen: chosen === undefined }, ...amounts]
}
