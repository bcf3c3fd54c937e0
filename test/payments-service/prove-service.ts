import { expect } from 'vitest'
import { compareHoldings, examineJournal, Journal, proveBook, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import { readBook } from '../../src/lib/database/database.ts'
import { CHART } from '../../src/payments-service/core/chart-of-accounts.ts'
import { HOLDERS, HOLDING_KINDS } from '../../src/payments-service/monitoring/holders.ts'
import type { Service } from '../../src/payments-service/service.ts'

/**
 * Proves a service's books: every balance equals the sum of its moves and has the right sign, and what is held or in
 * escrow is exactly what open payments, withdrawal requests and vouchers hold.
 */
export async function proveService({ parts: { database } }: Pick<Service, 'parts'>): Promise<void> {
  const found = await readBook({ ...database, durable: true }, async (rows) => {
    const journal = new Journal()
    const { faults } = await proveBook(rows, CHART, journal)
    const held = await compareHoldings(rows, HOLDING_KINDS, await readExpectedHoldings(rows, HOLDERS))
    return [...faults, ...held, ...(await examineJournal(rows, journal))]
  })
  expect(found).toEqual([])
}
