import { InsufficientFunds } from '../../ledger/ledger.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { ceilToSat, floorToSat, msats } from '../../lib/money/amount.ts'
import { asRefusal, ServiceRefusal } from '../core/service-refusal.ts'
import type { Unit } from '../engine/node/unit.ts'
import { createTranslators, type Key, type Translator } from './i18n/translator.ts'

/** Builds a text in the reader's language. `unit` follows from the node's network. */
export type Say = (t: Translator, unit: Unit) => string

/** A refusal by the page itself, with a text in every language. Its message, which is for the log, is in English. */
export class WalletProblem extends HttpProblem {
  readonly say: Say

  constructor(status: number, code: string, say: Say, cause?: unknown) {
    super(status, code, say(createTranslators()('en'), 'sats'))
    this.name = 'WalletProblem'
    this.say = say
    this.cause = cause
  }
}

/** Converts an error to a problem with a text for people; undefined for a bug, which has no such text. */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof InsufficientFunds && error.account.kind === 'wallet') {
    const { balance, missing } = error
    const amounts = (t: Translator, unit: Unit) => ({
      balance: t.amount(floorToSat(msats(balance)), unit),
      amount: t.amount(ceilToSat(msats(balance + missing)), unit),
      missing: t.amount(ceilToSat(msats(missing)), unit),
    })
    return new WalletProblem(400, 'insufficient_funds', (t, unit) => t('pay.too-much', amounts(t, unit)), error)
  }
  return asRefusal(error) ?? (error instanceof HttpProblem ? error : undefined)
}

/**
 * Returns a problem's text for its reader. Refusals of lower layers have an English sentence with details, which
 * English readers get, unless it uses the vocabulary of the payments interface. Other languages have one sentence for
 * each code.
 */
export function wordsOf(problem: HttpProblem, t: Translator, unit: Unit): string {
  if (problem instanceof WalletProblem) return problem.say(t, unit)
  if (t.code === 'en' && !IN_WORDS_OF_THE_INTERFACE.includes(problem.code)) return problem.message
  const wait = Number(problem.headers['retry-after'] ?? 0)
  const limit = problem instanceof ServiceRefusal ? problem.limit : undefined
  const key = limit === undefined ? SENTENCES[problem.code] : (LIMITED[problem.code] ?? SENTENCES[problem.code])
  return t(key ?? 'refusals.other', {
    time: waitIn(t, wait),
    limit: limit === undefined ? '' : t.amount(limit, unit),
  })
}

/**
 * The codes whose sentences say "gamertag", which people know as "wallet name", or quote a gamertag as programs write
 * it.
 */
const IN_WORDS_OF_THE_INTERFACE: readonly string[] = ['gamertag_not_found', 'identifier_taken']

const LIMITED: Readonly<Record<string, Key>> = {
  amount_too_high: 'refusals.amount_too_high_limit',
  amount_too_low: 'refusals.amount_too_low_limit',
  nothing_sent: 'refusals.nothing_sent_limit',
}

const UNREADABLE = 'refusals.not-written' satisfies Key

const SENTENCES: Readonly<Record<string, Key>> = {
  amount_not_allowed: 'refusals.amount_not_allowed',
  amount_required: 'refusals.amount_required',
  amount_too_high: 'refusals.amount_too_high',
  amount_too_low: 'refusals.amount_too_low',
  already_paid: 'refusals.already_paid',
  foreign_invoice: 'refusals.foreign_invoice',
  gamertag_not_found: 'refusals.gamertag_not_found',
  identifier_taken: 'refusals.identifier_taken',
  insufficient_funds: 'refusals.insufficient_funds',
  invalid_amount: 'refusals.invalid_amount',
  invalid_field: UNREADABLE,
  invalid_invoice: 'refusals.invalid_invoice',
  invalid_offer: 'refusals.invalid_offer',
  invoice_expired: 'refusals.invoice_expired',
  malformed_request: UNREADABLE,
  malformed_url: UNREADABLE,
  not_found: 'refusals.not_found',
  not_offered: 'refusals.not_offered',
  nothing_sent: 'refusals.nothing_sent',
  offer_unanswered: 'refusals.offer_unanswered',
  rate_limited: 'refusals.rate_limited',
  region_not_supported: 'refusals.region_not_supported',
  self_payment: 'refusals.self_payment',
  still_running: 'refusals.still_running',
  too_many_wrong_codes: 'refusals.too_many_wrong_codes',
  unknown_route: 'errors.noPage',
  url_too_long: UNREADABLE,
  voucher_being_claimed: 'refusals.voucher_being_claimed',
  voucher_expired: 'refusals.voucher_expired',
  voucher_not_found: 'refusals.voucher_not_found',
  voucher_redeemed: 'refusals.voucher_redeemed',
  voucher_revoked: 'refusals.voucher_revoked',
  wrong_network: 'refusals.wrong_network',
  wrong_verb: 'errors.noPage',
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats a waiting time in the largest unit of which it has at least two. */
function waitIn(t: Translator, seconds: number): string {
  const [unit, size] = STEPS.find(([, length]) => seconds >= 2 * length) ?? (['second', 1] as const)
  return t.duration(Math.ceil(seconds / size), unit)
}
