import { expect } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { CHART } from '../../src/tipping/books.ts'
import type { TippingClient, TippingDatabase, Tx } from '../../src/tipping/database.ts'
import { heldByWithdrawals } from '../../src/tipping/withdrawals/open-withdrawals.ts'

/**
 * Proves the bot's book: it sums to zero, every balance equals its moves and stands on its side, and what is held is
 * exactly what open operations hold.
 */
export async function expectProvenTipping(database: TippingDatabase, clock: Clock): Promise<void> {
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock })
  const proof = await ledger.prove()
  await ledger.close()
  expect(proof.faults).toEqual([])
  const { read } = database
  const leaving = await heldByWithdrawals(read)
  const [parked, payouts] = await Promise.all([
    read.tipShare.aggregate({ where: { state: 'parked' }, _sum: { amount: true } }),
    read.payout.aggregate({ where: { state: { in: ['reserved', 'sending', 'unknown'] } }, _sum: { amount: true } }),
  ])
  expect(proof.totals.held ?? 0n).toBe((parked._sum.amount ?? 0n) + (payouts._sum.amount ?? 0n) + leaving)
}
