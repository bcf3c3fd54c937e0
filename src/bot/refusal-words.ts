import { escapeMarkdown } from 'discord.js'
import { ceilToSat, MSATS_PER_SAT, type Msats } from '../lib/amount.ts'
import type { Refusal, RefusalCode, RefusalFacts } from '../tipping/tipping.ts'
import { relative } from './look.ts'
import type { Words } from './words.ts'

/**
 * What is wrong and what to do about it, for every refusal that tipping knows. A new code that has no words yet does not
 * compile: `say` knows which keys there are. The facts fill the sentence in under their own names.
 */
export function refusalWords({ code, facts }: Refusal, words: Words): string {
  const told = tellable(facts)
  if (code === 'text-too-long') {
    const { what } = facts as RefusalFacts['text-too-long']
    return words.say(`refusals.text-too-long.${what}`, told)
  }
  return words.say(`refusals.${code}`, told)
}

/**
 * Facts as they stand in a sentence: texts that somebody typed quoted, times relative, amounts and counts as they are.
 * What is missing is also given as one would type it after `/deposit`, and an invoice's amount as one would repeat it.
 */
function tellable(facts: RefusalFacts[RefusalCode]): Record<string, string | number | bigint> {
  const told: Record<string, string | number | bigint> = {}
  for (const [name, fact] of Object.entries(facts as Record<string, string | number | bigint | Date>)) {
    if (fact instanceof Date) told[name] = relative(fact)
    else if (typeof fact === 'string') told[name] = quotable(fact, LONGEST_QUOTE[name] ?? 60)
    else told[name] = fact
    if (name === 'missing') told.deposit = typed(fact as Msats)
    if (name === 'invoice') told.typed = typed(fact as Msats)
  }
  return told
}

/** What others say at length is shown at more length than what one typed oneself. */
const LONGEST_QUOTE: Readonly<Record<string, number>> = { reason: 300, message: 300 }

/** Somebody's own text inside a sentence of ours: one line, cut short, with none of Discord's marks at work. */
export function quotable(text: string, longest = 60): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
  return escapeMarkdown(short, { maskedLink: true, heading: true })
}

/** An amount as one would type it into an option: whole sats, rounded up, without separators. */
function typed(amount: Msats): string {
  return (ceilToSat(amount) / MSATS_PER_SAT).toString()
}
