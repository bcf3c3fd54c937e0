import type { Entry, Row } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { pot } from '../core/chart-of-accounts.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { accountsOf, reserveEntry } from '../engine/outgoing/record-outcome.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { voucherFeeLimit } from './voucher-fee.ts'

export interface NewVoucher {
  readonly member: string
  /** The server whose pool pays, or null if the member pays. */
  readonly pool: string | null
  readonly amount: Msats
  readonly description: string
  readonly recipient?: string
  readonly drop?: string
  /** The batch whose pot pays, and the voucher's number in that batch. */
  readonly batch?: { readonly id: string; readonly number: number }
  readonly card: string
  /** The command that requested the voucher; undefined if the operation of the voucher's drop or batch carries it. */
  readonly command?: { readonly interaction: string; readonly digest: string }
  readonly at: Date
}

/** Returns the parts of a change that reserves a voucher: its amount and its highest possible fee move to `held`. */
export function reserveVoucher(
  { entropy, ownership }: Pick<TippingContext, 'entropy' | 'ownership'>,
  voucher: NewVoucher,
): { id: string; entry: Entry; operation: Row; row: Row } {
  const id = entropy.uuid()
  const { amount, description, recipient = null, drop = null, batch, card, command, at } = voucher
  const feeLimit = voucherFeeLimit(amount)
  return {
    id,
    entry: reservation(id, voucher, msats(amount + feeLimit)),
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
        batchId: batch?.id ?? null,
        number: batch?.number ?? null,
        state: 'reserved',
        process: ownership.me,
        card,
        key: `voucher-${id}`,
        createdAt: at,
      },
    },
  }
}

/**
 * Returns the entry that reserves an amount from the balance or pool that pays, or from the pot of the voucher's batch.
 */
function reservation(id: string, { member, pool, batch }: NewVoucher, amount: Msats): Entry {
  if (batch === undefined) return reserveEntry({ id, member, pool }, amount)
  const { held } = accountsOf({ member, pool })
  return { operation: id, step: 'reserve', moves: [{ from: pot(batch.id), to: held, amount }] }
}
