import { type APIStringSelectComponent, ButtonStyle } from 'discord.js'
import { sats } from '../../lib/amount.ts'
import type { MemberPreferences } from '../../tipping/tipping.ts'
import { colour, panel } from '../look.ts'
import { button, type Message, select } from '../message.ts'
import { languages } from '../words/languages.ts'
import type { Words } from '../words.ts'

export const MINE_VERB = 'settings-mine'
export const TOGGLE_VERB = 'settings-toggle'
export const OPEN_VERB = 'settings-open'
/** The value that stands for "nothing chosen". */
export const DEFAULT = 'default'

const REACTION_SATS = [1, 5, 10, 21, 50, 100, 210, 500, 1_000, 2_100, 5_000]

/** A member's own settings, each with the control that changes it. `manages`: whether to offer the server's too. */
export function drawMine(mine: MemberPreferences, words: Words, manages: boolean): Message {
  const { receipts, hidden } = mine
  const onOff = (on: boolean) => words.say(on ? 'settings.on' : 'settings.off')
  const reaction = mine.reactionTip === undefined ? onOff(false) : words.amount(mine.reactionTip)
  const lines = [
    words.say('settings.mine.receipts', { value: onOff(receipts) }),
    words.say('settings.mine.hidden', { value: onOff(hidden) }),
    words.say('settings.mine.reactionTip', { value: reaction }),
    words.say('settings.mine.language', { value: languageName(mine.language, words) }),
  ]
  const toggle = (what: 'receipts' | 'hidden', on: boolean) =>
    button(TOGGLE_VERB, `${what}/${on ? 'off' : 'on'}`, words.say(`settings.mine.${what}${on ? 'Off' : 'On'}`), {
      style: on ? ButtonStyle.Secondary : ButtonStyle.Primary,
    })
  return {
    embeds: [panel(colour.satchel, lines, { title: words.say('settings.mine.title') })],
    menus: [reactionMenu(mine, words), languageMenu(MINE_VERB, mine.language, words)],
    buttons: [
      toggle('receipts', receipts),
      toggle('hidden', hidden),
      ...(manages ? [button(OPEN_VERB, 'server', words.say('settings.openServer'), { emoji: '🛠️' })] : []),
    ],
  }
}

function reactionMenu({ reactionTip }: MemberPreferences, words: Words): APIStringSelectComponent {
  const amounts = REACTION_SATS.map((amount) => ({
    value: String(amount),
    label: words.say('settings.mine.reactionOption', { amount: sats(amount) }),
    chosen: reactionTip === sats(amount),
  }))
  const off = { value: DEFAULT, label: words.say('settings.mine.reactionOff'), chosen: reactionTip === undefined }
  return select(MINE_VERB, 'reactionTip', words.say('settings.mine.reactionMenu'), [off, ...amounts])
}

/** Languages by their own names, so that everybody finds theirs. */
export function languageMenu(verb: string, chosen: string | undefined, words: Words): APIStringSelectComponent {
  const own = languages.map(({ code }) => ({
    value: code,
    label: languageName(code, words),
    chosen: chosen === code,
  }))
  const off = { value: DEFAULT, label: words.say('settings.asDiscord'), chosen: chosen === undefined }
  return select(verb, 'language', words.say('settings.languageMenu'), [off, ...own])
}

export function languageName(code: string | undefined, words: Words): string {
  if (code === undefined) return words.say('settings.asDiscord')
  return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
}
