import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Entropy } from '../../lib/entropy.ts'

const invoiceShape = z.object({
  owner: z.string(),
  invoice: z.string(),
  amount: z.number(),
  preimage: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** The wallet that has paid it. */
  paidBy: z.string().optional(),
})
const walletShape = z.object({ secret: z.string(), client: z.string(), balance: z.number() })
const shape = z.object({
  port: z.int(),
  wallets: z.record(z.string(), walletShape),
  invoices: z.record(z.string(), invoiceShape),
})

/** An invoice of one of the wallets; amounts in msats, times in seconds. */
export type StoredInvoice = z.infer<typeof invoiceShape>
/** Everything about the wallets of a playground. Keys and preimages are hex; the sats are the sandbox's. */
export type WalletStore = z.infer<typeof shape>

/** Reads the wallets of a playground, or makes new ones of these names with so many msats each. */
export function readStore(file: string, names: readonly string[], holds: number, entropy: Entropy): WalletStore {
  if (existsSync(file)) return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  const key = () => entropy.bytes(32).toString('hex')
  const wallets = names.map((name) => [name, { secret: key(), client: key(), balance: holds }] as const)
  return { port: 0, wallets: Object.fromEntries(wallets), invoices: {} }
}

export function writeStore(file: string, store: WalletStore): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(store, null, 1)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
