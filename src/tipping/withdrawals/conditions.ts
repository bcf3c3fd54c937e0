import { withoutTag } from '../../lib/lightning/lnurl.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** Throws the TippingRefusal `code` if a balance does not cover an amount with its fee limit. */
export function mustCover(
  balance: Msats,
  amount: Msats,
  limit: Msats,
  code: 'insufficient-with-fee' | 'insufficient-for-invoice' | 'too-little-to-withdraw' = 'insufficient-with-fee',
): void {
  const needed = msats(amount + limit)
  if (balance >= needed) return
  const facts = { balance, needed, missing: msats(needed - balance), feeLimit: limit }
  throw new TippingRefusal(code, facts)
}

/**
 * Throws TippingRefusal `address-here` if an address fills a member's balance here. `name` is the address, or the code
 * in its QR picture.
 */
export async function mustBeElsewhere({ database }: Pick<TippingContext, 'database'>, name: string): Promise<void> {
  const request = name.toLowerCase()
  const [user = '', host = ''] = name.split('@')
  // An address with a tag (LUD-16) is paid at the same name.
  const address = `${withoutTag(user)}@${host}`
  const where = { OR: [{ address: name }, { address }, { request }, { request: request.toUpperCase() }] }
  const own = await database.read.address.findFirst({ where, select: { address: true } })
  if (own !== null) throw new TippingRefusal('address-here', { address: own.address ?? name })
}

/** Throws TippingRefusal `invoice-taken` if a payment with this hash has left from here, or may have. */
export async function mustBeFree(client: Pick<Tx, 'withdrawal'>, paymentHash: string): Promise<void> {
  const other = await client.withdrawal.findFirst({
    where: { paymentHash, state: { notIn: ['asked', 'cancelled', 'returned'] } },
    select: { id: true },
  })
  if (other !== null) throw new TippingRefusal('invoice-taken', {})
}
