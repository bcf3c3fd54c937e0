import { roleMention } from 'discord.js'
import { ceilToSat, floorToSat, MSATS_PER_SAT, type Msats, msats, SMALLEST_FEE_LIMIT } from '../../lib/money/amount.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import type { RefusalCode, RefusalFacts, TippingRefusal } from '../../tipping/tipping.ts'
import { createTranslators, type Translator } from '../i18n/translator.ts'
import { mention, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { type BudgetReader, noBudget, toRaiseBudget } from './budget-remedies.ts'
import { limitSaid, providerReason } from './provider-reason.ts'

/**
 * Explains a refusal of tipping, and what to do about it. A new code without a text does not compile, because `t`
 * accepts only existing keys. Each fact fills the placeholder with its name. `reader`: who reads the text; default:
 * somebody who must ask a manager for a budget.
 */
export function refusalText({ code, facts }: TippingRefusal, t: Translator, reader = ANYBODY): string {
  const told = tellable(code, facts, t)
  if (code === 'budget-none') return noBudget(reader, t)
  if (code === 'budget-exhausted') return t(`refusals.${code}`, { ...told, raise: toRaiseBudget(reader, t) })
  if (code === 'provider-refused') {
    const { message } = facts as RefusalFacts['provider-refused']
    const reason = () =>
      t('refusals.provider-refused', { message: providerReason(message, t, MAX_QUOTE_LENGTH.message) })
    return limitSaid(message, t) ?? reason()
  }
  if (code === 'text-too-long') {
    const { what } = facts as RefusalFacts['text-too-long']
    return t(`refusals.text-too-long.${what}`, told)
  }
  if (code === 'insufficient-with-fee' || code === 'insufficient-for-batch') {
    const { balance, feeLimit } = facts as RefusalFacts[typeof code]
    if (balance < MSATS_PER_SAT) return t('refusals.insufficient-funds', told)
    // Beside the fee of the smallest amount, no sat is left, so neither less nor all can be sent.
    const smallestFee = feeLimit < SMALLEST_FEE_LIMIT ? feeLimit : SMALLEST_FEE_LIMIT
    if (balance < smallestFee + MSATS_PER_SAT) return t('refusals.insufficient-for-invoice', told)
  }
  if (code === 'amount-too-small') {
    const { smallest, parts = 1 } = facts as RefusalFacts['amount-too-small']
    // Why it is the smallest: each gets a part.
    const sum = `${t.amount(smallest)} (${parts} × ${t.amount(msats(smallest / BigInt(parts)))})`
    if (parts > 1) return t('refusals.amount-too-small', { smallest: sum })
  }
  const text = t(`refusals.${code}`, told)
  const isAlone = code === 'pool-insufficient' && (facts as RefusalFacts['pool-insufficient']).alone === true
  return isAlone ? `${text} ${t('pool.alone')}` : text
}

const ANYBODY: BudgetReader = { manager: false }

/**
 * Prepares facts for a sentence: quotes typed texts, makes times relative, mentions members and roles, and rounds
 * balances and missing amounts. Also adds a missing amount as people type it after `/deposit`, and an invoice's amount
 * or the nearest one as they type it again.
 */
function tellable(
  code: RefusalCode,
  facts: RefusalFacts[RefusalCode],
  t: Translator,
): Record<string, string | number | bigint> {
  const told: Record<string, string | number | bigint> = {}
  for (const [name, fact] of Object.entries(facts as Record<string, string | number | bigint | Date | string[]>)) {
    if (name === 'roles') told[name] = rolesSaid(fact as string[], code === 'giveaway-needs-all' ? 'all' : 'any', t)
    else if (Array.isArray(fact)) told[name] = t.list(fact.map(named))
    else if (fact instanceof Date) told[name] = relative(fact)
    else if (typeof fact === 'string') told[name] = quotable(fact, MAX_QUOTE_LENGTH[name] ?? 60)
    else told[name] = typeof fact === 'bigint' ? inSats(name, fact as Msats) : fact
    if (name === 'missing') told.deposit = typed(fact as Msats)
    if (name === 'invoice' || name === 'nearest') told.typed = typed(fact as Msats)
  }
  return told
}

/** Mentions a member, or quotes a Lightning Address. */
function named(somebody: string): string {
  return somebody.includes('@') ? quotable(somebody) : mention(somebody)
}

/** Rounds balances down, and needed and missing amounts up, to whole sats. */
function inSats(name: string, amount: Msats): Msats {
  if (name === 'balance') return floorToSat(amount)
  return name === 'needed' || name === 'missing' ? ceilToSat(amount) : amount
}

/** Mentions roles, joined in a way that shows whether one is enough or all are needed. */
export function rolesSaid(roles: readonly string[], need: 'any' | 'all', t: Translator): string {
  const mentions = roles.map((role) => roleMention(role))
  return need === 'all' ? t.list(mentions) : mentions.join(' / ')
}

/** The maximum lengths of quotes from others, which may be longer than quotes of the reader's own text. */
const MAX_QUOTE_LENGTH: Readonly<Record<string, number>> = { reason: 300, message: 300 }

/** Formats an amount for typing into an option: whole sats, rounded up, without separators. */
function typed(amount: Msats): string {
  return (ceilToSat(amount) / MSATS_PER_SAT).toString()
}

/** Returns a refusal in English for a page outside Discord, without Discord's markup. */
export function refusalInWords(refusal: TippingRefusal, testMoney: boolean): string {
  return withoutMarks(refusalText(refusal, createTranslators(() => testMoney)('en')))
}

/** Removes Discord's markup from a text. */
export function withoutMarks(text: string): string {
  return text
    .replace(/<t:(\d+):\w>/g, (_, seconds) => utcMinute(new Date(Number(seconds) * 1_000)))
    .replace(/<@!?(\d+)>/g, '@$1')
    .replace(/<\/([^:>]+):\d+>/g, '/$1')
    .replace(/\*\*|`/g, '')
    .replace(/\\([^\w\s])/g, '$1')
}
