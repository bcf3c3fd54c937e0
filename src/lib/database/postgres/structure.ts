import type { Intended, Migration, Session, Structure } from '../engine/migrations.ts'
import { COMMITS } from './flushes.ts'

/** The statement that creates the table of applied migrations in Prisma's form for PostgreSQL. */
export const RECORD = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`

/**
 * A query for the present schema's structure. Each row of the result has the name and the definition of a table,
 * constraint, index, trigger or function.
 */
const QUESTION = `
WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
SELECT 'table ' || c.relname, concat(c.relkind, c.relpersistence, coalesce(array_to_string(c.reloptions, ','), ''), ' ', string_agg(
    concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), co.collname, CASE WHEN a.attnotnull THEN 'NOT NULL' END,
      CASE WHEN a.attidentity <> '' THEN concat('IDENTITY ', a.attidentity) END, pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attname))
  FROM pg_class AS c JOIN mine ON c.relnamespace = mine.oid JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_collation AS co ON co.oid = a.attcollation
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') GROUP BY c.oid, c.relname, c.relkind, c.relpersistence, c.reloptions
UNION ALL SELECT 'constraint ' || c.conname, concat(c.conrelid::regclass, ' ', pg_get_constraintdef(c.oid), ' ', c.convalidated)
  FROM pg_constraint AS c JOIN mine ON c.connamespace = mine.oid WHERE c.contype <> 't'
UNION ALL SELECT 'index ' || c.relname, concat(pg_get_indexdef(c.oid), ' ', i.indisvalid)
  FROM pg_class AS c JOIN mine ON c.relnamespace = mine.oid JOIN pg_index AS i ON i.indexrelid = c.oid
UNION ALL SELECT 'trigger ' || t.tgname, concat(pg_get_triggerdef(t.oid), ' ', t.tgenabled)
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN mine ON c.relnamespace = mine.oid WHERE NOT t.tgisinternal
UNION ALL SELECT 'function ' || p.proname, pg_get_functiondef(p.oid) FROM pg_proc AS p JOIN mine ON p.pronamespace = mine.oid`

/**
 * A query for statements that recreate, from the server's own text, every object that contains an expression. Restoring
 * a dump does the same, and the server then prints some expressions differently, for example with other parentheses.
 */
const AGAIN = `
WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
SELECT format('ALTER TABLE %1$s DROP CONSTRAINT %2$I, ADD CONSTRAINT %2$I %3$s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
  FROM pg_constraint AS c JOIN mine ON c.connamespace = mine.oid WHERE c.contype = 'c'
UNION ALL SELECT format('DROP INDEX %s; %s', i.indexrelid::regclass, pg_get_indexdef(i.indexrelid))
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN mine ON c.relnamespace = mine.oid
  WHERE i.indpred IS NOT NULL OR i.indexprs IS NOT NULL
UNION ALL SELECT format('DROP TRIGGER %I ON %s; %s', t.tgname, t.tgrelid::regclass, pg_get_triggerdef(t.oid))
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN mine ON c.relnamespace = mine.oid WHERE t.tgqual IS NOT NULL`

/**
 * Returns the definition of everything that guards a book in the present schema, by name. In the definitions, the
 * schema's own name is omitted and white space is folded.
 */
export async function structure(session: Session): Promise<Structure> {
  const [[schema] = []] = await session.rows('SELECT current_schema()')
  const own = new RegExp(`(?<![\\w"])${schema}\\.(?=[\\w"])|(?<= search_path TO )'${schema}'`, 'g')
  const rows = await session.rows(QUESTION)
  return new Map(rows.map(([name, text]) => [String(name), String(text).replace(own, '').replace(/\s+/g, ' ')]))
}

/**
 * Builds the migrations' structure in an empty schema, in a transaction that is rolled back. Returns that structure,
 * and the one that a restored dump would have.
 */
export async function makeStructure(session: Session, migrations: readonly Migration[]): Promise<Intended> {
  await session.run('BEGIN')
  try {
    await session.run(
      `CREATE SCHEMA satchel_intended; SET LOCAL search_path TO satchel_intended; ${RECORD}; ${COMMITS}`,
    )
    for (const { sql } of migrations) await session.run(sql)
    const made = await structure(session)
    const again = await session.rows(AGAIN)
    await session.run(again.map(([statement]) => statement).join(';\n'))
    return [made, await structure(session)]
  } finally {
    await session.run('ROLLBACK')
  }
}
