import { formatSats, type Msats, msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { readAllAddresses } from '../addresses/poll-address.ts'
import { OPERATOR } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { AuditConsequences } from './act-on-audit.ts'
import type { Audit } from './audit.ts'
import type { BookProver } from './book-prover.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from './cover.ts'
import { OWED } from './owed-tree.ts'

/** What audits need besides the book. */
export interface Auditing {
  readonly prover: BookProver
  readonly consequences: AuditConsequences
}

/**
 * Proves the book and compares it with the wallet while work continues: E − X ≤ wallet ≤ E + Y. Also applies the
 * consequences: pauses or resumes outgoing payments. `whole`: whether the whole journal is proven again.
 */
export async function auditBooks(
  context: TippingContext,
  { prover, consequences }: Auditing,
  how: { readonly whole: boolean },
): Promise<Audit> {
  const inForce = await context.outgoingSwitch.inForce(context)
  const { before, wallet, after, short = 0n, surplus, otherNetwork } = await compare(context)
  const [proof, gifts, operator] = await Promise.all([
    prover.prove(how),
    prover.compareGifts(how),
    context.ledger.balance(OPERATOR),
  ])
  const faults = [...proof.faults]
  if (otherNetwork !== undefined) faults.unshift(otherNetwork)
  if (short > 0n) faults.push(`the provider's wallet holds ${formatSats(short)} sats less than the books account for`)
  if (operator < 0n)
    faults.push(
      `the operator's account stands at ${formatSats(operator)} sats, so the wallet does not cover everything that the book owes`,
    )
  const uncovered = faults.length > 0
  if (surplus !== undefined && surplus > 0n) {
    faults.push(`the provider's wallet holds ${formatSats(surplus)} sats more than the books account for`)
  }
  // This does not require a pause.
  faults.push(...gifts)
  const { arrived, ...open } = after
  const findings = { faults, surplus, uncovered, inForce, journal: { lastEntry: before.lastEntry, arrived } }
  if (!context.activity.closed) await consequences.follow(context, findings)
  const owed = msats(OWED.reduce((sum, kind) => sum + (proof.totals[kind] ?? 0n), 0n))
  const { expected } = before
  const suspense = msats(proof.totals.suspense ?? 0n)
  await context.outgoingSwitch.load(context)
  const paused = context.outgoingSwitch.all
  const sums = { owed, suspense, expected, ...open, wallet, operator }
  return { holds: faults.length === 0, faults, ...sums, paused, at: now(context) }
}

/**
 * Compares the book with the wallet. Payments to members' addresses have no limit. Therefore, if the wallet holds an
 * unexplained surplus, reads the addresses, credits all their payments, and counts these payments as arrived. If an
 * address cannot be read, no conclusion about a surplus is possible.
 */
async function compare(context: TippingContext) {
  const before = await readBeforeTheWallet(context)
  const { wallet, otherNetwork } = await askWallet(context)
  let after = await readAfterTheWallet(context, before)
  let gap = gapOf(wallet, before, after)
  if (gap === undefined || gap.surplus <= 0n) {
    return { before, wallet, after, short: gap?.short, surplus: gap?.surplus, otherNetwork }
  }
  const all = await readAllAddresses(context)
  after = await readAfterTheWallet(context, before)
  gap = gapOf(wallet, before, after)
  return { before, wallet, after, short: gap?.short, surplus: all ? gap?.surplus : undefined, otherNetwork }
}

/**
 * Returns the wallet's balance; undefined if the provider does not answer. A balance on another network says nothing
 * about the book: `wallet` is then undefined, and `otherNetwork` describes the difference.
 */
export async function askWallet(
  context: CoreContext,
): Promise<{ readonly wallet: Msats | undefined; readonly otherNetwork?: string | undefined }> {
  try {
    const { balance, network } = (await context.payments.getWallet()).data
    await context.network.look(context)
    const otherNetwork = await context.network.learn(context, network)
    return otherNetwork === undefined ? { wallet: balance } : { wallet: undefined, otherNetwork }
  } catch (error) {
    if (error instanceof PaymentsError) return { wallet: undefined }
    throw error
  }
}
