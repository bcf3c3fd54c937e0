import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { isUnavailable } from '../../src/lib/database/database-errors.ts'
import type { Faults } from './process.ts'

/**
 * Returns whether an error means that the database server is away, so that nothing was done and the caller may try
 * again.
 */
export function isDatabaseAway(error: unknown, { databaseAway }: Faults): boolean {
  return databaseAway && (error instanceof LedgerUnavailable || isUnavailable(error))
}
