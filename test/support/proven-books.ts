import { expect } from 'vitest'
import { compareHoldings, examineJournal, Journal, proveBook, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import { readBook } from '../../src/lib/database/database.ts'
import { compareGiftSums } from '../../src/tipping/audit/gift-sums.ts'
import { HOLDERS, HOLDING_KINDS } from '../../src/tipping/audit/holders.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'

/**
 * Proves the bot's book: it sums to zero, every balance equals its moves and stands on its side, no line of the journal
 * is out of place, and what is held or in a pot is, operation by operation, exactly what the open records hold. Leaderboards add up what was given.
 */
export async function expectProvenTipping(database: Pick<TippingDatabase, 'url' | 'variable'>): Promise<void> {
  const found = await readBook({ ...database, durable: true }, async (rows) => {
    const journal = new Journal()
    const { faults } = await proveBook(rows, CHART, journal)
    const held = await compareHoldings(rows, HOLDING_KINDS, await readExpectedHoldings(rows, HOLDERS))
    return [...faults, ...held, ...(await examineJournal(rows, journal)), ...(await compareGiftSums(rows))]
  })
  expect(found).toEqual([])
}
