import { channelMention } from 'discord.js'
import { sats } from '../../lib/money/amount.ts'
import type { MemberPreferences, ServerPreferences } from '../../tipping/tipping.ts'
import type { Asking, Button, Choice, Choosing, Press } from '../interactions/command.ts'
import { serverOfManager } from '../interactions/in-server.ts'
import { serverWalletOf } from '../pools/server-wallet.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { DEFAULT, drawMine, MINE_VERB, OPEN_VERB, TOGGLE_VERB } from './mine.ts'
import { drawServer, SERVER_VERB, type Topic, topics } from './server.ts'

/** Sets one of a member's own settings to the chosen value. */
export const settingsMine = {
  verb: MINE_VERB,
  names: 'nothing',
  answer: 'update',
  async choose({ record, chosen: [value = DEFAULT], ...asking }: Choosing) {
    const language = value === DEFAULT ? undefined : value
    if (record === 'language') return await changeMine(asking, { language })
    const amount = amountOf(value)
    return await changeMine(asking, record === 'emojiCeiling' ? { emojiCeiling: amount } : { reactionTip: amount })
  },
} satisfies Choice

/** Switches one of a member's own settings on or off, as the button's label says. */
export const settingsToggle = {
  verb: TOGGLE_VERB,
  names: 'nothing',
  answer: 'update',
  async press({ record, ...asking }: Press) {
    const [what, chosenState] = record.split('/')
    const on = chosenState === 'on'
    return await changeMine(asking, what === 'receipts' ? { receipts: on } : { hidden: on })
  },
} satisfies Button

/** Opens the server's settings. */
export const settingsOpen = {
  verb: OPEN_VERB,
  names: 'nothing',
  answer: 'private',
  async press({ t, tipping, links, ...asking }: Press) {
    const { defaults } = tipping.preferences
    const guild = serverOfManager(asking)
    const wallet = await serverWalletOf({ tipping, links }, guild, true)
    return { say: drawServer(tipping.preferences.ofServer(guild), undefined, { t, defaults, wallet }) }
  },
} satisfies Button

/** Selects which of a server's settings to change, or changes the selected setting. */
export const settingsServer = {
  verb: SERVER_VERB,
  names: 'nothing',
  answer: 'update',
  async choose({ record, chosen, member, t, tipping, links, ...asking }: Choosing) {
    const guild = serverOfManager(asking)
    const topic = topics.find((each) => each === (record === 'topic' ? chosen[0] : record))
    if (topic === undefined) throw new CommandRefusal('commandRefusals.stale-button')
    const wallet = await serverWalletOf({ tipping, links }, guild, false)
    const around = { t, defaults: tipping.preferences.defaults, wallet }
    if (record === 'topic') return { say: drawServer(tipping.preferences.ofServer(guild), topic, around) }
    const change = changeOf(topic, chosen)
    const channel = change.logChannel ?? change.recapChannel
    if (channel !== undefined && !asking.caller.botWrites(channel)) {
      throw new CommandRefusal('commandRefusals.log-closed', { channel: channelMention(channel) })
    }
    return { say: drawServer(await tipping.preferences.changeServer({ guild, member, change }), topic, around) }
  },
} satisfies Choice

async function changeMine(
  {
    member,
    caller,
    guild,
    tipping,
    inLanguageOf,
  }: Omit<Asking, 'origin' | 't' | 'memberName' | 'userName' | 'asked' | 'members' | 'log'>,
  change: Partial<MemberPreferences>,
) {
  const mine = await tipping.preferences.change({ member, change })
  // A language that was just chosen applies to this very answer.
  const { emojiTips } = tipping.preferences.ofServer(guild)
  return { say: drawMine(mine, inLanguageOf(member), { manages: caller.manager && guild !== null, emojiTips }) }
}

function changeOf(topic: Topic, chosen: readonly string[]): Partial<ServerPreferences> {
  const [value = DEFAULT] = chosen
  switch (topic) {
    case 'channels':
    case 'moderatorRoles':
    case 'blockedMembers':
    case 'blockedRoles':
      return { [topic]: chosen }
    case 'emojiTips':
      throw new CommandRefusal('commandRefusals.stale-button')
    case 'noLinks':
    case 'noAnonymousTips':
    case 'recapMonthly':
      return { [topic]: value !== DEFAULT }
    case 'logChannel':
    case 'recapChannel':
      return { [topic]: chosen[0] }
    case 'language':
      return { language: value === DEFAULT ? undefined : value }
    case 'rainAccountDays':
    case 'rainMemberDays':
    case 'claimDays':
    case 'newAccountDays':
    case 'coolDownSeconds':
      return { [topic]: value === DEFAULT ? undefined : Number(value) }
    default:
      return { [topic]: amountOf(value) }
  }
}

function amountOf(value: string) {
  return value === DEFAULT ? undefined : sats(Number(value))
}
