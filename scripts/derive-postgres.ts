/**
 * `node scripts/derive-postgres.ts`: derives PostgreSQL's schemas and migrations of both books from SQLite's, into
 * `prisma/…/postgres`. A test fails if only one of the two has changed. A migration never changes once a book has run
 * it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { schemaForPostgres, sqlForPostgres } from './postgres/derive.ts'

/** Returns every derived file: its path in the project's folder, and its contents. */
export function derivedFiles(root: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const book of ['payments', 'tipping']) {
    const at = (...path: string[]) => join('prisma', book, ...path)
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    files.set(at('postgres', 'schema.prisma'), schemaForPostgres(read(at('schema.prisma'))))
    files.set(
      at('postgres', 'migrations', 'migration_lock.toml'),
      read(at('migrations', 'migration_lock.toml')).replace('sqlite', 'postgresql'),
    )
    for (const { name } of readdirSync(join(root, at('migrations')), { withFileTypes: true }).filter((e) =>
      e.isDirectory(),
    )) {
      files.set(
        at('postgres', 'migrations', name, 'migration.sql'),
        sqlForPostgres(read(at('migrations', name, 'migration.sql')), name),
      )
    }
  }
  return files
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  for (const [path, content] of derivedFiles(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
