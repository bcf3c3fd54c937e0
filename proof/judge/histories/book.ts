import pg from 'pg'

/** The final state of a book, with the moves in the order in which they were made according to the book. */
export interface Book {
  readonly moves: readonly Move[]
  /** Balance of each account, in msats. */
  readonly balances: ReadonlyMap<string, number>
  /** Entries by operation: how many there are, and how many moves they have. */
  readonly entries: ReadonlyMap<string, { readonly entries: number; readonly moves: number }>
  readonly counters: ReadonlyMap<string, number>
}

export interface Move {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly amount: number
}

const ACCOUNT = (alias: string) => `${alias}."kind" || ' ' || ${alias}."owner"`

/** Reads a bot's book with its own SQL, at one moment. A counter is a member's last-seen time, in ms after 1970. */
export async function readBook(url: string): Promise<Book> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=tipping' })
  // The server may crash meanwhile, and the running query reports that.
  client.on('error', () => {})
  await client.connect()
  const ask = async <Row>(sql: string) => (await client.query(sql)).rows as Row[]
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const moves = await ask<Record<'operation' | 'from' | 'to' | 'amount', string>>(
      `SELECT e."operation", ${ACCOUNT('f')} AS "from", ${ACCOUNT('t')} AS "to", m."amount"::text FROM "Move" m
        JOIN "Entry" e ON e."id" = m."entryId" JOIN "Account" f ON f."id" = m."fromId" JOIN "Account" t ON t."id" = m."toId"
        ORDER BY m."id"`,
    )
    const balances = await ask<{ name: string; balance: string }>(
      `SELECT ${ACCOUNT('a')} AS name, a."balance"::text FROM "Account" a`,
    )
    const entries = await ask<{ operation: string; entries: string; moves: string }>(
      `SELECT e."operation", count(DISTINCT e."id")::text AS entries, count(m."id")::text AS moves FROM "Entry" e
        LEFT JOIN "Move" m ON m."entryId" = e."id" GROUP BY e."operation"`,
    )
    const counters = await ask<{ id: string; seen: string }>(
      `SELECT "id", round(extract(epoch FROM "seenAt") * 1000)::bigint::text AS seen FROM "Member"`,
    )
    return {
      moves: moves.map((move) => ({ ...move, amount: Number(move.amount) })),
      balances: new Map(balances.map(({ name, balance }) => [name, Number(balance)])),
      entries: new Map(entries.map((each) => [each.operation, { entries: +each.entries, moves: +each.moves }])),
      counters: new Map(counters.map(({ id, seen }) => [id, Number(seen)])),
    }
  } finally {
    await client.end()
  }
}
