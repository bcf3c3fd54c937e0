import { escapeMarkdown } from 'discord.js'
import { ceilToSat, MSATS_PER_SAT, type Msats } from '../lib/amount.ts'
import type { Refusal, RefusalCode } from '../tipping/tipping.ts'
import { relative } from './look.ts'
import type { Words } from './words.ts'

type AnyRefusal = { [Code in RefusalCode]: Refusal<Code> }[RefusalCode]

/**
 * What is wrong and what to do about it, for every refusal that tipping knows. The switch is exhaustive: a new code
 * that has no words yet does not compile.
 */
export function refusalWords(refused: Refusal, words: Words): string {
  const refusal = refused as AnyRefusal
  switch (refusal.code) {
    case 'amount-ambiguous':
      return words.say('refusals.amount-ambiguous', { text: quotable(refusal.facts.text) })
    case 'amount-not-understood':
      return words.say('refusals.amount-not-understood', { text: quotable(refusal.facts.text) })
    case 'amount-zero':
    case 'amount-negative':
    case 'amount-fraction-of-msat':
    case 'no-recipients':
    case 'tip-to-self':
    case 'tip-to-bot':
    case 'not-linked':
    case 'nothing-to-claim':
    case 'provider-unreachable':
    case 'already-done':
    case 'invoice-expired':
    case 'invoice-taken':
    case 'invoice-own':
    case 'withdrawal-over':
    case 'not-yours':
      return words.say(`refusals.${refusal.code}`)
    case 'amount-too-small':
      return words.say('refusals.amount-too-small', { smallest: refusal.facts.smallest })
    case 'amount-too-large':
      return words.say('refusals.amount-too-large', { largest: refusal.facts.largest })
    case 'amount-needs-rate':
      return words.say('refusals.amount-needs-rate', { currency: quotable(refusal.facts.currency) })
    case 'insufficient-funds': {
      const { balance, needed, missing } = refusal.facts
      return words.say('refusals.insufficient-funds', { balance, needed, deposit: typed(missing) })
    }
    case 'insufficient-with-fee': {
      const { balance, needed, missing, feeLimit } = refusal.facts
      return words.say('refusals.insufficient-with-fee', { balance, needed, feeLimit, deposit: typed(missing) })
    }
    case 'rate-stale':
      return words.say('refusals.rate-stale', {
        currency: quotable(refusal.facts.currency),
        when: relative(refusal.facts.at),
      })
    case 'destination-not-understood':
      return words.say('refusals.destination-not-understood', { text: quotable(refusal.facts.text) })
    case 'invoice-unreadable':
      return words.say('refusals.invoice-unreadable', { reason: quotable(refusal.facts.reason, 300) })
    case 'invoice-amount-differs':
      return words.say('refusals.invoice-amount-differs', {
        asked: refusal.facts.asked,
        invoice: refusal.facts.invoice,
        typed: typed(refusal.facts.invoice),
      })
    case 'address-failed': {
      const { address, reason } = refusal.facts
      return words.say('refusals.address-failed', { address: quotable(address), reason: quotable(reason, 300) })
    }
    case 'too-many-withdrawals':
      return words.say('refusals.too-many-withdrawals', { most: refusal.facts.most })
    case 'limit-reached':
    case 'limit-new-account': {
      const { cap, left, until } = refusal.facts
      return words.say(`refusals.${refusal.code}`, { cap, left, until: relative(until) })
    }
    case 'cooling-down':
      return words.say('refusals.cooling-down', { until: relative(refusal.facts.until) })
    case 'too-many-recipients':
      return words.say('refusals.too-many-recipients', { most: refusal.facts.most })
    case 'text-too-long':
      return words.say(`refusals.text-too-long.${refusal.facts.what}`, { most: refusal.facts.most })
    case 'gamertag-malformed':
    case 'gamertag-not-found':
    case 'gamertag-linked-elsewhere':
      return words.say(`refusals.${refusal.code}`, { gamertag: quotable(refusal.facts.gamertag) })
    case 'too-many-open-deposits':
      return words.say('refusals.too-many-open-deposits', { most: refusal.facts.most })
    case 'provider-refused':
      return words.say('refusals.provider-refused', { message: quotable(refusal.facts.message, 300) })
    case 'exits-paused':
      return words.say('refusals.exits-paused', { reason: quotable(refusal.facts.reason, 300) })
    default:
      return refusal satisfies never
  }
}

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
