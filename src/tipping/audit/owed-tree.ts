import type { Journal } from '../../ledger/ledger.ts'
import { allRows, each, type ReadRows } from '../../lib/database/engine/reader.ts'
import { type BalanceProof, labelOf } from '../../lib/proofs/balance-proof.ts'
import { keyedHash } from '../../lib/proofs/keyed-hash.ts'
import { type Leaf, Seedbed, type SumTree } from '../../lib/proofs/sum-tree.ts'

/** Kinds of account whose balances are owed to somebody. */
export const OWED = ['member', 'pool', 'held', 'pot', 'suspense'] as const

/** Each balance is cut in so many parts, at random: a neighbour in the tree sees the sum of one, and not whose. */
const PARTS = 2

/** A tree over everything that was owed. */
export interface OwedTree {
  readonly sums: SumTree
  /** A member’s leaves with their ways to the root; undefined where nothing was owed to them. */
  partsOf(rows: ReadRows, member: string): Promise<BalanceProof['parts'] | undefined>
}

const ACCOUNTS = `SELECT "id", "kind", "owner" FROM "Account" WHERE "kind" IN (${OWED.map(() => '?').join(', ')}) ORDER BY "id"`
const MEMBER = `SELECT "id" FROM "Account" WHERE "kind" = 'member' AND "owner" = ?`

/** Makes the tree of what was owed to whom after the last entry that a journal knows. Only the key tells its salts and cuts. */
export async function treeOfOwed(rows: ReadRows, key: string, journal: Journal): Promise<OwedTree> {
  const cut = partsCutBy(key)
  const owed = new Map<number, { readonly first: number; readonly balance: bigint }>()
  const leaves = new Seedbed()
  let first = 0
  for await (const [id, kind, owner] of each(rows(ACCOUNTS, OWED))) {
    const balance = journal.moved(Number(id))
    if (balance <= 0n) continue
    owed.set(Number(id), { first, balance })
    for (const leaf of cut(String(kind), String(owner), balance)) leaves.add(leaf)
    first += PARTS
  }
  const sums = leaves.grow()
  return {
    sums,
    async partsOf(look, member) {
      const [[id] = []] = await allRows(look(MEMBER, [member]))
      const place = owed.get(Number(id))
      if (place === undefined) return undefined
      return cut('member', member, place.balance).map((leaf, part) => partOf(sums, leaf, place.first + part, part))
    },
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
