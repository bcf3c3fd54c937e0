import type { Entry, Row } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { reserveEntry } from '../engine/outgoing/record-outcome.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { StoredLine } from './lists.ts'

/** The list to which a line belongs. */
export interface ListToPay {
  readonly id: string
  readonly guild: string
  readonly member: string
  readonly card: string
  readonly at: Date
}

/** Returns the most that paying a line may cost: its amount, and for an address the fee limit. */
export function costOf({ amount, feeLimit = '0' }: Pick<StoredLine, 'amount' | 'feeLimit'>): Msats {
  return msats(BigInt(amount) + BigInt(feeLimit))
}

/**
 * Returns the parts of a change that reserves the cost of a payment to a Lightning Address until that payment has an
 * invoice.
 */
export function reserveAddressLine(
  { entropy, ownership }: Pick<TippingContext, 'entropy' | 'ownership'>,
  line: StoredLine & { readonly address: string },
  { id: listId, guild, member, card, at: createdAt }: ListToPay,
): { id: string; entry: Entry; rows: readonly Row[] } {
  const id = entropy.uuid()
  const [amount, feeLimit] = [BigInt(line.amount), BigInt(line.feeLimit ?? '0')]
  const about = { id, listId, line: line.line, guild, member, card, address: line.address, amount, feeLimit }
  return {
    id,
    entry: reserveEntry({ id, member, pool: guild }, costOf(line)),
    rows: [
      operationRow({ id, verb: 'withdraw', record: id, createdAt }),
      { table: 'AddressLine', values: { ...about, state: 'waiting', process: ownership.me, createdAt } },
    ],
  }
}
