import type { Msats } from '../money/amount.ts'

/** A fault of an LNURL's other side, with the facts for a message about it. */
export type LnurlFault =
  /** The other side refused. `said` contains its own words, and may be empty. */
  | { readonly kind: 'refused'; readonly said: string }
  /** The host does not know the name or code (404, 410). */
  | { readonly kind: 'unknown'; readonly host: string }
  /** The host rejects the request: a firewall, too many requests, a check before a page (401, 403, 429, …). */
  | { readonly kind: 'turned-away'; readonly host: string; readonly status: number }
  /** The host failed (500 and above). */
  | { readonly kind: 'broken'; readonly host: string; readonly status: number }
  /** The server's answer is not an LNURL. */
  | { readonly kind: 'foreign'; readonly host: string }
  /** The code is for another purpose, such as paying out, signing in or opening a channel. `does` is the code's tag. */
  | { readonly kind: 'other-purpose'; readonly does: string }
  | { readonly kind: 'outside'; readonly smallest: Msats; readonly largest: Msats }
  /** The receiver accepts only whole sats. `try` is the nearest amount that the receiver accepts. */
  | { readonly kind: 'whole-sats'; readonly try: Msats }
  /** The receiver wants to know who pays (LUD-18), which we tell nobody. */
  | { readonly kind: 'asks-who' }
  /** The success action is of a kind that cannot be performed here (LUD-09). */
  | { readonly kind: 'unknown-action'; readonly tag: string }
  | { readonly kind: 'comment' }
  /** The invoice must not be paid: it has another amount or network, has expired, or is malformed. */
  | { readonly kind: 'bad-invoice' }

/**
 * The error for an LNURL whose other side cannot or will not do what was requested, or does what a wallet must not
 * accept. Nothing was paid. `message` is a sentence for a person.
 */
export class LnurlProblem extends Error {
  override readonly name = 'LnurlProblem'
  readonly fault: LnurlFault

  constructor(fault: LnurlFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }

  /** The other side's own words; undefined unless the other side refused. */
  get said(): string | undefined {
    return this.fault.kind === 'refused' ? this.fault.said : undefined
  }
}
