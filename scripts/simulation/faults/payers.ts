import type { Fault } from './fault.ts'

/** Wallets that pay more than an invoice asks for, up to twice, as Lightning allows. */
export const overpaidInvoices: Fault = {
  name: 'invoices that are overpaid',
  async strike({ world, chance, happened }) {
    world.outsiders.overpayments += chance.between(1, 4)
    world.outsiders.overpaid = happened
  },
}
