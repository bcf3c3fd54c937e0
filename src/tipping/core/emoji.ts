import { shown } from './shown.ts'
import { TippingRefusal } from './tipping-refusal.ts'

/**
 * Reduces an emoji for comparison: a server's emoji to its id, a Unicode emoji to its form without variation selector.
 */
export function emojiKey(text: string): string {
  return /^<a?:\w{2,32}:(\d{15,20})>$/.exec(text)?.[1] ?? text.replaceAll('\uFE0F', '')
}

/** Whether a text is one emoji, as Discord writes it. */
export function isEmoji(text: string): boolean {
  const isOwn = emojiKey(text) !== text.replaceAll('\uFE0F', '')
  return isOwn || /^\p{RGI_Emoji}$/v.test(text) || /^\p{Extended_Pictographic}\uFE0F?$/u.test(text)
}

/** Reads one emoji, as Discord writes it. Throws TippingRefusal `rule-emoji`. */
export function readEmoji(typed: string): string {
  const text = typed.trim()
  if (!isEmoji(text)) throw new TippingRefusal('rule-emoji', { text: shown(text) })
  return text
}
