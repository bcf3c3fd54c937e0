import { accountKey, InsufficientFunds, type LedgerChange } from '../ledger/ledger.ts'
import type { Msats } from '../lib/money/amount.ts'
import type { PaymentsClient } from '../payments-api/payments-api.ts'
import { CHART, member as memberAccount } from './core/chart-of-accounts.ts'
import type { ReadonlyBook } from './core/context.ts'
import type { Tx } from './core/database.ts'
import { DryRunEnded } from './core/dry-run-ended.ts'
import { UNTOLD } from './core/provider-node.ts'
import { TippingRefusal } from './core/tipping-refusal.ts'
import { OnceOnly } from './engine/once-only/once-only.ts'
import type { TippingContext } from './engine/tipping-context.ts'

/**
 * The expected increase of a member's balance, in msats, because the member's waiting tips are claimed before the verb
 * runs.
 */
interface Expected {
  readonly member: string
  readonly amount: Msats
}

/**
 * Returns a context that neither writes nor sends. Its `commit` judges a change by the present and the expected
 * balances, and then ends the run. Thus a verb shows its refusal, but does nothing.
 */
export function dryRunContext(given: TippingContext, expected?: Expected): TippingContext {
  const context = expected === undefined ? given : { ...given, ledger: expecting(given.ledger, expected) }
  const commit = async (change: LedgerChange<Tx, never>): Promise<never> => {
    await mustBeCovered(context, change)
    await mustBeAllowed(context, change)
    throw new DryRunEnded()
  }
  const payments = new Proxy(context.payments, {
    get: (client, name) => {
      const value = Reflect.get(client, name)
      return typeof value === 'function' ? () => Promise.reject(new DryRunEnded()) : value
    },
  }) satisfies PaymentsClient
  const once = new OnceOnly(context.database)
  // Discord waits for the acknowledgement meanwhile.
  const providerNode = Object.assign(async () => UNTOLD, { known: () => UNTOLD })
  return { ...context, commit: commit as TippingContext['commit'], payments, once, providerNode, isDryRun: true }
}

function expecting(ledger: TippingContext['ledger'], { member, amount }: Expected): TippingContext['ledger'] {
  const key = accountKey(memberAccount(member))
  const more = (account: string) => (account === key ? amount : 0n)
  return {
    ...ledger,
    balance: async (account) => (await ledger.balance(account)) + more(accountKey(account)),
  }
}

/** Throws InsufficientFunds if the ledger would. */
async function mustBeCovered({ ledger }: ReadonlyBook, { entries = [] }: LedgerChange<Tx, never>): Promise<void> {
  const moves = entries.flatMap((entry) => entry.moves)
  const froms = new Map(moves.map(({ from }) => [`${from.kind}:${from.owner}`, from]))
  for (const account of froms.values()) {
    if (CHART[account.kind as keyof typeof CHART] !== 'credit') continue
    const isMine = (other: typeof account) => other.kind === account.kind && other.owner === account.owner
    const out = moves.reduce((sum, { from, amount }) => (isMine(from) ? sum + amount : sum), 0n)
    const into = moves.reduce((sum, { to, amount }) => (isMine(to) ? sum + amount : sum), 0n)
    if (out <= into) continue
    const balance = await ledger.balance(account)
    if (balance + into < out) throw new InsufficientFunds(account, balance, out - into - balance)
  }
}

/**
 * Throws a refusal that would come from inside the transaction (for an allowance or a budget), whose code is run on a
 * connection that cannot write.
 */
async function mustBeAllowed({ database }: ReadonlyBook, { write }: LedgerChange<Tx, never>): Promise<void> {
  try {
    await write?.(database.read)
  } catch (error) {
    if (error instanceof TippingRefusal) throw error
    // It reached its first writing statement.
  }
}

/**
 * Runs a verb with `api`, which writes nothing. Resolves to whether the giver needs to confirm. Throws the
 * TippingRefusal that the verb would throw now.
 */
export async function dryRun<Api>(api: Api, run: (api: Api) => Promise<unknown>): Promise<'goes' | 'asks'> {
  try {
    await run(api)
    return 'goes'
  } catch (error) {
    if (error instanceof DryRunEnded) return error.asksFirst ? 'asks' : 'goes'
    throw error
  }
}
