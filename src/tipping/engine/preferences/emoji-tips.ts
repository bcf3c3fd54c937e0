import { type Msats, msats } from '../../../lib/money/amount.ts'
import { emojiKey, isEmoji } from '../../core/emoji.ts'
import { type AmountLimits, readAmount } from '../../core/read-amount.ts'
import { shown } from '../../core/shown.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { type EmojiTip, MAX_EMOJI_TIPS } from './preferences.ts'

/**
 * Reads emoji with their amounts as somebody typed them: one pair on each line, or the pairs separated by semicolons.
 * Throws TippingRefusal `emoji-line`, `emoji-twice`, `emoji-too-many`, or the refusal of an amount.
 */
export function readEmojiTips(text: string, limits: AmountLimits): EmojiTip[] {
  const lines = text.split(/[\n;]/).map((line) => line.trim())
  const tips = lines.filter((line) => line !== '').map((line) => readLine(line, limits))
  const keys = tips.map(({ emoji }) => emojiKey(emoji))
  const twice = tips.find((_, at) => keys.indexOf(keys[at] ?? '') !== at)
  if (twice !== undefined) throw new TippingRefusal('emoji-twice', { text: twice.emoji })
  if (tips.length > MAX_EMOJI_TIPS) throw new TippingRefusal('emoji-too-many', { most: MAX_EMOJI_TIPS })
  return tips
}

function readLine(line: string, limits: AmountLimits): EmojiTip {
  const [, emoji = '', amount = ''] = /^(\S+)\s+(\S.*)$/u.exec(line) ?? []
  if (!isEmoji(emoji)) throw new TippingRefusal('emoji-line', { text: shown(line) })
  return { emoji, amount: readAmount(amount, limits) }
}

/** Converts emoji tips to their stored form. */
export function storedEmojiTips(tips: readonly EmojiTip[]): string {
  return JSON.stringify(tips.map(({ emoji, amount }) => ({ emoji, amount: amount.toString() })))
}

/** Reads emoji tips from their stored form, or from the moderation log. */
export function emojiTipsOf(stored: readonly { readonly emoji: string; readonly amount: string }[]): EmojiTip[] {
  return stored.map(({ emoji, amount }) => ({ emoji, amount: amountOf(amount) }))
}

function amountOf(stored: string): Msats {
  return msats(BigInt(stored))
}
