import { DatabaseProblem } from '../engine/migrations.ts'

/** A book's place on a PostgreSQL server. */
export interface Address {
  /** The address in the driver's form, without the schema. */
  readonly connectionString: string
  /** The book's schema. Each book has its own, so that one database can contain both. */
  readonly schema: string
  /** The address as people see it, without the password. */
  readonly name: string
}

/**
 * Reads `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. `?schema=` sets the book's schema; default: the book's name.
 * Everything else in PostgreSQL's own addresses stays as it is (`sslmode`, …). Throws DatabaseProblem if the address is
 * incomplete, or contains an invalid schema or `options`.
 */
export function readAddress({ url, variable }: { url: string; variable: string }): Address {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const database = parsed?.pathname.slice(1) ?? ''
  if (parsed === undefined || database === '') {
    throw new DatabaseProblem(
      `${variable} is not a complete database address. A complete address looks like postgresql://satchel:PASSWORD@127.0.0.1:5432/satchel. In a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25.`,
    )
  }
  const schema = parsed.searchParams.get('schema') ?? variable.split('_')[0]?.toLowerCase() ?? 'public'
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {
    throw new DatabaseProblem(
      `The schema in ${variable} must consist of lower-case letters, digits and _; it is "${schema}".`,
    )
  }
  // The driver would use these instead of what each connection begins with: the schema, and the settings that wait for
  // the disk.
  if (parsed.searchParams.has('options')) {
    throw new DatabaseProblem(
      `${variable} has "options=" in its address, which would replace what Satchel sets for each connection. Leave it out, and set such options for the database user instead: ALTER ROLE satchel SET name = 'value'.`,
    )
  }
  parsed.searchParams.delete('schema')
  const host = `${parsed.hostname || 'localhost'}${parsed.port && `:${parsed.port}`}`
  return { connectionString: parsed.href, schema, name: `postgresql://${host}/${database}?schema=${schema}` }
}
