import { allRows, each, type ReadRows } from '../lib/database/engine/reader.ts'

/** Money on an account that waits for an operation's end. */
export interface Holding {
  readonly owner: string
  /** The operation that put the money there and has not removed it. */
  readonly operation: string
  /** The amount in msats; never zero. */
  readonly amount: bigint
}

/** The query for all moves of a kind's accounts, with their operations. */
const MOVES_OF_KIND = `SELECT m."fromId", m."toId", m."amount", e."operation" FROM "Move" AS m JOIN "Entry" AS e ON e."id" = m."entryId"
  WHERE m."fromId" IN (SELECT "id" FROM "Account" WHERE "kind" = ?) OR m."toId" IN (SELECT "id" FROM "Account" WHERE "kind" = ?)
  ORDER BY m."id"`

/**
 * Sums a kind's accounts for each operation, from the journal alone: moves in minus moves out. Omits ended operations,
 * and drops them from memory as soon as they end.
 */
export async function readHoldings(rows: ReadRows, kind: string): Promise<Holding[]> {
  const accounts = new Set<bigint>()
  for await (const [id] of each(rows('SELECT "id" FROM "Account" WHERE "kind" = ?', [kind]))) accounts.add(id as bigint)
  const open = new Map<string, { account: bigint; operation: string; amount: bigint }>()
  const add = (account: bigint, operation: string, by: bigint) => {
    if (!accounts.has(account)) return
    const key = `${account} ${operation}`
    const amount = (open.get(key)?.amount ?? 0n) + by
    if (amount === 0n) open.delete(key)
    else open.set(key, { account, operation, amount })
  }
  for await (const [from, to, amount, operation] of each(rows(MOVES_OF_KIND, [kind, kind]))) {
    add(from as bigint, String(operation), -(amount as bigint))
    add(to as bigint, String(operation), amount as bigint)
  }
  const owners = new Map<bigint, string>()
  for (const { account } of open.values()) owners.set(account, owners.get(account) ?? (await ownerOf(rows, account)))
  return [...open.values()]
    .sort((one, other) => (one.operation < other.operation ? -1 : 1))
    .map(({ account, operation, amount }) => ({ owner: owners.get(account) ?? '', operation, amount }))
}

async function ownerOf(rows: ReadRows, account: bigint): Promise<string> {
  const [row] = await allRows(rows('SELECT "owner" FROM "Account" WHERE "id" = ?', [String(account)]))
  return String(row?.[0])
}

/** What a record claims to hold on an account. */
export interface ExpectedHolding {
  readonly kind: string
  readonly owner: string
  /** The journal's operation; undefined if the account belongs to the record as a whole. */
  readonly operation: string | undefined
  /** The record's kind and state, such as `withdrawal` and `unknown`. */
  readonly noun: string
  readonly state: string
  /** The amount in msats. */
  readonly amount: bigint
  readonly since: Date
}

/**
 * Reads what the records of each kind claim to hold, with one query for each kind. Every query selects, in this order:
 * kind, owner, operation (or NULL), noun, state, amount, createdAt.
 */
export async function readExpectedHoldings(rows: ReadRows, queries: readonly string[]): Promise<ExpectedHolding[]> {
  const names = '"kind", "owner", "operation", "noun", "state", "amount", "createdAt"'
  const sql = `WITH holdings(${names}) AS (${queries.join(' UNION ALL ')}) SELECT ${names} FROM holdings ORDER BY "createdAt"`
  return (await allRows(rows(sql))).map(([kind, owner, operation, noun, state, amount, createdAt]) => ({
    kind: String(kind),
    owner: String(owner),
    operation: operation === null ? undefined : String(operation),
    noun: String(noun),
    state: String(state),
    amount: amount as bigint,
    since: new Date(String(createdAt)),
  }))
}

/**
 * Whether a kind's holdings are compared by operation or by account. A pot, for example, is compared by account,
 * because one operation fills it, and many empty it.
 */
export type HoldingKinds = Readonly<Record<string, 'operation' | 'account'>>

/** A difference between the journal and the records. */
export interface HoldingFault {
  /** The operation that the fault concerns, or the account's owner. */
  readonly about: string
  /** A sentence that states the difference with all values. */
  readonly what: string
}

/** Compares the journal's holdings on accounts of these kinds with what the open records claim to hold. */
export async function compareHoldings(
  rows: ReadRows,
  kinds: HoldingKinds,
  expected: readonly ExpectedHolding[],
): Promise<HoldingFault[]> {
  const faults: HoldingFault[] = []
  for (const [kind, by] of Object.entries(kinds)) {
    const aboutOf = (each: { owner: string; operation: string | undefined }) =>
      by === 'account' ? each.owner : (each.operation ?? each.owner)
    const keyOf = (each: { owner: string; operation: string | undefined }) => `${aboutOf(each)} of ${each.owner}`
    const records = new Map(expected.filter((each) => each.kind === kind).map((each) => [keyOf(each), each]))
    const journal = new Map<string, { owner: string; operation: string; amount: bigint }>()
    for (const each of await readHoldings(rows, kind)) {
      const before = journal.get(keyOf(each))?.amount ?? 0n
      journal.set(keyOf(each), { ...each, amount: before + each.amount })
    }
    for (const key of new Set([...journal.keys(), ...records.keys()])) {
      const [held, record] = [journal.get(key), records.get(key)]
      const [real, said] = [held?.amount ?? 0n, record?.amount ?? 0n]
      const either = record ?? held
      if (real === said || either === undefined) continue
      const about = aboutOf(either)
      const story = record
        ? `its record (${record.noun}, ${record.state}) says ${said}`
        : 'no open record explains them'
      faults.push({ about, what: `${kind} ${either.owner} holds ${real} msats for ${about}, but ${story}` })
    }
  }
  return faults
}
