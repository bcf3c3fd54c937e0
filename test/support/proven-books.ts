import { expect } from 'vitest'
import { compareHoldings, examineJournal, Journal, proveBook, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import { readBook } from '../../src/lib/database/database.ts'
import { compareGiftSums } from '../../src/tipping/audit/gift-sums.ts'
import { HOLDERS, HOLDING_KINDS } from '../../src/tipping/audit/holders.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase } from '../../src/tipping/core/database.ts'

/**
 * Proves the bot's book: it sums to zero, every balance equals the sum of its moves and has the right sign, no journal
 * line is out of place, and the amounts held and in pots equal, operation by operation, those of the open records.
 * Leaderboards add up all gifts.
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
