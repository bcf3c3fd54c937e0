/**
 * Interprets a database's refusals by SQLite's and PostgreSQL's codes. Only errors from before a COMMIT are judged
 * here: an error of COMMIT itself ends the process (`watch-commits.ts`).
 */

/** Whether the change itself is wrong, not the database: it broke a rule, or has a value that no column accepts. */
export function isFaultOfChange(error: unknown): boolean {
  const code = codeOfDatabase(error)
  if (code !== undefined) return code.startsWith('SQLITE_CONSTRAINT') || /^2[23]/.test(code)
  // Prisma's own codes for a broken unique key, foreign key or CHECK.
  return ['P2002', 'P2003', 'P2004', 'P2011', 'P2039'].includes((error as { code?: string }).code ?? '')
}

/**
 * SQLite's codes for a failure of the database itself: a full disk, somebody else's lock, a read-only disk, and others.
 */
const SICK_FILE = /^SQLITE_(FULL|BUSY|LOCKED|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/

/**
 * PostgreSQL's codes and classes of codes for a failure of the database itself: 08 connection, 25006 read only, 40001
 * and 40P01 a transaction that came second, 53 resources, 55P03 a lock, 57 an operator's shutdown, 58 the operating
 * system.
 */
const SICK_SERVER = /^(08|25006|40001|40P01|53|55P03|57|58)/

/** The text of a lost connection, which has no code from the server. */
const GONE = /connection (terminated|error|closed)|not queryable|ECONNRE|EPIPE|ETIMEDOUT/i

/** Prisma's own codes for a server that cannot be reached, or has closed the connection. */
const GONE_TO_PRISMA = ['P1001', 'P1002', 'P1008', 'P1017']

/** Whether the database itself failed, so the change may be tried again. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOfDatabase(error)
  if (code !== undefined) return SICK_FILE.test(code) || SICK_SERVER.test(code)
  if (GONE_TO_PRISMA.includes((error as { code?: string } | undefined)?.code ?? '')) return true
  return GONE.test(String((error as { message?: unknown } | undefined)?.message ?? ''))
}

/** An error of Prisma’s driver adapter. */
interface DriverError {
  readonly cause?: { readonly originalCode?: string }
}

/** Returns the database's own code, also from inside the errors of the driver adapter and Prisma. */
function codeOfDatabase(error: unknown): string | undefined {
  const { meta, cause } = (error ?? {}) as { meta?: { driverAdapterError?: DriverError } } & DriverError
  return (meta?.driverAdapterError?.cause ?? cause)?.originalCode
}
