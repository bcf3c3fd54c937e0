import { readProviderWords } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { quotable } from '../messages/quotable.ts'

const MAX_REASON_LENGTH = 150

/** Texts that state a limit, each with advice, by the provider's code. */
const LIMITS = {
  amount_too_high: 'providerSays.at_most',
  amount_too_low: 'providerSays.at_least',
  nothing_sent: 'providerSays.at_most_now',
} as const

/** Clauses that state a limit, for unavailable choices. */
const LIMITS_AS_REASONS = {
  amount_too_high: 'providerSays.amount_too_high_limit',
  amount_too_low: 'providerSays.amount_too_low_limit',
  // With a limit, its node only lacks liquidity: a smaller sum can be sent now.
  nothing_sent: 'providerSays.nothing_sent_limit',
} as const

/** The meanings of a provider's codes. Several codes mean the same to a member. */
const MEANINGS = {
  no_route: 'providerSays.no_route',
  timed_out: 'providerSays.timed_out',
  no_liquidity: 'providerSays.no_liquidity',
  invoice_expired: 'providerSays.invoice_expired',
  refused_by_payee: 'providerSays.refused_by_payee',
  refused_by_node: 'providerSays.refused_by_node',
  insufficient_funds: 'providerSays.insufficient_funds',
  amount_too_high: 'providerSays.amount_too_high',
  amount_too_low: 'providerSays.amount_too_low',
  nothing_sent: 'providerSays.nothing_sent',
  wrong_network: 'providerSays.wrong_network',
  self_payment: 'providerSays.self_payment',
  gamertag_not_found: 'providerSays.receiver_gone',
  user_not_found: 'providerSays.receiver_gone',
  receiver_mismatch: 'providerSays.receiver_gone',
  not_offered: 'providerSays.not_offered',
  region_not_supported: 'providerSays.not_offered',
  missing_api_key: 'providerSays.no_access',
  unknown_api_key: 'providerSays.no_access',
  missing_scope: 'providerSays.no_access',
} as const

/**
 * Explains a provider's words in the reader's language, as a clause without a full stop. Returns undefined if the words
 * are unknown.
 */
export function meaningOf(words: string | undefined, t: Translator): string | undefined {
  const { code, limit } = readProviderWords(words ?? '')
  if (limit !== undefined && isOneOf(LIMITS_AS_REASONS, code)) return t(LIMITS_AS_REASONS[code], { limit })
  return isOneOf(MEANINGS, code) ? t(MEANINGS[code]) : undefined
}

/** Explains a provider's words in the reader's language, or quotes them if they are unknown. */
export function providerReason(words: string, t: Translator, longest = MAX_REASON_LENGTH): string {
  return meaningOf(words, t) ?? quotable(readProviderWords(words).message, longest)
}

/**
 * States the smallest or largest possible amount in a sentence with advice, for the person who chose the amount.
 * Returns undefined if the provider stated no limit.
 */
export function limitSaid(words: string | undefined, t: Translator): string | undefined {
  const { code, limit } = readProviderWords(words ?? '')
  return limit !== undefined && isOneOf(LIMITS, code) ? t(LIMITS[code], { limit }) : undefined
}

function isOneOf<Codes extends object>(codes: Codes, code: string | undefined): code is keyof Codes & string {
  return code !== undefined && Object.hasOwn(codes, code)
}
