import { type Msats, msats } from '../../lib/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { readAllAddresses } from '../addresses/read-address.ts'
import { OPERATOR } from '../books.ts'
import { now, type TippingContext } from '../context.ts'
import type { Audit } from '../tipping.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from './cover.ts'

/** Kinds of account whose balances are owed to somebody. */
export const OWED = ['member', 'pool', 'held', 'pot', 'suspense'] as const

/**
 * Proves the book and compares it with the wallet while everything goes on: E − X ≤ wallet ≤ E + Y. What follows from it
 * (the exits pause and open) is done as well.
 */
export async function auditBooks(context: TippingContext): Promise<Audit> {
  const { before, wallet, after } = await compare(context)
  const [proof, operator] = await Promise.all([context.ledger.prove(), context.ledger.balance(OPERATOR)])
  const gap = gapOf(wallet, before, after)
  const faults = [...proof.faults]
  if (gap && gap.short > 0n)
    faults.push(`the provider's wallet holds ${gap.short} msats less than the books account for`)
  if (operator < 0n)
    faults.push(`the operator's account stands at ${operator} msats, so not all that is owed is covered`)
  const uncovered = faults.length > 0
  if (gap && gap.surplus > 0n) {
    faults.push(`the provider's wallet holds ${gap.surplus} msats more than the books account for`)
  }
  const findings = { faults, surplus: gap?.surplus, uncovered }
  if (!context.activity.closed) await context.consequences.follow(context, findings)
  const owed = msats(OWED.reduce((sum, kind) => sum + (proof.totals[kind] ?? 0n), 0n))
  const { expected } = before
  const suspense = msats(proof.totals.suspense ?? 0n)
  return { holds: faults.length === 0, faults, owed, suspense, expected, ...after, wallet, operator, at: now(context) }
}

/** As often as payments to addresses may turn up between one reading and the next. */
const MOST_COMPARISONS = 3

/**
 * The two books side by side. What members' addresses may have received has no bound, so it is no part of Y: where the
 * wallet holds more than can be explained, the addresses are read, and all of it is compared again.
 */
async function compare(context: TippingContext) {
  for (let comparison = 1; ; comparison += 1) {
    const before = await readBeforeTheWallet(context)
    const wallet = await askWallet(context)
    const after = await readAfterTheWallet(context, before)
    const surplus = gapOf(wallet, before, after)?.surplus ?? 0n
    const explained = surplus <= 0n || comparison >= MOST_COMPARISONS || !(await readAllAddresses(context))
    if (explained) return { before, wallet, after }
  }
}

/** Get Wallet; undefined when the provider cannot be asked. */
export async function askWallet({ payments }: TippingContext): Promise<Msats | undefined> {
  try {
    return (await payments.getWallet()).data.balance
  } catch (error) {
    if (error instanceof PaymentsError) return undefined
    throw error
  }
}
