import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'
import type { OfferInvoices } from './offer-invoices.ts'
import { mostFee } from './promises.ts'
import { amountOf, TO_INVOICE, type Wire } from './wire.ts'

/** A code that pays the wallet that scans it, as its maker typed it. */
export interface CodeToScan {
  readonly request: string
  /** The amount that the wallet receives; `limit` is the highest routing cost on top of it. */
  readonly worth: bigint
  readonly limit: bigint
  /** What the code belongs to; a voucher pays its own routing cost, and the service keeps the unused part. */
  readonly of: { readonly voucher: string } | { readonly withdrawal: string } | { readonly stranger: string }
}

/** Somebody's request that the service send sats over the network. */
export interface SentOut {
  readonly what: string
  readonly amount: bigint
  readonly limit: bigint
  /** Whether the requester was shown that the sats arrived; undefined if nobody waits for the answer. */
  shownPaid: boolean | undefined
}

export interface NetworkPayment {
  readonly paymentHash: string
  readonly kind: string
  readonly amount: bigint
  readonly fee: bigint
  readonly tlvRecords: string
  readonly invoice: string | null
}

/** The total fees of the network's payments beyond their limits, and the total that vouchers left unspent. */
export interface OutgoingTotals {
  /** Fees beyond the limits that people were told; the operator bears these fees. */
  readonly excess: bigint
  /** The unused part of vouchers' fee reserves. */
  readonly unspent: bigint
}

/**
 * Judges the service's outgoing payments over the Lightning network: each one in the network's own records must be one
 * person's exact request, or a wallet's share of a code that it scanned.
 */
export class Outgoing {
  /** The stranger's fees for making vouchers. */
  voucherFees = 0n
  /** The scanned code for each invoice that a wallet handed in, even if the answer was lost. */
  readonly #scans = new Map<string, CodeToScan>()
  readonly #invoices = new Map<string, SentOut>()
  /** Keysends by the mark that each payment carries through the network. */
  readonly #keysends = new Map<string, SentOut>()
  readonly #faults: Faults
  readonly #offers: OfferInvoices

  constructor(faults: Faults, offers: OfferInvoices) {
    this.#faults = faults
    this.#offers = offers
  }

  /** Notes that a wallet is about to hand in its invoice for a code. */
  scans(code: CodeToScan, invoice: string): void {
    this.#scans.set(invoice, code)
  }

  /**
   * Notes that somebody is about to pay an external wallet's invoice. The invoice is paid once even if it is requested
   * twice; the first request is returned.
   */
  pays(invoice: string, sent: SentOut): SentOut {
    const onNetwork = this.#offers.onNetwork(invoice)
    const first = this.#invoices.get(onNetwork) ?? sent
    this.#invoices.set(onNetwork, first)
    return first
  }

  /** Notes that somebody is about to send sats without an invoice. */
  keysends(mark: string, sent: SentOut): void {
    this.#keysends.set(mark, sent)
  }

  /**
   * Returns the network's payment for a code; undefined if there is none, or if the code was paid inside the service.
   */
  paidBy(request: string, lightning: BookWatch): NetworkPayment | undefined {
    return paidOut(lightning).find(({ invoice }) => this.#scans.get(invoice ?? '')?.request === request)
  }

  /** Returns the network's payments for withdrawals' codes, by the withdrawals' ids. */
  paidByWithdrawals(lightning: BookWatch): Map<string, NetworkPayment> {
    return new Map(
      paidOut(lightning).flatMap((payment) => {
        const of = this.#scans.get(payment.invoice ?? '')?.of
        return of !== undefined && 'withdrawal' in of ? [[of.withdrawal, payment] as const] : []
      }),
    )
  }

  /** Judges all payments at the end. `typed` contains the withdrawals that somebody knows of. */
  judge(lightning: BookWatch, wire: Wire, typed: ReadonlyMap<string, unknown>): OutgoingTotals {
    const used = new Set<string>()
    let [excess, unspent] = [0n, 0n]
    for (const payment of paidOut(lightning)) {
      const { paymentHash, amount, fee, invoice } = payment
      const code = this.#scans.get(invoice ?? '')
      const asked = [
        ...(code === undefined ? [] : [{ what: `the code ${code.request}`, amount: code.worth, limit: code.limit }]),
        ...this.#sentOut(payment),
        ...withdrawalsBy(wire, typed, payment, this.#offers),
      ]
      const [one] = asked
      const say = (what: string) => this.#faults.add(`the network paid ${amount} msats by ${paymentHash}, ${what}`)
      if (one === undefined || asked.length > 1) {
        say(one === undefined ? 'and nobody asked for it' : `for ${asked.map(({ what }) => what).join(' and ')}`)
        continue
      }
      if (one.amount !== amount) say(`and ${one.what} was to bring ${one.amount}`)
      if (code !== undefined && used.has(code.request)) say('by a code that had paid before')
      if (code !== undefined) used.add(code.request)
      if (fee > one.limit) excess += fee - one.limit
      else if (code !== undefined && 'voucher' in code.of) unspent += one.limit - fee
    }
    return { excess, unspent }
  }

  #sentOut({ kind, invoice, tlvRecords, amount }: NetworkPayment): SentOut[] {
    const sent =
      kind === 'keysend'
        ? [...this.#keysends].find(([mark]) => tlvRecords.includes(mark))?.[1]
        : this.#invoices.get(invoice ?? '')
    if (sent?.shownPaid === false) this.#faults.add(`${sent.what}: ${amount} msats were paid, and shown as not paid`)
    return sent === undefined ? [] : [sent]
  }
}

/** Returns the part of the network's fee that a payer allowed. The operator bears the rest. */
export function within(limit: bigint, fee: bigint): bigint {
  return fee < limit ? fee : limit
}

/** Returns our node's payment of an invoice; undefined if there is none. */
export function paidFor(lightning: BookWatch, invoice: string): NetworkPayment | undefined {
  return lightning.rows<NetworkPayment>(`${PAID_OUT} AND i.invoice = ?`, invoice)[0]
}

/** Returns our node's keysend with this mark; undefined if there is none. */
export function sentWith(lightning: BookWatch, mark: string): NetworkPayment | undefined {
  return lightning.rows<NetworkPayment>(`${PAID_OUT} AND p.kind = 'keysend' AND instr(p.tlvRecords, ?) > 0`, mark)[0]
}

const PAID_OUT = `SELECT p.paymentHash, p.kind, p.amount, p.fee, p.tlvRecords, i.invoice
  FROM payment p LEFT JOIN invoice i ON i.paymentHash = p.paymentHash WHERE p.payer = 'ours' AND p.state = 'paid'`

function paidOut(lightning: BookWatch): NetworkPayment[] {
  return lightning.rows<NetworkPayment>(PAID_OUT)
}

/**
 * Returns the withdrawal that paid an invoice: only one, even if two went to the same invoice one after the other. The
 * withdrawal's amount is judged where the withdrawal is shown.
 */
function withdrawalsBy(
  wire: Wire,
  typed: ReadonlyMap<string, unknown>,
  { invoice, amount }: NetworkPayment,
  offers: OfferInvoices,
) {
  const exchange = wire
    .at(TO_INVOICE)
    .find(
      (each) =>
        offers.onNetwork(String(each.body.invoice)) === invoice &&
        typed.has(String(each.body.internalId)) &&
        (amountOf(each, 'amount', 'body') ?? amount) === amount,
    )
  if (exchange === undefined) return []
  const limit = amountOf(exchange, 'maxFee', 'body') ?? mostFee(amount)
  return [{ what: `the withdrawal ${exchange.body.internalId}`, amount, limit }]
}
