import { expect } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { CHART } from '../../src/tipping/books.ts'
import type { TippingClient, TippingDatabase, Tx } from '../../src/tipping/database.ts'
import { heldByVouchers } from '../../src/tipping/vouchers/outstanding-vouchers.ts'
import { heldByWithdrawals } from '../../src/tipping/withdrawals/open-withdrawals.ts'

/**
 * Proves the bot's book: it sums to zero, every balance equals its moves and stands on its side, and what is held is
 * exactly what open operations hold; so is what is in the pots.
 */
export async function expectProvenTipping(database: TippingDatabase, clock: Clock): Promise<void> {
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock })
  const proof = await ledger.prove()
  await ledger.close()
  expect(proof.faults).toEqual([])
  const { read } = database
  const leaving = (await heldByWithdrawals(read)) + (await heldByVouchers(read))
  const [parked, payouts] = await Promise.all([
    read.tipShare.aggregate({ where: { state: 'parked' }, _sum: { amount: true } }),
    read.payout.aggregate({ where: { state: { in: ['reserved', 'sending', 'unknown'] } }, _sum: { amount: true } }),
  ])
  expect(proof.totals.held ?? 0n).toBe((parked._sum.amount ?? 0n) + (payouts._sum.amount ?? 0n) + leaving)
  const drops = await read.drop.findMany({ where: { state: 'open', codes: false } })
  const inDrops = drops.reduce((sum, { share, shares, claimed }) => sum + share * BigInt(shares - claimed), 0n)
  const owners = drops.map(({ id }) => id)
  const pots = await read.account.aggregate({ where: { kind: 'pot', owner: { in: owners } }, _sum: { balance: true } })
  expect(pots._sum.balance ?? 0n).toBe(inDrops)
  const closed = await read.drop.findMany({ where: { state: 'closed' }, select: { id: true } })
  const left = await read.account.aggregate({
    where: { kind: 'pot', owner: { in: closed.map(({ id }) => id) } },
    _sum: { balance: true },
  })
  expect(left._sum.balance ?? 0n).toBe(0n)
}
