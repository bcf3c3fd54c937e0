import type { Entry, LedgerChange } from './change.ts'
import { type AccountName, accountKey, type Chart, standsWell } from './chart.ts'
import type { FoundRows } from './conditions.ts'
import { AlreadyWritten, InsufficientFunds } from './refusals.ts'

/** An account that a batch uses. */
export interface OpenAccount {
  readonly id: number
  /** The stored balance, in msats. */
  readonly stored: bigint
  balance: bigint
  /** The account's newest move. Each move names the account's previous one, so an account's history needs no index. */
  lastMoveId: number | null
}

/** The accounts that a batch uses, and their balances after the changes accepted so far. */
export class Accounts {
  readonly #accounts = new Map<string, OpenAccount>()

  add(name: AccountName, account: { id: number; balance: bigint; lastMoveId: number | null }): void {
    this.#accounts.set(accountKey(name), { ...account, stored: account.balance })
  }

  get(name: AccountName): OpenAccount {
    const account = this.#accounts.get(accountKey(name))
    if (!account) throw new Error(`the account ${accountKey(name)} was not opened`)
    return account
  }

  has(name: AccountName): boolean {
    return this.#accounts.has(accountKey(name))
  }

  all(): IterableIterator<OpenAccount> {
    return this.#accounts.values()
  }
}

/** The (operation, step) pairs that exist, in the database or in the changes accepted so far. */
export class Journal {
  readonly #steps: Set<string>

  constructor(written: readonly { readonly operation: string; readonly step: string }[]) {
    this.#steps = new Set(written.map(Journal.#key))
  }

  refuses(entry: Entry): boolean {
    if (this.#steps.has(Journal.#key(entry))) return true
    const { operation, step } = entry
    return (
      Journal.#ends(step) && ['post', 'void'].some((end) => this.#steps.has(Journal.#key({ operation, step: end })))
    )
  }

  add(entry: Entry): void {
    this.#steps.add(Journal.#key(entry))
  }

  remove(entry: Entry): void {
    this.#steps.delete(Journal.#key(entry))
  }

  static #ends(step: string): boolean {
    return step === 'post' || step === 'void'
  }

  static #key({ operation, step }: { readonly operation: string; readonly step: string }): string {
    return `${step} ${operation}`
  }
}

/** The state by which a batch's changes are judged: as it was read, and as the accepted changes leave it. */
export interface BatchState {
  readonly chart: Chart
  readonly accounts: Accounts
  readonly journal: Journal
  readonly found: FoundRows
  /** The ids of the batch's first entry and first move. */
  readonly next: { readonly entry: number; readonly move: number }
}

/**
 * The verdict on a change: why it is refused, or how to undo its entries' effects on the state if its own statements
 * refuse it later.
 */
export type Judgement =
  | { readonly ok: true; readonly takeBack: () => void }
  | { readonly ok: false; readonly error: Error }

/** Judges a change as if it were alone, after those already accepted. Applies it to the state if it is accepted. */
export function judgeChange<Tx>(state: BatchState, change: LedgerChange<Tx, unknown>): Judgement {
  const { chart, accounts, journal } = state
  const noted: Entry[] = []
  const takeBack = () => {
    for (const entry of noted) {
      journal.remove(entry)
      shift(accounts, entry, -1n)
    }
  }
  for (const entry of change.entries ?? []) {
    if (journal.refuses(entry)) {
      takeBack()
      return { ok: false, error: new AlreadyWritten(entry.operation, entry.step) }
    }
    journal.add(entry)
    shift(accounts, entry, 1n)
    noted.push(entry)
  }
  const short = overdrawn(chart, accounts, change)
  if (short !== undefined) {
    takeBack()
    const { balance } = accounts.get(short.account)
    return { ok: false, error: new InsufficientFunds(short.account, balance, short.missing) }
  }
  const refused = state.found.refusal(change)
  if (refused !== undefined) {
    takeBack()
    return { ok: false, error: refused }
  }
  state.found.accept(change)
  return { ok: true, takeBack }
}

function shift(accounts: Accounts, entry: Entry, direction: 1n | -1n): void {
  for (const move of entry.moves) {
    accounts.get(move.from).balance -= move.amount * direction
    accounts.get(move.to).balance += move.amount * direction
  }
}

function overdrawn<Tx>(chart: Chart, accounts: Accounts, change: LedgerChange<Tx, unknown>) {
  for (const entry of change.entries ?? []) {
    for (const account of entry.moves.flatMap((move) => [move.from, move.to])) {
      const { balance } = accounts.get(account)
      if (!standsWell(chart, account.kind, balance)) return { account, missing: balance < 0n ? -balance : balance }
    }
  }
  for (const account of change.solvent ?? []) {
    const { balance } = accounts.get(account)
    if (balance < 0n) return { account, missing: -balance }
  }
  return undefined
}
