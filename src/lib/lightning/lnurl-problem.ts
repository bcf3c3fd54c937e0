import type { Msats } from '../money/amount.ts'

/** What is wrong with an LNURL's other side, with the facts for its message. */
export type LnurlFault =
  /** It refused, in its own words, which may be empty. */
  | { readonly kind: 'refused'; readonly said: string }
  /** Its host does not know the name or code (404, 410). */
  | { readonly kind: 'unknown'; readonly host: string }
  /** Its host rejects the request: a firewall, too many requests, a check before a page (401, 403, 429, …). */
  | { readonly kind: 'turned-away'; readonly host: string; readonly status: number }
  /** Its host failed (500 and above). */
  | { readonly kind: 'broken'; readonly host: string; readonly status: number }
  /** The server's answer is not an LNURL. */
  | { readonly kind: 'foreign'; readonly host: string }
  /** The code is for another purpose: it pays out, signs in, opens a channel. `does` is its tag. */
  | { readonly kind: 'other-purpose'; readonly does: string }
  | { readonly kind: 'outside'; readonly smallest: Msats; readonly largest: Msats }
  /** The receiver accepts only whole sats. `try`: the nearest amount that it accepts. */
  | { readonly kind: 'whole-sats'; readonly try: Msats }
  /** The receiver wants to know who pays (LUD-18), which we tell nobody. */
  | { readonly kind: 'asks-who' }
  /** The success action is of a kind that cannot be performed here (LUD-09). */
  | { readonly kind: 'unknown-action'; readonly tag: string }
  | { readonly kind: 'comment' }
  /** The invoice must not be paid: it has another amount or network, has expired, or is malformed. */
  | { readonly kind: 'bad-invoice' }

/**
 * An LNURL's other side cannot or will not do this, or does something that a wallet must not accept. Nothing was paid.
 * `message` is a sentence for a person.
 */
export class LnurlProblem extends Error {
  override readonly name = 'LnurlProblem'
  readonly fault: LnurlFault

  constructor(fault: LnurlFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }

  /** The other side's own words; undefined if its answer is wrong. */
  get said(): string | undefined {
    return this.fault.kind === 'refused' ? this.fault.said : undefined
  }
}
