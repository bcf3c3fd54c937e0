import { InvalidInvoice } from '../../lib/lightning/bolt11.ts'
import { decodeOffer } from '../../lib/lightning/bolt12.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Addresses } from './addresses.ts'
import { takeAddress } from './take-address.ts'

/**
 * Returns the BOLT12 offer of a member's newest address. Payments to the offer are listed with those to the address,
 * and credited in the same way. The book does not contain the offer. Resolves to undefined if the provider returns no
 * offer, or one that cannot be decoded or is for another network.
 */
export async function offerOfAddress(
  context: TippingContext,
  command: Parameters<Addresses['offer']>[0],
): Promise<string | undefined> {
  if (!(await context.providerNode()).offers.receives) return undefined
  const { id } = await takeAddress(context, command)
  const found = await context.database.read.address.findUnique({ where: { id } })
  if (!found?.chargeId) return undefined
  try {
    const { data } = await context.payments.getStaticCharge({ id: found.chargeId })
    if (!data.offer) return undefined
    const offer = decodeOffer(data.offer)
    const network = await context.network.find(context)
    return network === undefined || offer.networks.includes(network) ? offer.text : undefined
  } catch (error) {
    if (error instanceof PaymentsError || error instanceof InvalidInvoice) return undefined
    throw error
  }
}
