import { isNoSuchHost, type OutgoingError } from '../../lib/http/outgoing-error.ts'
import type { InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import type { LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import { ceilToSat, MSATS_PER_SAT } from '../../lib/money/amount.ts'
import type { Unit } from '../engine/node/unit.ts'
import type { Key, Translator } from './i18n/translator.ts'
import type { Say } from './problems.ts'

/**
 * Explains why a code or an address cannot be read. English readers get the parser's own message, which has more
 * details.
 */
export function unreadable({ message }: InvalidLnurl): Say {
  return (t) => (t.code === 'en' ? message : t('pay.bad-code'))
}

/**
 * Quotes what the other side said. If it said nothing, returns the problem's message in English, and the text
 * `otherwise` in all other languages.
 */
export function saidBy(t: Translator, { said, message }: LnurlProblem, otherwise: Key): string {
  if (said !== undefined && said !== '') return t('pay.says', { words: said.trim().replace(/\.$/, '') })
  return t.code === 'en' ? message : t(otherwise)
}

/** Explains why an address or code cannot be paid, and what to do. `address` is what the payer typed. */
export function whyNotPayable(problem: LnurlProblem, address: string): Say {
  const { fault } = problem
  const about = { address: address.slice(0, MAX_SHOWN) }
  switch (fault.kind) {
    case 'unknown':
      return (t) => t('pay.no-name', about)
    case 'turned-away':
      return (t) => t('pay.turned-away', { ...about, status: `${fault.status}` })
    case 'broken':
      return (t) => t('pay.broken', { ...about, status: `${fault.status}` })
    case 'other-purpose':
      return fault.does === 'withdrawRequest'
        ? (t) => t('pay.pays-out', { page: t('parts.receive') })
        : (t) => t('pay.other-purpose', { does: fault.does })
    case 'whole-sats':
      return (t) => t('pay.whole-sats', { ...about, typed: `${ceilToSat(fault.try) / MSATS_PER_SAT}` })
    case 'unknown-action':
      return (t) => t('pay.unknown-action', { ...about, tag: fault.tag })
    default:
      return (t) => `${saidBy(t, problem, 'pay.refused')} ${t('pay.not-paid')}`
  }
}

/** Explains why the server of an address or code gave no usable answer. */
export function whyUnreached(error: OutgoingError, address: string): Say {
  if (isNoSuchHost(error)) return (t) => t('pay.no-host', { host: hostIn(address) })
  if (error.reason === 'too-large') return (t) => t('pay.too-large', { address: address.slice(0, MAX_SHOWN) })
  return (t) => t('pay.no-answer')
}

const MAX_SHOWN = 80

/** Returns the host in an address, or the beginning of a code, which shows no host. */
function hostIn(address: string): string {
  return (address.split('@').at(-1) ?? '').slice(0, MAX_SHOWN)
}

/** Formats two amounts in msats as a range, or as one amount if they are equal. */
export function rangeIn(t: Translator, least: bigint, most: bigint, unit: Unit): string {
  if (least === most) return t.amount(most, unit)
  return t('claim.range', { least: t.figure(least), most: t.amount(most, unit) })
}
