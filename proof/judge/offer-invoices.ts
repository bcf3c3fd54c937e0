/** An invoice that the maker of an offer out there gave for it. */
export interface OfferInvoice {
  readonly offer: string
  readonly amount: bigint
  /** The invoice by which the network's own file knows it. */
  readonly onNetwork: string
}

/** Invoices that makers of offers out there gave. */
export class OfferInvoices {
  readonly #given = new Map<string, OfferInvoice>()

  given(invoice: string, about: OfferInvoice): void {
    this.#given.set(invoice, about)
  }

  of(invoice: string): OfferInvoice | undefined {
    return this.#given.get(invoice)
  }

  /** The invoice by which the network's own file knows what this one pays. */
  onNetwork(invoice: string): string {
    return this.#given.get(invoice)?.onNetwork ?? invoice
  }
}
