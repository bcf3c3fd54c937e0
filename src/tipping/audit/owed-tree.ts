import type { Journal } from '../../ledger/ledger.ts'
import { allRows, each, type ReadRows } from '../../lib/database/engine/reader.ts'
import { longer } from '../../lib/longer.ts'
import { type BalanceProof, labelOf } from '../../lib/proofs/balance-proof.ts'
import { keyedHash } from '../../lib/proofs/keyed-hash.ts'
import { type Leaf, Seedbed, type SumTree } from '../../lib/proofs/sum-tree.ts'

/** The kinds of account whose balances are owed to somebody. */
export const OWED = ['member', 'pool', 'held', 'pot', 'suspense'] as const

/**
 * The number of random parts into which each balance is split. A neighbour in the tree sees one part's amount, but not
 * the part's owner.
 */
const PARTS = 2

/** A tree over all liabilities. */
export interface OwedTree {
  readonly sums: SumTree
  /** Returns a member’s leaves with their paths to the root; undefined if nothing was owed to the member. */
  partsOf(rows: ReadRows, member: string): Promise<BalanceProof['parts'] | undefined>
}

const ACCOUNTS = `SELECT "id", "kind", "owner" FROM "Account" WHERE "kind" IN (${OWED.map(() => '?').join(', ')}) ORDER BY "id"`
const MEMBER = `SELECT "id" FROM "Account" WHERE "kind" = 'member' AND "owner" = ?`

/**
 * Builds the tree of balances after a journal's last known entry. The key alone determines the tree's salts and where
 * balances are cut.
 */
export async function treeOfOwed(rows: ReadRows, key: string, journal: Journal): Promise<OwedTree> {
  const cut = partsCutBy(key)
  const leaves = new Seedbed()
  const owed = new Places()
  for await (const [id, kind, owner] of each(rows(ACCOUNTS, OWED))) {
    const balance = journal.moved(Number(id))
    if (balance <= 0n) continue
    owed.add(Number(id), balance)
    for (const leaf of cut(String(kind), String(owner), balance)) leaves.add(leaf)
  }
  const sums = leaves.grow()
  return {
    sums,
    async partsOf(look, member) {
      const [[id] = []] = await allRows(look(MEMBER, [member]))
      const place = owed.of(Number(id ?? 0))
      if (place === undefined) return undefined
      return cut('member', member, place.balance).map((leaf, part) => partOf(sums, leaf, place.first + part, part))
    },
  }
}

/** Stores where each account's leaves begin, and its balance, in twelve bytes per account. */
class Places {
  #count = 0
  #balances = new BigInt64Array(1_024)
  /**
   * Each account's position among the stored balances, counted from one; zero for an account without a stored balance.
   */
  #nth = new Uint32Array(1_024)

  add(account: number, balance: bigint): void {
    this.#count += 1
    this.#balances = longer(this.#balances, this.#count)
    this.#nth = longer(this.#nth, account)
    this.#balances[this.#count] = balance
    this.#nth[account] = this.#count
  }

  of(account: number): { readonly first: number; readonly balance: bigint } | undefined {
    const nth = this.#nth[account] ?? 0
    return nth === 0 ? undefined : { first: (nth - 1) * PARTS, balance: this.#balances[nth] ?? 0n }
  }
}

function partsCutBy(key: string): (kind: string, owner: string, balance: bigint) => Leaf[] {
  const hashed = keyedHash(Buffer.from(key, 'hex'))
  const secretOf = (use: string, label: string) => hashed(`${use} ${label}`)
  return (kind, owner, balance) => {
    const cut = secretOf('cut', `${kind} ${owner}`).readBigUInt64BE() % (balance + 1n)
    return [cut, balance - cut].map((amount, part) => {
      const label = labelOf(kind, owner, part)
      return { label, salt: secretOf('salt', label), amount }
    })
  }
}

function partOf(tree: SumTree, leaf: Leaf, place: number, part: number): BalanceProof['parts'][number] {
  return {
    part,
    amountMsats: leaf.amount.toString(),
    salt: Buffer.from(leaf.salt).toString('hex'),
    path: tree.pathOf(place).map(({ side, hash, sum }) => ({
      ...{ side, hash: hash.toString('hex'), sumMsats: sum.toString() },
    })),
  }
}
