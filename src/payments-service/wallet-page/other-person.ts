import type { Key, Translator } from './i18n/translator.ts'

/** The person named in a payment's text, and the rest of the text. */
export interface OtherPerson {
  readonly name: string
  readonly note: string
}

/**
 * Matches the description of a forwarded tip, which Satchel's bot writes in the same way in every language: `Tip from
 * Alice: well done`.
 */
const TIP = /^Tip from (.{1,64}?)(?:: (.*))?$/s
/** Matches the receiver as the send page stores it: `bob@example.com: thanks` or `₿bob@example.com`. */
const ADDRESS = /^(₿?[^\s@:]{1,64}@[^\s@:]{1,255}(?::\d{1,5})?)(?:: (.*))?$/s

/**
 * Returns the community member who gave a tip that the community's bot paid; undefined if the tip's text names nobody.
 */
export function giverIn(comment: string): OtherPerson | undefined {
  return read(TIP, comment)
}

/** Returns the address to which a payment went; undefined if it went to none, for example to a pasted invoice. */
export function receiverIn(description: string): OtherPerson | undefined {
  return read(ADDRESS, description)
}

function read(form: RegExp, text: string): OtherPerson | undefined {
  const [, name, note = ''] = form.exec(text) ?? []
  return name === undefined ? undefined : { name, note }
}

/** A gift from a community, without the name of a person. */
export interface Gift {
  readonly what: Extract<Key, `items.${string}`>
  readonly note: string
}

/** The gifts by their descriptions, which Satchel's bot writes in the same way in every language. */
const GIFTS: Readonly<Record<string, Gift['what']>> = {
  'A share of a drop': 'items.dropShare',
  'Won in a giveaway': 'items.prize',
  'Claimed tips': 'items.claimed',
}
const REWARD = /^Reward: (.*)$/s

/** Returns which gift a text of a community's bot describes; undefined for a text that a person wrote. */
export function giftIn(comment: string): Gift | undefined {
  const what = Object.hasOwn(GIFTS, comment) ? GIFTS[comment] : undefined
  if (what !== undefined) return { what, note: '' }
  const [, note] = REWARD.exec(comment) ?? []
  return note === undefined ? undefined : { what: 'items.reward', note }
}

/**
 * Returns a voucher's description: in the reader's language if it only names a kind of gift, otherwise as its maker
 * wrote it.
 */
export function descriptionIn(t: Translator, description: string): string {
  const gift = giftIn(description)
  return gift?.note === '' ? t(gift.what) : description
}
