import { createLedger } from '../../../src/ledger/ledger.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { msats } from '../../../src/lib/money/amount.ts'
import { CHART, WALLET } from '../../../src/tipping/core/chart-of-accounts.ts'
import {
  openTippingDatabase,
  type TippingClient,
  type TippingDatabase,
  type Tx,
} from '../../../src/tipping/core/database.ts'
import { BEGINNING } from '../../judge/histories/history.ts'
import { ACCOUNTS, COUNTERS, FUNDS } from './clients.ts'
import { accountNamed } from './writer.ts'

const ledgerOn = (database: TippingDatabase) =>
  createLedger<Tx, TippingClient>({ database, chart: CHART, clock: systemClock })

/** Makes a book and gives every account its first balance. */
export async function beginBook(url: string): Promise<void> {
  const database = await openTippingDatabase(url)
  const ledger = ledgerOn(database)
  const moves = ACCOUNTS.map((name) => ({ from: WALLET, to: accountNamed(name), amount: msats(FUNDS) }))
  const data = COUNTERS.map((id) => ({ id, seenAt: new Date(0) }))
  await ledger.commit({
    entries: [{ operation: BEGINNING, step: 'post', moves }],
    write: async (tx) => void (await tx.member.createMany({ data })),
  })
  await ledger.close()
  await database.close()
}

/** Resolves to the faults that Satchel itself finds in a book. */
export async function ownFaults(url: string): Promise<string[]> {
  const database = await openTippingDatabase(url)
  const ledger = ledgerOn(database)
  const { faults } = await ledger.prove()
  await ledger.close()
  await database.close()
  return faults.map((fault) => `Satchel's own proof: ${typeof fault === 'string' ? fault : JSON.stringify(fault)}`)
}
