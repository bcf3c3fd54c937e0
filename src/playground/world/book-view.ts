import { type Chart, createLedger, type LedgerClient } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Database } from '../../lib/database/database.ts'
import type { BookView } from '../world.ts'

const NEWEST_ENTRIES = 40

interface BookAccount {
  readonly kind: string
  readonly owner: string
  readonly balance: bigint
}

/** The ledger's tables, which both databases have. */
interface BookClient {
  readonly account: { findMany(query: object): PromiseLike<BookAccount[]> }
  readonly entry: {
    findMany(query: object): PromiseLike<
      {
        id: number
        operation: string
        step: string
        at: Date
        moves: { amount: bigint; from: BookAccount; to: BookAccount }[]
      }[]
    >
  }
}

/** The functions that return the names of accounts' owners and of entries' operations for people. */
export interface BookNames {
  account(account: { readonly kind: string; readonly owner: string }): string
  operations(ids: readonly string[]): Promise<(id: string) => string>
}

/** Reads one side's book, with the proof that it balances. */
export async function viewBook<Client extends LedgerClient<Tx>, Tx>(
  book: {
    readonly side: BookView['side']
    readonly database: Database<Client>
    readonly chart: Chart
    readonly clock: Clock
  },
  names: BookNames,
): Promise<BookView> {
  const proof = await createLedger<Tx, Client>(book).prove()
  const client = book.database.read as unknown as BookClient
  const accounts = await client.account.findMany({
    where: { balance: { not: 0n } },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
    take: 500,
  })
  const entries = await client.entry.findMany({
    orderBy: { id: 'desc' },
    take: NEWEST_ENTRIES,
    include: { moves: { include: { from: true, to: true } } },
  })
  const label = (account: BookAccount) => `${account.kind} ${names.account(account)}`.trim()
  const whatIs = await names.operations(entries.map(({ operation }) => operation))
  return {
    side: book.side,
    holds: proof.holds,
    faults: proof.faults,
    totals: proof.totals,
    accounts: accounts.map(({ kind, owner, balance }) => ({
      kind,
      owner,
      name: names.account({ kind, owner }),
      balance,
    })),
    entries: entries.map(({ id, operation, step, at, moves }) => ({
      id,
      operation,
      what: whatIs(operation),
      step,
      at: at.toISOString(),
      moves: moves.map((move) => ({ from: label(move.from), to: label(move.to), amount: move.amount })),
    })),
  }
}
