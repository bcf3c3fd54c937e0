import Database from 'better-sqlite3'
import type { LndNetwork } from '../../nodes/lnd-network.ts'
import type { LndProcess } from '../../nodes/lnd-process.ts'

/** The tables of a network that the judge reads, with the columns that it reads. */
const SCHEMA = `
  CREATE TABLE invoice (paymentHash TEXT PRIMARY KEY, owner TEXT NOT NULL, invoice TEXT NOT NULL) STRICT;
  CREATE TABLE arrival (payee TEXT NOT NULL, paymentHash TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL) STRICT;
  CREATE TABLE payment (
    payer TEXT NOT NULL, paymentHash TEXT NOT NULL, amount INTEGER NOT NULL, fee INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT;`

export function createMemory(file: string): void {
  const database = new Database(file)
  database.exec(SCHEMA)
  database.close()
}

interface Settled {
  readonly r_hash: string
  readonly payment_request: string
  readonly state: string
  readonly amt_paid_msat: string
}

interface Sent {
  readonly payment_hash: string
  readonly status: string
  readonly value_msat: string
  readonly fee_msat: string
}

/**
 * Stores the records of real nodes: our invoices and the outside node's, the receipts for them, and our payments. Omits
 * the payment hashes in `but`, which do not concern the storm.
 */
export async function remember(file: string, { ours, outside }: LndNetwork, but: ReadonlySet<string>): Promise<void> {
  const database = new Database(file)
  try {
    const invoice = database.prepare('INSERT INTO invoice VALUES (?, ?, ?)')
    const arrival = database.prepare('INSERT INTO arrival VALUES (?, ?, ?)')
    for (const [owner, node] of [
      ['ours', ours],
      ['outside', outside],
    ] as const) {
      for (const one of await invoicesOf(node)) {
        const hash = Buffer.from(one.r_hash, 'base64').toString('hex')
        if (but.has(hash)) continue
        invoice.run(hash, owner, one.payment_request)
        if (one.state === 'SETTLED') arrival.run(owner, hash, BigInt(one.amt_paid_msat))
      }
    }
    const payment = database.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?)')
    for (const { payment_hash, status, value_msat, fee_msat } of await paymentsOf(ours)) {
      const state = status === 'SUCCEEDED' ? 'paid' : status === 'FAILED' ? 'failed' : 'pending'
      payment.run('ours', payment_hash, BigInt(value_msat), BigInt(fee_msat), state)
    }
  } finally {
    database.close()
  }
}

async function invoicesOf(node: LndProcess): Promise<Settled[]> {
  return (await node.call('GET', '/v1/invoices?num_max_invoices=100000')).invoices
}

async function paymentsOf(node: LndProcess): Promise<Sent[]> {
  return (await node.call('GET', '/v1/payments?include_incomplete=true&max_payments=100000')).payments
}
