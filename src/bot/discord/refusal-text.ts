import { ceilToSat, MSATS_PER_SAT, type Msats } from '../../lib/money/amount.ts'
import type { RefusalCode, RefusalFacts, TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { relative } from './panel.ts'

/**
 * What is wrong and what to do about it, for every refusal that tipping knows. A new code that has no words yet does not
 * compile: `say` knows which keys there are. The facts fill the sentence in under their own names.
 */
export function refusalText({ code, facts }: TippingRefusal, t: Translator): string {
  const told = tellable(facts)
  if (code === 'text-too-long') {
    const { what } = facts as RefusalFacts['text-too-long']
    return t(`refusals.text-too-long.${what}`, told)
  }
  return t(`refusals.${code}`, told)
}

/**
 * Facts as they stand in a sentence: texts that somebody typed quoted, times relative, amounts and counts as they are.
 * What is missing is also given as one would type it after `/deposit`, and an invoice's amount as one would repeat it.
 */
function tellable(facts: RefusalFacts[RefusalCode]): Record<string, string | number | bigint> {
  const told: Record<string, string | number | bigint> = {}
  for (const [name, fact] of Object.entries(facts as Record<string, string | number | bigint | Date>)) {
    if (fact instanceof Date) told[name] = relative(fact)
    else if (typeof fact === 'string') told[name] = quotable(fact, MAX_QUOTE_LENGTH[name] ?? 60)
    else told[name] = fact
    if (name === 'missing') told.deposit = typed(fact as Msats)
    if (name === 'invoice') told.typed = typed(fact as Msats)
  }
  return told
}

/** What others say at length is shown at more length than what one typed oneself. */
const MAX_QUOTE_LENGTH: Readonly<Record<string, number>> = { reason: 300, message: 300 }

/** Somebody's own text inside a sentence of ours: one line, cut short, with none of Discord's marks at work. */
export function quotable(text: string, longest = 60): string {
  const line = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
  return short
    .replaceAll(LINKS_AND_MENTIONS, '\\$&')
    .replaceAll(EMPHASIS_OUTSIDE_URLS, (mark, url) => (url === undefined ? `\\${mark}` : mark))
    .replace(AT_THE_START, '\\$&')
}

/** Marks that turn the direction of text around, and others that nobody sees: they make a text look like another. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
/** What begins a masked link, a mention of a command, channel or person, code, or a spoiler; and what would undo a backslash of ours. */
const LINKS_AND_MENTIONS = /[\\[\]<>`|]/g
/** Emphasis; an address keeps its underscores, or it would lead elsewhere. */
const EMPHASIS_OUTSIDE_URLS = /(https?:\/\/\S+)|[*_~]/g
/** A heading, a list, or small print, at the beginning of a line. */
const AT_THE_START = /^(?:#|-)/

/** An amount as one would type it into an option: whole sats, rounded up, without separators. */
function typed(amount: Msats): string {
  return (ceilToSat(amount) / MSATS_PER_SAT).toString()
}
