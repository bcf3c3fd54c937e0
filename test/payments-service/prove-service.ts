import { expect } from 'vitest'
import { compareHoldings, examineJournal, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import { HOLDERS, HOLDING_KINDS } from '../../src/payments-service/monitoring/holders.ts'
import type { Service } from '../../src/payments-service/service.ts'

/**
 * Proves a service's books: every account equals its moves and stands on its side, and what is held or in escrow is
 * exactly what open payments, withdrawal requests and vouchers hold.
 */
export async function proveService({ parts: { ledger, database } }: Pick<Service, 'parts'>): Promise<void> {
  const proof = await ledger.prove()
  expect(proof.faults).toEqual([])
  const open = await readExpectedHoldings(database.read, HOLDERS)
  expect(await compareHoldings(database.read, HOLDING_KINDS, open)).toEqual([])
  expect(await examineJournal(database.read)).toEqual([])
}
