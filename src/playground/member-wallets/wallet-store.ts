import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Entropy } from '../../lib/entropy.ts'

/** `balance` is what the wallet holds when it joins the network, in msats. */
const walletShape = z.object({ secret: z.string(), client: z.string(), balance: z.int() })
const shape = z.object({ port: z.int(), wallets: z.record(z.string(), walletShape) })

/**
 * The keys and connections of a playground's wallets. Keys are in hex. Current balances and receipts are in the
 * network's file.
 */
export type WalletStore = z.infer<typeof shape>

/** Reads a playground's wallets, or makes new wallets with these names, each with a balance of `holds` msats. */
export function readStore(file: string, names: readonly string[], holds: number, entropy: Entropy): WalletStore {
  if (existsSync(file)) return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  const key = () => entropy.bytes(32).toString('hex')
  const wallets = names.map((name) => [name, { secret: key(), client: key(), balance: holds }] as const)
  return { port: 0, wallets: Object.fromEntries(wallets) }
}

export function writeStore(file: string, store: WalletStore): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(store, null, 1)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
