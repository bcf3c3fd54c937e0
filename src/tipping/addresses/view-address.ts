import { msats } from '../../lib/money/amount.ts'
import type { CoreContext, ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import type { Address } from '../generated/client.ts'
import type { AddressArrival, AddressView } from './addresses.ts'

/** Returns an address as its member sees it. */
export async function viewAddress(context: CoreContext, found: Address): Promise<AddressView> {
  const { id, member, address, request, least, most } = found
  const all = await addressesOf(context, member)
  return {
    id,
    member,
    address: address ?? '',
    request: request ?? '',
    least: msats(least),
    most: msats(most),
    others: all.filter((each) => each !== address),
  }
}

/** Returns a member's addresses at the present provider, newest first. */
export async function addressesOf(context: CoreContext, member: string): Promise<string[]> {
  const found = await context.database.read.address.findMany({
    where: { member, state: 'live', provider: atPresentProvider(context) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return found.flatMap(({ address }) => address ?? [])
}

/** Returns a payment to an address. Throws TippingRefusal `not-there`. */
export async function viewArrival({ database }: ReadonlyBook, id: string): Promise<AddressArrival> {
  const payment = await database.read.addressPayment.findUnique({ where: { id }, include: { address: true } })
  if (payment === null) throw new TippingRefusal('not-there', {})
  const { amount, comment, address, payer } = payment
  return {
    member: address.member,
    address: address.address ?? address.name,
    amount: msats(amount),
    comment,
    payer: payer === '' ? {} : (JSON.parse(payer) as AddressArrival['payer']),
  }
}
