import type { APIStringSelectComponent } from 'discord.js'
import { sats } from '../../lib/money/amount.ts'
import type { EmojiTip, MemberPreferences } from '../../tipping/tipping.ts'
import { namingReactions } from '../emoji/own-emoji.ts'
import { languages } from '../i18n/languages.ts'
import type { Translator } from '../i18n/translator.ts'
import { button, type Message, select } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'

export const MINE_VERB = 'settings-mine'
export const TOGGLE_VERB = 'settings-toggle'
export const OPEN_VERB = 'settings-open'
/** The value in a menu that means "nothing chosen". */
export const DEFAULT = 'default'

const REACTION_SATS = [1, 5, 10, 21, 50, 100, 210, 500, 1_000, 2_100, 5_000]
/** The choices, in sats, for a member's daily limit on tips by servers' emoji. */
const CEILING_SATS = [50, 100, 210, 500, 1_000, 2_100, 5_000, 10_000, 21_000, 50_000]

/** The place where a member views their settings. */
export interface MineHere {
  /** Whether to offer the server's settings, too. */
  readonly manages: boolean
  /** The reactions that tip here. */
  readonly emojiTips: readonly EmojiTip[]
}

/** Draws a member's own settings, each with the control that changes it. */
export function drawMine(mine: MemberPreferences, t: Translator, { manages, emojiTips }: MineHere): Message {
  const { receipts, hidden, emojiCeiling } = mine
  const onOff = (on: boolean) => t(on ? 'settings.on' : 'settings.off')
  const reaction = mine.reactionTip === undefined ? onOff(false) : t.amount(mine.reactionTip)
  const lines = [
    t('settings.mine.receipts', { value: onOff(receipts) }),
    t('settings.mine.hidden', { value: onOff(!hidden) }),
    namingReactions(t('settings.mine.reactionTip', { value: reaction })),
    t('settings.mine.emojiCeiling', {
      value: emojiCeiling === undefined ? onOff(false) : t('settings.mine.emojiOption', { amount: emojiCeiling }),
    }),
    emojiTips.length === 0 ? '' : t('settings.mine.emojiHere', { emoji: emojiTipsShown(emojiTips, t) }),
    t('settings.mine.language', { value: languageName(mine.language, t) }),
  ]
  const toggle = (what: 'receipts' | 'hidden', on: boolean) =>
    button(TOGGLE_VERB, `${what}/${on ? 'off' : 'on'}`, t(`settings.mine.${what}${on ? 'Off' : 'On'}`))
  return {
    embeds: [panel(colour.satchel, lines, { title: t('settings.mine.title') })],
    menus: [
      reactionMenu(mine, t),
      emojiMenu(mine, t),
      languageMenu(MINE_VERB, 'settings.mine.language', mine.language, t),
    ],
    buttons: [
      toggle('receipts', receipts),
      toggle('hidden', hidden),
      ...(manages ? [button(OPEN_VERB, 'server', t('settings.openServer'), { emoji: '🛠️' })] : []),
    ],
  }
}

function reactionMenu({ reactionTip }: MemberPreferences, t: Translator): APIStringSelectComponent {
  const amounts = REACTION_SATS.map((amount) => ({
    value: String(amount),
    label: t('settings.mine.reactionOption', { amount: sats(amount) }),
    chosen: reactionTip === sats(amount),
  }))
  const off = { value: DEFAULT, label: t('settings.mine.reactionOff'), chosen: reactionTip === undefined }
  return select(MINE_VERB, 'reactionTip', t('settings.mine.reactionMenu'), [off, ...amounts])
}

function emojiMenu({ emojiCeiling }: MemberPreferences, t: Translator): APIStringSelectComponent {
  const amounts = CEILING_SATS.map((amount) => ({
    value: String(amount),
    label: t('settings.mine.emojiOption', { amount: sats(amount) }),
    chosen: emojiCeiling === sats(amount),
  }))
  const off = { value: DEFAULT, label: t('settings.mine.emojiOff'), chosen: emojiCeiling === undefined }
  return select(MINE_VERB, 'emojiCeiling', t('settings.mine.emojiMenu'), [off, ...amounts])
}

/** Lists each emoji with its amount. */
export function emojiTipsShown(tips: readonly EmojiTip[], t: Translator): string {
  return tips.map(({ emoji, amount }) => `${namingReactions(emoji)} ${t.amount(amount)}`).join(' · ')
}

/**
 * Builds a menu that lists each language by its own name, so that everybody finds theirs. A closed menu shows only the
 * chosen value, so the label of that value includes the setting: "Language: English", as in the text of `key`.
 */
export function languageMenu(
  verb: string,
  key: 'settings.mine.language' | 'settings.server.language',
  chosen: string | undefined,
  t: Translator,
): APIStringSelectComponent {
  const named = (code: string | undefined) => {
    const name = languageName(code, t)
    return chosen === code ? t(key, { value: name }).replaceAll('**', '') : name
  }
  const own = languages.map(({ code }) => ({ value: code, label: named(code), chosen: chosen === code }))
  const off = { value: DEFAULT, label: named(undefined), chosen: chosen === undefined }
  return select(verb, 'language', t('settings.languageMenu'), [off, ...own])
}

export function languageName(code: string | undefined, t: Translator): string {
  if (code === undefined) return t('settings.asDiscord')
  return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
}
