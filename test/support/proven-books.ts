import { expect } from 'vitest'
import { compareHoldings, createLedger, examineJournal, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { HOLDERS, HOLDING_KINDS } from '../../src/tipping/audit/holders.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingClient, TippingDatabase, Tx } from '../../src/tipping/core/database.ts'

/**
 * Proves the bot's book: it sums to zero, every balance equals its moves and stands on its side, no line of the journal
 * is out of place, and what is held or in a pot is, operation by operation, exactly what the open records hold.
 */
export async function expectProvenTipping(database: TippingDatabase, clock: Clock): Promise<void> {
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock })
  const proof = await ledger.prove()
  await ledger.close()
  expect(proof.faults).toEqual([])
  const open = await readExpectedHoldings(database.read, HOLDERS)
  expect(await compareHoldings(database.read, HOLDING_KINDS, open)).toEqual([])
  expect(await examineJournal(database.read)).toEqual([])
}
