import { type AccountName, compareHoldings, readExpectedHoldings } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { readAllAddresses } from '../addresses/poll-address.ts'
import { OPERATOR } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { AuditConsequences } from './act-on-audit.ts'
import type { Audit } from './audit.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from './cover.ts'
import { HOLDERS, HOLDING_KINDS } from './holders.ts'

/** Kinds of account whose balances are owed to somebody. */
export const OWED = ['member', 'pool', 'held', 'pot', 'suspense'] as const

/** A large book takes a while to read. */
const LONG_READ = { maxWait: 60_000, timeout: 600_000 }

/**
 * Proves the book and compares it with the wallet while everything goes on: E − X ≤ wallet ≤ E + Y. What follows from it
 * (outgoing payments pause and resume) is done as well.
 */
export async function auditBooks(context: TippingContext, consequences: AuditConsequences): Promise<Audit> {
  const inForce = await context.outgoingSwitch.inForce(context)
  const { before, wallet, after, short = 0n, surplus, otherNetwork } = await compare(context)
  const [proof, operator] = await Promise.all([context.ledger.prove(), context.ledger.balance(OPERATOR)])
  const faults = [...proof.faults, ...(await unexplained(context))]
  if (otherNetwork !== undefined) faults.unshift(otherNetwork)
  if (short > 0n) faults.push(`the provider's wallet holds ${short} msats less than the books account for`)
  if (operator < 0n)
    faults.push(`the operator's account stands at ${operator} msats, so not all that is owed is covered`)
  const uncovered = faults.length > 0
  if (surplus !== undefined && surplus > 0n) {
    faults.push(`the provider's wallet holds ${surplus} msats more than the books account for`)
  }
  const { arrived, ...open } = after
  const findings = { faults, surplus, uncovered, inForce, journal: { lastEntry: before.lastEntry, arrived } }
  if (!context.activity.closed) await consequences.follow(context, findings)
  const owed = msats(OWED.reduce((sum, kind) => sum + (proof.totals[kind] ?? 0n), 0n))
  const { expected } = before
  const suspense = msats(proof.totals.suspense ?? 0n)
  return { holds: faults.length === 0, faults, owed, suspense, expected, ...open, wallet, operator, at: now(context) }
}

/**
 * The two books side by side. What members' addresses may receive has no bound. So where the wallet holds more than can
 * be explained, the addresses are read: whatever the wallet held then is listed by now, and credited, and counts as
 * having arrived since. Where one cannot be read, nothing can be said of a surplus.
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
 * What is set aside for operations whose records tell otherwise; each names its operation. Balances are compared first,
 * which is quick: the journal is searched only if one of them is off.
 */
async function unexplained({ database }: TippingContext): Promise<string[]> {
  // All of it as it was at one moment: a record and what is set aside for it change together.
  return await database.read.$transaction(async (tx) => {
    const expected = await readExpectedHoldings(tx, HOLDERS)
    const left = new Map<string, bigint>()
    const add = ({ kind, owner }: AccountName, amount: bigint) => {
      const name = `${kind} ${owner}`
      left.set(name, (left.get(name) ?? 0n) + amount)
    }
    const kinds = Object.keys(HOLDING_KINDS)
    for (const account of await tx.account.findMany({ where: { kind: { in: kinds }, balance: { not: 0 } } })) {
      add(account, account.balance)
    }
    for (const each of expected) add(each, -each.amount)
    if ([...left.values()].every((amount) => amount === 0n)) return []
    return (await compareHoldings(tx, HOLDING_KINDS, expected)).map(({ what }) => what)
  }, LONG_READ)
}

/**
 * Get Wallet: its balance, undefined when the provider cannot be asked. A balance of another network's sats says nothing
 * about the book: then `otherNetwork` says so in words.
 */
export async function askWallet(
  context: TippingContext,
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
