import type { StatementLine, StatementPlace } from '../../ledger/ledger.ts'

/**
 * Encodes where the next page begins, in a form that is opaque to callers. The cursor includes the balance, which the
 * journal does not store for a single booking: otherwise each page would have to read all later bookings. The cursor is
 * not signed, because only the balances on the next page depend on it.
 */
export function cursorAfter({ owner, id, balance, amount }: StatementLine): string {
  return Buffer.from(`${owner} ${id} ${balance - amount}`).toString('base64url')
}

/**
 * Decodes a cursor; undefined for a text that is not in the form of `cursorAfter`, or is for another owner: a transfer
 * is in the lists of two owners, with different balances.
 */
export function readCursor(cursor: string, owner: string): StatementPlace | undefined {
  const [, whose, id, balance] = /^(\S+) (\d{1,15}) (\d{1,19})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (whose !== owner || id === undefined || balance === undefined) return undefined
  return { before: Number(id), balance: BigInt(balance) }
}
