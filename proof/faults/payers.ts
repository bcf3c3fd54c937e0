import type { Fault } from './fault.ts'
import { explain, saysBooked } from './operators.ts'

/** Wallets pay more than an invoice asks for, up to twice as much, as Lightning allows. */
export const overpaidInvoices: Fault = {
  name: 'invoices that are overpaid',
  async strike(strike) {
    const { world, chance, later, happened } = strike
    world.outsiders.overpayments += chance.between(1, 4)
    world.outsiders.overpaid = happened
    later(Number.POSITIVE_INFINITY, () => explain(strike, undefined))
  },
  excuses: { bot: saysBooked },
}

/** A node keeps part of its receipts, as some do for a channel that they open. */
export const shortArrivals: Fault = {
  name: 'invoices that arrive short',
  async strike({ world, chance, happened }) {
    const parts = Array.from({ length: chance.between(1, 4) }, () => chance.between(1, 40))
    world.shortfalls.shorten(parts, happened)
  },
  excuses: { service: ({ alert }) => alert === 'short_settlement' },
}
