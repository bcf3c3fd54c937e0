import pg from 'pg'
import { type BookReader, type ReadRows, type ReadValue, ROWS_AT_ONCE } from '../engine/reader.ts'
import type { Address } from './address.ts'
import { flushingConfig, readingConfig, withSession } from './connections.ts'
import { Flushes } from './flushes.ts'
import { OneServer } from './one-server.ts'

/** The types of whole numbers, and of sums of them. */
const NUMBERS: ReadonlySet<number> = new Set([
  pg.types.builtins.INT2,
  pg.types.builtins.INT4,
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
])

/** Converts each value to a `ReadValue`. */
const TYPES = {
  getTypeParser: (type: number) => (text: string) => {
    if (NUMBERS.has(type)) return BigInt(text)
    if (type === pg.types.builtins.TIMESTAMP) return `${text.replace(' ', 'T')}Z`
    return text
  },
}

/**
 * Reads a book on a server. Each snapshot has its own connection. If the results must be durable, a flushing connection
 * stays open during the snapshot, both connections lead to one server, and the results are returned after a flush, as
 * for any other reader.
 */
export async function readerOfServer(address: Address, durable: boolean): Promise<BookReader> {
  const server = new OneServer()
  const flushes = durable ? new Flushes(flushingConfig(address, await durabilityOf(address)), server) : undefined
  return {
    async snapshot(look) {
      const flushed = await flushes?.before()
      const client = new pg.Client({ ...readingConfig(address), types: TYPES } as pg.ClientConfig)
      // Running queries report a lost connection themselves.
      client.on('error', () => {})
      try {
        await client.connect()
        await server.admit(client)
        await client.query('BEGIN')
        return await look(rowsOf(client))
      } finally {
        await client.end().catch(() => {})
        await flushed?.()
      }
    },
    close: async () => await flushes?.close(),
  }
}

function rowsOf(client: pg.Client): ReadRows {
  let cursors = 0
  return async function* read(sql, values = []) {
    cursors += 1
    const cursor = `reading_${cursors}`
    let place = 0
    const text = sql.replace(/\?/g, () => {
      place += 1
      return `$${place}`
    })
    await client.query(`DECLARE ${cursor} CURSOR FOR ${text}`, [...values])
    for (;;) {
      const { rows } = await client.query<ReadValue[]>({
        text: `FETCH ${ROWS_AT_ONCE} FROM ${cursor}`,
        rowMode: 'array',
      })
      yield rows
      if (rows.length < ROWS_AT_ONCE) break
    }
    await client.query(`CLOSE ${cursor}`)
  }
}

/**
 * Returns the `synchronous_commit` with which the book is durable: the server's, or `on` if that does not wait for the
 * disk.
 */
async function durabilityOf(address: Address): Promise<string> {
  const [[durability] = []] = await withSession(address, (session) =>
    session.rows(`SELECT current_setting('synchronous_commit')`),
  )
  return durability === 'off' ? 'on' : String(durability)
}
