import type { TippingContext } from '../engine/tipping-context.ts'
import type { Addresses } from './addresses.ts'
import { offerOfAddress } from './offer-of-address.ts'
import { takeAddress } from './take-address.ts'
import { addressesOf, viewArrival } from './view-address.ts'

export function bindAddresses(context: TippingContext): Addresses {
  return {
    get offered() {
      return context.replaysKeys()
    },
    take: (command) => takeAddress(context, command),
    offer: (command) => offerOfAddress(context, command),
    mine: (member) => addressesOf(context, member),
    arrival: (payment) => viewArrival(context, payment),
  }
}
