/** An invoice from the maker of an external offer. */
export interface OfferInvoice {
  readonly offer: string
  readonly amount: bigint
  /** The invoice under which the network's own records have this one's payment. */
  readonly onNetwork: string
}

/** The invoices that makers of external offers handed out. */
export class OfferInvoices {
  readonly #given = new Map<string, OfferInvoice>()

  given(invoice: string, about: OfferInvoice): void {
    this.#given.set(invoice, about)
  }

  of(invoice: string): OfferInvoice | undefined {
    return this.#given.get(invoice)
  }

  /** Returns the invoice under which the network's records have the given invoice's payment. */
  onNetwork(invoice: string): string {
    return this.#given.get(invoice)?.onNetwork ?? invoice
  }
}
