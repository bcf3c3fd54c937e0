import type { StatementLine, StatementPlace } from '../../ledger/ledger.ts'

/**
 * Where the page after this line begins, as callers hand it back: opaque to them. It includes the balance, which the
 * journal does not store for a single booking: without it, each page would read all later ones. It is not signed:
 * nothing but the balances on that page follow from it.
 */
export function cursorAfter({ owner, id, balance, amount }: StatementLine): string {
  return Buffer.from(`${owner} ${id} ${balance - amount}`).toString('base64url')
}

/**
 * Undefined for a text that `cursorAfter` never made for this owner. A transfer is in the lists of two owners, who held different
 * balances then.
 */
export function readCursor(cursor: string, owner: string): StatementPlace | undefined {
  const [, whose, id, balance] = /^(\S+) (\d{1,15}) (\d{1,19})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (whose !== owner || id === undefined || balance === undefined) return undefined
  return { before: Number(id), balance: BigInt(balance) }
}
