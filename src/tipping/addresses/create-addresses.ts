import type { TippingContext } from '../context.ts'
import type { Addresses } from './addresses.ts'
import { takeAddress } from './take-address.ts'
import { addressesOf, viewArrival } from './view-address.ts'

/** The addresses' API. */
export function createAddresses(context: TippingContext): Addresses {
  return {
    get offered() {
      return context.replaysKeys()
    },
    take: (command) => takeAddress(context, command),
    mine: (member) => addressesOf(context, member),
    arrival: (payment) => viewArrival(context, payment),
  }
}
