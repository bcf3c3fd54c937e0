import pg from 'pg'
import { readAddress } from '../../../src/lib/database/postgres/address.ts'

/**
 * Runs SQL in the bot's book behind Satchel's back, without the book's guards: no triggers, no CHECKs, no foreign keys.
 */
export async function spoilTipping(url: string, sql: string): Promise<void> {
  const { connectionString, schema } = readAddress({ url, variable: 'TIPPING_DATABASE_URL' })
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    const { rows } = await client.query<{ drop: string }>(
      `
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
        WHERE connamespace = $1::regnamespace AND contype IN ('c', 'f')
      UNION ALL SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass) FROM pg_class
        WHERE relnamespace = $1::regnamespace AND relkind = 'r'`,
      [schema],
    )
    for (const { drop } of rows) await client.query(drop)
    await client.query(sql)
  } finally {
    await client.end()
  }
}
