import type { Engine } from './engine/engine.ts'
import { DatabaseProblem } from './engine/migrations.ts'
import { sqlite } from './sqlite/engine.ts'
import { isFile, isPostgres } from './url-kinds.ts'

/** Returns the engine for an address. Loads PostgreSQL's engine only when it is used. */
export async function engineOf({ url, variable }: { url: string; variable: string }): Promise<Engine> {
  if (isFile(url)) return sqlite
  if (isPostgres(url)) return (await import('./postgres/engine.ts')).postgres
  throw new DatabaseProblem(
    `${variable} must be a SQLite file such as file:./data/${bookOf(variable)}.sqlite, or the address of a PostgreSQL server such as ` +
      `postgresql://satchel@127.0.0.1/satchel; it starts with "${url.slice(0, 12)}".`,
  )
}

const bookOf = (variable: string) => variable.split('_')[0]?.toLowerCase()
