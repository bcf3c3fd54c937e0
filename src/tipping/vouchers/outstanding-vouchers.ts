import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'

type Read = TippingContext['database']['read']

const BEING_MADE = ['reserved', 'sending', 'unknown']

/** What a member's vouchers hold while they are being made, in msats. */
export async function heldByVouchers(read: Read, member?: string): Promise<bigint> {
  const where = { state: { in: BEING_MADE }, ...(member === undefined ? {} : { member }) }
  return sumOf(await read.voucher.aggregate({ where, _sum: { amount: true, feeLimit: true } }))
}

/**
 * What vouchers make uncertain of the provider's wallet. A code that is being made may have left; one that is live may
 * come back unseen; one that a member redeems may have arrived, and how much it is only its answer says.
 */
export async function outstandingVouchers({ database: { read }, settings }: TippingContext) {
  const making = { state: { in: ['sending', 'unknown'] } }
  const [left, live, redeeming, open] = await Promise.all([
    read.voucher.aggregate({ where: making, _sum: { amount: true, feeLimit: true } }),
    read.voucher.aggregate({ where: { state: 'live' }, _sum: { amount: true } }),
    read.redemption.count({ where: making }),
    read.voucher.count({ where: { state: { in: BEING_MADE } } }),
  ])
  return {
    mayHaveLeft: msats(sumOf(left)),
    mayHaveArrived: (live._sum.amount ?? 0n) + settings.maxAmount * BigInt(redeeming),
    open: open + redeeming,
  }
}

function sumOf({ _sum: { amount, feeLimit } }: { _sum: { amount: bigint | null; feeLimit: bigint | null } }): bigint {
  return (amount ?? 0n) + (feeLimit ?? 0n)
}
