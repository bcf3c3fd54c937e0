import { Sql } from '@prisma/client/runtime/client'
import { createBatchLoader } from '../../../lib/database/batch-loader.ts'
import type { PaymentsDatabase } from '../../core/database.ts'
import type { Charge, Invoice } from '../../generated/client.ts'

/** Looks up the invoices of payments inside the books. Simultaneous look-ups share one query, without Prisma. */
export interface InvoiceLookUps {
  /** Returns our open invoice with exactly this text; undefined if there is none. Does not find other spellings. */
  open(text: string): Promise<Invoice | undefined>
  charge(id: string): Promise<Charge | undefined>
}

const INVOICES = ['SELECT i.* FROM ', ` JOIN "Invoice" AS i ON i."request" = wanted."request"`]
const CHARGES = ['SELECT c.* FROM ', ' JOIN "Charge" AS c ON c."id" = wanted."id"']

export function createInvoiceLookUps(database: Pick<PaymentsDatabase, 'readRaw' | 'rows'>): InvoiceLookUps {
  const invoices = loader<Invoice>(database, 'request', INVOICES, (row) => ({
    ...{ ...row, createdAt: new Date(row.createdAt), expiresAt: new Date(row.expiresAt), lookUps: Number(row.lookUps) },
    ...{ settledAt: timeOrNull(row.settledAt), nextLookUpAt: timeOrNull(row.nextLookUpAt) },
  }))
  const charges = loader<Charge>(database, 'id', CHARGES, (row) => ({
    ...{ ...row, createdAt: new Date(row.createdAt), expiresAt: new Date(row.expiresAt) },
    confirmedAt: timeOrNull(row.confirmedAt),
  }))
  return {
    async open(text) {
      const found = await invoices.load(text)
      return found?.status === 'open' ? found : undefined
    },
    charge: (id) => charges.load(id),
  }
}

/** Loads rows by one column. `read` converts the driver's times, which are text if a database has no type for them. */
function loader<Stored>(
  { readRaw, rows }: Pick<PaymentsDatabase, 'readRaw' | 'rows'>,
  column: keyof Stored & string,
  sql: readonly string[],
  read: (row: Stored) => Stored,
) {
  return createBatchLoader<string, Stored>({
    load: async (keys) => {
      const wanted = rows.as(
        'wanted',
        [column],
        keys.map((key) => [key]),
      )
      const found = await readRaw.$queryRaw<Stored[]>(new Sql(sql, [wanted]))
      return new Map(found.map((row) => [String(row[column]), read(row)]))
    },
  })
}

function timeOrNull(stored: Date | null): Date | null {
  return stored === null ? null : new Date(stored)
}
