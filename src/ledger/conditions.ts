import { Sql } from '@prisma/client/runtime/client'
import type { RowWords } from '../lib/database/engine/row-words.ts'
import type { Condition, FoundRow, LedgerChange, Row } from './change.ts'
import type { Reading } from './readings.ts'

type Changes<Tx> = readonly LedgerChange<Tx, unknown>[]

/**
 * The rows on which a batch's changes depend: as they were read, once and under the lock, and as the accepted changes
 * leave them. Each change is thus judged as if it were alone, after the earlier ones. Nothing else writes these rows
 * meanwhile: a change with its own statements never shares a transaction with one that has conditions
 * (`commit-queue.ts`).
 */
export class FoundRows {
  readonly #rows = new Map<string, FoundRow[]>()
  /** The columns that were used to look up each table’s rows. */
  readonly #columns = new Map<string, Set<string>>()

  constructor(conditions: readonly Condition[]) {
    for (const { table, key } of conditions) {
      const columns = Object.keys(key)
      this.#rows.set(nameOf(table, columns, key), [])
      this.#columns.set(table, (this.#columns.get(table) ?? new Set()).add(columns.join()))
    }
  }

  /** Adds a row that was read, or that an accepted change inserts. */
  add(table: string, row: FoundRow): void {
    for (const columns of this.#columns.get(table) ?? [])
      this.#rows.get(nameOf(table, columns.split(','), row))?.push(row)
  }

  /** Returns why a change is refused, given the present rows; undefined if it is permitted. */
  refusal({ conditions = [] }: Pick<LedgerChange<unknown>, 'conditions'>): Error | undefined {
    for (const { table, key, refusal } of conditions) {
      const refused = refusal(this.#rowsOf(table, key))
      if (refused !== undefined) return refused
    }
    return undefined
  }

  /** Whether there is a row with this key. */
  has({ table, key }: Condition): boolean {
    return this.#rowsOf(table, key).length > 0
  }

  /** Applies an accepted change to the rows. */
  accept({ conditions = [], rows = [] }: { conditions?: readonly Condition[]; rows?: readonly Row[] }): void {
    for (const { table, key, set } of conditions) for (const row of this.#rowsOf(table, key)) Object.assign(row, set)
    for (const { table, values } of rows) this.add(table, { ...values })
  }

  #rowsOf(table: string, key: Condition['key']): readonly FoundRow[] {
    return this.#rows.get(nameOf(table, Object.keys(key), key)) ?? []
  }
}

function nameOf(table: string, columns: readonly string[], row: FoundRow): string {
  return [table, ...columns.map((column) => `${column} ${row[column]}`)].join('\n')
}

/** Reads the rows on which a batch's changes depend, with one statement for the same columns of a table. */
export async function readConditions<Tx>({ client, rows: words }: Reading, changes: Changes<Tx>): Promise<FoundRows> {
  const conditions = changes.flatMap((change) => change.conditions ?? [])
  const found = new FoundRows(conditions)
  const groups = Map.groupBy(conditions, ({ table, key, within }) => JSON.stringify([table, Object.keys(key), within]))
  for (const [name, group] of groups) {
    const [table, columns, within] = JSON.parse(name) as [string, string[], string | null]
    const keys = new Map(
      group.map(({ key }) => [nameOf(table, columns, key), columns.map((column) => key[column] ?? '')]),
    )
    const on = columns.map((column) => `t."${column}" = wanted."${column}"`)
    if (within !== null) on.push(`t.${within}`)
    const sql = new Sql(
      ['SELECT t.* FROM ', ` JOIN "${table}" AS t ON ${on.join(' AND ')}`],
      [words.as('wanted', columns, [...keys.values()])],
    )
    for (const row of await client.$queryRaw<FoundRow[]>(sql)) found.add(table, row)
  }
  return found
}

/** An update of rows by accepted changes: a statement, and the number of rows that it must find unchanged. */
export interface RowUpdates {
  readonly sql: Sql
  readonly rows: number
}

/** Returns one statement for the same columns of a table, or several in order if a row is updated repeatedly. */
export function updateStatements<Tx>(words: RowWords, found: FoundRows, accepted: Changes<Tx>): RowUpdates[] {
  const times = new Map<string, number>()
  const updates = accepted
    .flatMap(({ conditions = [] }) => conditions)
    .filter((each) => each.set !== undefined && found.has(each))
  const groups = Map.groupBy(updates, ({ table, key, expect = {}, set = {} }) => {
    const row = nameOf(table, Object.keys(key), key)
    const nth = times.get(row) ?? 0
    times.set(row, nth + 1)
    return JSON.stringify([nth, table, Object.keys(key), Object.keys(set), expect])
  })
  const inOrder = [...groups].sort(([one], [other]) => JSON.parse(one)[0] - JSON.parse(other)[0])
  return inOrder.map(([name, group]) => {
    const [, table, keys, columns, expect] = JSON.parse(name) as [number, string, string[], string[], Condition['key']]
    const rows = group.map(({ key, set = {} }) => [
      ...keys.map((column) => key[column] ?? null),
      ...columns.map((column) => set[column] ?? null),
    ])
    const assigned = columns.map((column) => `"${column}" = become."${column}"`).join(', ')
    const where = keys.map((column) => `"${table}"."${column}" = become."${column}"`)
    const texts = [`UPDATE "${table}" SET ${assigned} FROM `, ` WHERE ${where.join(' AND ')}`]
    // Found by the key alone: a server without statistics on a new book’s rows might search by all expected values.
    for (const column of Object.keys(expect))
      texts.push(`${texts.pop()} AND CASE WHEN "${table}"."${column}" = `, ' THEN TRUE ELSE FALSE END')
    const become = words.rowsOf(table, 'become', [...keys, ...columns], rows)
    return { sql: new Sql(texts, [become, ...Object.values(expect)]), rows: group.length }
  })
}
