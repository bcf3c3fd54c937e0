import { msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import type { TippingSettings } from '../core/settings.ts'

const BEING_MADE = ['reserved', 'sending', 'unknown']

/** What a member's vouchers hold while they are being made, in msats. */
export async function heldByVouchers(read: Pick<Tx, 'voucher'>, member: string): Promise<bigint> {
  const where = { state: { in: BEING_MADE }, member }
  return sumOf(await read.voucher.aggregate({ where, _sum: { amount: true, feeLimit: true } }))
}

/**
 * What vouchers make uncertain of the provider's wallet. A code that is being made may have left; one that is live may
 * come back unseen; one that a member redeems may have arrived, and how much it is only its answer says.
 */
export async function outstandingVouchers({
  database: { read },
  settings,
}: {
  readonly database: { readonly read: Pick<Tx, 'voucher' | 'redemption'> }
  readonly settings: Pick<TippingSettings, 'maxAmount'>
}) {
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
