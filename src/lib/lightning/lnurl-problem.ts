import type { Msats } from '../money/amount.ts'

/** A fault of an LNURL's other side, with the facts for its message. */
export type LnurlFault =
  /** It refused, in its own words, which may be empty. */
  | { readonly kind: 'refused'; readonly said: string }
  /** Its host knows no such name or code (404, 410). */
  | { readonly kind: 'unknown'; readonly host: string }
  /** Its host turns us away: a firewall, too many requests, a wall before a page (401, 403, 429, …). */
  | { readonly kind: 'turned-away'; readonly host: string; readonly status: number }
  /** Its host failed (500 and above). */
  | { readonly kind: 'broken'; readonly host: string; readonly status: number }
  /** The server's answer is not an LNURL. */
  | { readonly kind: 'foreign'; readonly host: string }
  /** A code for something else: it pays out, signs in, opens a channel. `does` is its tag. */
  | { readonly kind: 'other-purpose'; readonly does: string }
  | { readonly kind: 'outside'; readonly smallest: Msats; readonly largest: Msats }
  /** The receiver takes whole sats alone. `try`: the nearest amount that it takes. */
  | { readonly kind: 'whole-sats'; readonly try: Msats }
  /** The receiver wants to know who pays (LUD-18), and we tell nobody. */
  | { readonly kind: 'asks-who' }
  /** A success action of a kind that nobody here can carry out (LUD-09). */
  | { readonly kind: 'unknown-action'; readonly tag: string }
  | { readonly kind: 'comment' }
  /** An invoice that must not be paid: another amount, another network, expired, malformed. */
  | { readonly kind: 'bad-invoice' }

/**
 * The other side of an LNURL cannot or will not do this, or does something that a wallet must not follow. Nothing was
 * paid. `message` is a sentence for a person.
 */
export class LnurlProblem extends Error {
  override readonly name = 'LnurlProblem'
  readonly fault: LnurlFault

  constructor(fault: LnurlFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }

  /** The other side's own words; undefined if its answer is at fault. */
  get said(): string | undefined {
    return this.fault.kind === 'refused' ? this.fault.said : undefined
  }
}
