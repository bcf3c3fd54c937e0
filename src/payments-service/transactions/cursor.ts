import type { StatementLine, StatementPlace } from '../../ledger/ledger.ts'

/**
 * Encodes where the next page begins, opaque to callers. It includes the balance, which the journal does not store for
 * a single booking: otherwise each page would have to read all later ones. It is not signed, because only that page's
 * balances depend on it.
 */
export function cursorAfter({ owner, id, balance, amount }: StatementLine): string {
  return Buffer.from(`${owner} ${id} ${balance - amount}`).toString('base64url')
}

/**
 * Decodes a cursor. Undefined for a text that `cursorAfter` never made for this owner. A transfer is in two owners'
 * lists, whose balances differed.
 */
export function readCursor(cursor: string, owner: string): StatementPlace | undefined {
  const [, whose, id, balance] = /^(\S+) (\d{1,15}) (\d{1,19})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (whose !== owner || id === undefined || balance === undefined) return undefined
  return { before: Number(id), balance: BigInt(balance) }
}
