import { commitDurably } from '../../core/commit-end.ts'
import type { Book, CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'

/** The kinds of alert that report what operators did, or that all is well again, so nothing has to be repaired. */
const NEWS = [
  'paused',
  'resumed',
  'restored',
  'node-back',
  'decision-proposed',
  'decision-done',
  'booking-proposed',
  'booking-done',
  'proposal-cancelled',
  'link-ended',
  'wind-down-proposed',
  'wind-down-begun',
  'wind-down-round',
  'wind-down-stopped',
  'claims-adopted',
  'console',
] as const
export type NewsKind = (typeof NEWS)[number]

export interface NewAlert {
  readonly kind:
    | NewsKind
    | 'payout-misdirected'
    | 'payout-unknown'
    | 'withdrawal-unknown'
    | 'voucher-unknown'
    | 'revocation-unknown'
    | 'redemption-unknown'
    | 'deposit-changed'
    | 'provider-left'
    | 'not-known-there'
    | 'other-amount'
    | 'cover'
    | 'new-book'
    | 'booking-lapsed'
    | 'exits' // In books of an earlier version: paused, or resumed.
    | 'clock'
    | 'node'
    | 'passkey'
  /** The id of the record or other subject that the alert is about. */
  readonly about: string
  /** The text for operators, which contains all values; people appear in it as `person` formats them. */
  readonly text: string
}

/**
 * Formats a person's id for an alert: as a mention for a Discord member, unchanged for somebody else, such as a user of
 * this machine.
 */
export function person(id: string): string {
  return /^\d{15,20}$/.test(id) ? `<@${id}>` : id
}

/**
 * Records an alert for operators. Repeated calls record the alert only once. News is logged at `info`, under a field
 * name that raises no alarm.
 */
export async function raiseAlert(context: Book, tx: Tx, alert: NewAlert): Promise<void> {
  const { kind, about, text } = alert
  const known = await tx.alert.findUnique({ where: { kind_about: { kind, about } } })
  if (known) return
  await tx.alert.create({ data: { kind, about, text, at: now(context) } })
  if (NEWS.some((news) => news === kind)) context.logger.info({ news: kind, about }, text)
  else context.logger.error({ alert: kind, about }, text)
}

/** An answer in which the provider reports another amount for a payment than was requested. Amounts are in msats. */
interface OtherAmount {
  readonly about: string
  /** The kind of payment: `payout`, `withdrawal` … */
  readonly what: string
  readonly asked: bigint
  readonly answered: bigint
}

/**
 * Alerts operators, once, that the provider's amount differs from the requested one. Such an answer proves nothing.
 * Returns the facts as text, for use as evidence.
 */
export async function tellOfOtherAmount(context: CoreContext, answer: OtherAmount): Promise<string> {
  const { about, what, asked, answered } = answer
  const evidence = `the provider answers with ${answered} msats instead of ${asked}`
  const text = toDecide(`the answer to a ${what} (${about}) is not believed: ${evidence}`)
  await commitDurably(context, { write: (tx) => raiseAlert(context, tx, { kind: 'other-amount', about, text }) })
  return evidence
}

/** Describes a payment whose outcome is unknown, and what operators can do about it. */
export function toDecide(what: string): string {
  return `${what.replace(/\.$/, '')}. Two operators can decide it: /admin unknown`
}
