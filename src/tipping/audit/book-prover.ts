import {
  type AccountName,
  compareHoldings,
  Journal,
  type Proof,
  proveBook,
  readExpectedHoldings,
} from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { allRows, type BookReader, type ReadRows } from '../../lib/database/engine/reader.ts'
import type { BalanceProof } from '../../lib/proofs/balance-proof.ts'
import { CHART } from '../core/chart-of-accounts.ts'
import { compareGiftSums } from './gift-sums.ts'
import { HOLDERS, HOLDING_KINDS } from './holders.ts'
import { type OwedTree, treeOfOwed } from './owed-tree.ts'

/** The root of a tree over all liabilities after one journal entry. */
export interface Root {
  readonly lastEntry: number
  readonly root: string
  readonly total: bigint
  readonly leaves: number
}

/** The identity of a tree: the secret key that salts it, and the last entry that it includes. */
export interface KeptTree {
  readonly key: string
  readonly lastEntry: number
}

/** The work for which a whole book has to be read, however large it is. */
export interface BookProver {
  /**
   * Proves the book as it was at one moment, and compares reserved sums with their records. `whole`: whether to prove
   * the book from its first entry. Otherwise, for a day after such a proof, only later journal lines and every balance
   * are read.
   */
  prove(how: { readonly whole: boolean }): Promise<Proof>
  /**
   * Compares leaderboards with gifts, as often as a book is proven from its first entry. Each fault is a sentence. No
   * fault affects a balance.
   */
  compareGifts(how: { readonly whole: boolean }): Promise<readonly string[]>
  /** Builds the tree of the balances after the last proven entry, salted with this secret key. */
  plant(key: string): Promise<Root>
  /** Returns a member’s part of a tree; undefined if the tree owes them nothing. */
  partsOf(tree: KeptTree, member: string): Promise<BalanceProof['parts'] | undefined>
  close(): Promise<void>
}

/** The time after which a book is proven from its first entry again. */
const WHOLE_AFTER_MS = 24 * 3_600_000

/**
 * Proves a book, and remembers each account's balance at the last proven entry. No earlier proof counts in a new
 * process, or after the book has lost known lines. If a proof fails, the book is proven again from the beginning.
 */
export class Prover implements BookProver {
  readonly #reader: () => Promise<BookReader>
  readonly #clock: Pick<Clock, 'monotonic'>
  #opened: Promise<BookReader> | undefined
  #journal: Journal | undefined
  #wholeAt = Number.NEGATIVE_INFINITY
  #comparedAt = Number.NEGATIVE_INFINITY
  #tree: { readonly key: string; readonly tree: OwedTree } | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(reader: () => Promise<BookReader>, clock: Pick<Clock, 'monotonic'>) {
    this.#reader = reader
    this.#clock = clock
  }

  prove({ whole }: { readonly whole: boolean }): Promise<Proof> {
    return this.#reading(async (rows) => {
      const begun = this.#clock.monotonic()
      const known = whole || begun - this.#wholeAt >= WHOLE_AFTER_MS ? undefined : await this.#known(rows)
      const proof = known && (await proveAll(rows, known))
      if (proof?.holds) return proof
      this.#journal = new Journal()
      this.#wholeAt = begun
      return await proveAll(rows, this.#journal)
    })
  }

  compareGifts({ whole }: { readonly whole: boolean }): Promise<readonly string[]> {
    return this.#reading(async (rows) => {
      const begun = this.#clock.monotonic()
      if (!whole && begun - this.#comparedAt < WHOLE_AFTER_MS) return []
      const faults = await compareGiftSums(rows)
      // Reported again at each audit until it is repaired.
      if (faults.length === 0) this.#comparedAt = begun
      return faults
    })
  }

  plant(key: string): Promise<Root> {
    return this.#reading(async (rows) => {
      const journal = (await this.#known(rows)) ?? new Journal()
      if (journal !== this.#journal) await journal.follow(rows)
      const { root, sum: total, leaves } = (await this.#grow(rows, key, journal)).sums
      return { lastEntry: journal.lastEntry, root: root.toString('hex'), total, leaves }
    })
  }

  partsOf({ key, lastEntry }: KeptTree, member: string): Promise<BalanceProof['parts'] | undefined> {
    return this.#reading(async (rows) => {
      if (this.#tree?.key === key) return await this.#tree.tree.partsOf(rows, member)
      const known = await this.#known(rows)
      const journal = known !== undefined && known.lastEntry <= lastEntry ? known : new Journal()
      await journal.follow(rows, lastEntry)
      return await (await this.#grow(rows, key, journal)).partsOf(rows, member)
    })
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {})
    await (await this.#opened)?.close()
  }

  /** Returns the known part of the journal, if it has not changed. */
  async #known(rows: ReadRows): Promise<Journal | undefined> {
    return this.#journal !== undefined && (await this.#journal.isOf(rows)) ? this.#journal : undefined
  }

  async #grow(rows: ReadRows, key: string, journal: Journal): Promise<OwedTree> {
    // Never hold both: for a million members each needs 170 megabytes.
    this.#tree = undefined
    const tree = await treeOfOwed(rows, key, journal)
    this.#tree = { key, tree }
    return tree
  }

  /**
   * Runs reads one after the other. If a read fails, everything remembered is dropped: on a database server, what was
   * read may not be durable.
   */
  #reading<T>(look: (rows: ReadRows) => Promise<T>): Promise<T> {
    const read = async () => {
      this.#opened ??= this.#reader()
      try {
        return await (await this.#opened).snapshot(look)
      } catch (error) {
        this.#journal = undefined
        this.#tree = undefined
        throw error
      }
    }
    const done = this.#last.then(read, read)
    this.#last = done.catch(() => {})
    return done
  }
}

async function proveAll(rows: ReadRows, journal: Journal): Promise<Proof> {
  const proof = await proveBook(rows, CHART, journal)
  const faults = [...proof.faults, ...(await unexplained(rows))]
  return { ...proof, holds: faults.length === 0, faults }
}

const KINDS = Object.keys(HOLDING_KINDS)
const HOLDING = `SELECT "kind", "owner", "balance" FROM "Account" WHERE "kind" IN (${KINDS.map(() => '?').join(', ')}) AND "balance" <> 0`

/**
 * Describes reserved sums that differ from their records, with their operations. Compares balances first, which is
 * quick, and searches the journal only if a balance differs.
 */
async function unexplained(rows: ReadRows): Promise<string[]> {
  const expected = await readExpectedHoldings(rows, HOLDERS)
  const left = new Map<string, bigint>()
  const add = ({ kind, owner }: AccountName, amount: bigint) => {
    const name = `${kind} ${owner}`
    left.set(name, (left.get(name) ?? 0n) + amount)
  }
  for (const [kind, owner, balance] of await allRows(rows(HOLDING, KINDS)))
    add({ kind: String(kind), owner: String(owner) }, balance as bigint)
  for (const each of expected) add(each, -each.amount)
  if ([...left.values()].every((amount) => amount === 0n)) return []
  return (await compareHoldings(rows, HOLDING_KINDS, expected)).map(({ what }) => what)
}
