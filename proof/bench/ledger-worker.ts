import { createLedger } from '../../src/ledger/ledger.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, NODE } from '../../src/payments-service/core/chart-of-accounts.ts'
import { openPaymentsDatabase, type PaymentsClient, type Tx } from '../../src/payments-service/core/database.ts'

/** A worker's load: its number of simultaneous payments, its duration, and its number of wallets. */
export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly wallets: number
}

export interface LoadDone {
  readonly payments: number
  readonly batches: number
  readonly cpuMicroseconds: number
}

export const FUNDS = 1_000_000_000_000n

export function walletOf(index: number) {
  return { kind: 'wallet', owner: `user:${index}` } as const
}

/**
 * Opens a ledger on the given book, as the payments service does. Funds the given number of wallets, reports that it is
 * ready, and pays when its parent's messages request payments. Ends with its parent.
 */
async function main(url: string, wallets: number): Promise<void> {
  const database = await openPaymentsDatabase(url)
  let batches = 0
  const ledger = createLedger<Tx, PaymentsClient>({
    ...{ database, chart: CHART, clock: systemClock },
    onBatch: () => {
      batches += 1
    },
  })
  if (wallets > 0) {
    const moves = Array.from({ length: wallets }, (_, i) => ({ from: NODE, to: walletOf(i), amount: msats(FUNDS) }))
    await ledger.commit({ entries: [{ operation: 'fund', step: 'post', moves }] })
  }
  process.on('disconnect', () => process.exit())
  process.on('message', async (load: Load) => {
    batches = 0
    const before = process.cpuUsage()
    const end = performance.now() + load.seconds * 1_000
    let payments = 0
    const connection = async () => {
      for (; performance.now() < end; payments += 1) await ledger.commit(payment(load.wallets))
    }
    await Promise.all(Array.from({ length: load.connections }, connection))
    const { user, system } = process.cpuUsage(before)
    process.send?.({ payments, batches, cpuMicroseconds: user + system } satisfies LoadDone)
  })
  process.send?.('ready')
}

/** Returns a payment from any wallet to any other, so that each payment touches two wallets. */
function payment(wallets: number) {
  const from = Math.floor(Math.random() * wallets)
  const to = (from + 1 + Math.floor(Math.random() * (wallets - 1))) % wallets
  const move = { from: walletOf(from), to: walletOf(to), amount: msats(1n) }
  return { entries: [{ operation: `payment:${systemEntropy.uuid()}`, step: 'post', moves: [move] }] }
}

const [url, wallets] = process.argv.slice(2)
if (import.meta.main && url !== undefined) await main(url, Number(wallets))
