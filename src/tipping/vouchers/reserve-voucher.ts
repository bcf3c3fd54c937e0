import type { Entry, Row } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { reserveEntry } from '../engine/outgoing/record-outcome.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { voucherFeeLimit } from './voucher-fee.ts'

export interface NewVoucher {
  readonly member: string
  /** The server whose pool pays for it; null: its member. */
  readonly pool: string | null
  readonly amount: Msats
  readonly description: string
  readonly recipient?: string
  readonly drop?: string
  readonly card: string
  /** The command that asks for it, unless the drop's own operation carries that. */
  readonly command?: { readonly interaction: string; readonly digest: string }
  readonly at: Date
}

/** The parts of a change that reserves a voucher: its amount and the most it may cost wait on `held`. */
export function reserveVoucher(
  { entropy, leases }: Pick<TippingContext, 'entropy' | 'leases'>,
  voucher: NewVoucher,
): { id: string; entry: Entry; operation: Row; row: Row } {
  const id = entropy.uuid()
  const { amount, description, recipient = null, drop = null, card, command, at } = voucher
  const feeLimit = voucherFeeLimit(amount)
  return {
    id,
    entry: reserveEntry({ id, member: voucher.member, pool: voucher.pool }, msats(amount + feeLimit)),
    operation: operationRow({ id, verb: 'voucher', record: id, ...command, createdAt: at }),
    row: {
      table: 'Voucher',
      values: {
        id,
        member: voucher.member,
        pool: voucher.pool,
        amount,
        feeLimit,
        description,
        recipient,
        dropId: drop,
        state: 'reserved',
        process: leases.holder,
        card,
        key: `voucher-${id}`,
        createdAt: at,
      },
    },
  }
}
