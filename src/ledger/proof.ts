import type { ReadRows } from '../lib/database/engine/reader.ts'
import { type AccountName, type Chart, standsWell } from './chart.ts'
import { Journal } from './journal.ts'

/** The result of recomputing a book from its journal. */
export interface Proof {
  readonly holds: boolean
  readonly accounts: number
  readonly entries: number
  readonly moves: number
  /** Each kind's total in msats. In a correct book, the totals sum to zero. */
  readonly totals: Readonly<Record<string, bigint>>
  /** The faults, each as a sentence. */
  readonly faults: readonly string[]
}

interface Line extends AccountName {
  readonly balance: bigint
  readonly moved: bigint
}

const ACCOUNTS = 'SELECT "id", "kind", "owner", "balance", "lastMoveId" FROM "Account" ORDER BY "id"'

/**
 * Proves a book: every balance equals what was moved in minus what was moved out, is on its permitted side of zero, and
 * all balances sum to zero; no entry is empty; the entries and accounts that moves name exist; each move names the
 * previous moves of both its accounts. If `journal` comes from an earlier proof, reads only the later lines, and all
 * balances.
 */
export async function proveBook(rows: ReadRows, chart: Chart, journal = new Journal()): Promise<Proof> {
  await journal.follow(rows)
  const wrong: string[] = []
  const unchained: string[] = []
  const totals = new Map<string, bigint>()
  let accounts = 0
  let accountsWithMoves = 0
  for await (const batch of rows(ACCOUNTS)) {
    for (const [id, kind, owner, balance, lastMove] of batch) {
      const number = Number(id)
      const line = {
        kind: String(kind),
        owner: String(owner),
        balance: balance as bigint,
        moved: journal.moved(number),
      }
      accounts += 1
      if (journal.newest(number) > 0) accountsWithMoves += 1
      totals.set(line.kind, (totals.get(line.kind) ?? 0n) + line.balance)
      const fault = faultOf(chart, line)
      if (fault !== undefined) wrong.push(fault)
      if (Number(lastMove ?? 0) !== journal.newest(number) || journal.brokenAccounts.has(number))
        unchained.push(`the moves of ${kind} ${owner} are not chained as they were made`)
    }
  }
  const sum = [...totals.values()].reduce((all, total) => all + total, 0n)
  const faults = [
    ...(journal.emptyEntries > 0 ? [`${journal.emptyEntries} entries move nothing`] : []),
    ...(journal.namedEntries === journal.entries - journal.emptyEntries
      ? []
      : ['moves name entries that do not exist']),
    ...(journal.namedAccounts === accountsWithMoves ? [] : ['moves name accounts that do not exist']),
    ...(sum === 0n ? [] : [`all balances together are ${sum} msats, not 0`]),
    ...wrong,
    ...unchained,
  ]
  const { entries, moves } = journal
  const byKind = Object.fromEntries([...totals].sort(([one], [other]) => (one < other ? -1 : 1)))
  return { holds: faults.length === 0, accounts, entries, moves, totals: byKind, faults }
}

/**
 * Explains a wrong balance, which differs from its account's moves, or is on the wrong side of zero. Returns undefined
 * for a correct balance.
 */
function faultOf(chart: Chart, { kind, owner, balance, moved }: Line): string | undefined {
  const name = `${kind} ${owner}`
  if (balance !== moved) return `${name} shows ${balance} msats, but its moves make ${moved}`
  if (balance === 0n) return undefined
  if (!(kind in chart)) return `${name} is of a kind that the chart of accounts does not have`
  return standsWell(chart, kind, balance) ? undefined : `${name} stands at ${balance} msats, on the wrong side`
}
