import { createHmac } from 'node:crypto'
import { type BalanceProof, labelOf } from '../../lib/proofs/balance-proof.ts'
import { type Leaf, type SumTree, sumTree } from '../../lib/proofs/sum-tree.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Snapshot } from '../generated/client.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { Audit } from './audit.ts'
import { OWED } from './audit-books.ts'

/** Each balance is cut in so many parts, at random: a neighbour in the tree sees the sum of one, and not whose. */
const PARTS = 2

interface Owed {
  readonly kind: string
  readonly owner: string
  readonly balance: bigint
}

/**
 * Keeps what an audit found, with the root of a sum tree over everything that was owed after the journal's last entry.
 * The journal never changes, so the tree itself is not kept: it is made again from the journal and a secret key.
 */
export async function takeSnapshot(context: TippingContext, audit: Audit): Promise<void> {
  const { read } = context.database
  const last = await read.entry.findFirst({ orderBy: { id: 'desc' } })
  const [lastEntry, key] = [last?.id ?? 0, context.entropy.bytes(32).toString('hex')]
  const tree = sumTree(leavesOf(key, await owedAfter(context, lastEntry)))
  const { at, wallet, expected, mayHaveLeft, mayHaveArrived, holds } = audit
  const figures = { at, wallet: wallet ?? null, expected, mayHaveLeft, mayHaveArrived, holds }
  const found = { lastEntry, key, root: tree.root.toString('hex'), total: tree.sum, leaves: tree.leaves }
  await context.commit({
    write: async (tx) => {
      await tx.snapshot.create({ data: { ...figures, ...found } })
    },
  })
}

export async function latestSnapshot({ database }: Pick<TippingContext, 'database'>): Promise<Snapshot | null> {
  return await database.read.snapshot.findFirst({ orderBy: { id: 'desc' } })
}

/** The proof that a member's balance was part of the total. Throws TippingRefusal `balance-not-proven`. */
export async function proveBalance(context: TippingContext, member: string): Promise<BalanceProof> {
  const snapshot = await latestSnapshot(context)
  if (snapshot === null) throw new TippingRefusal('balance-not-proven', {})
  const leaves = leavesOf(snapshot.key, await owedAfter(context, snapshot.lastEntry))
  const own = Array.from({ length: PARTS }, (_, part) => labelOf('member', member, part))
  const places = own.map((label) => leaves.findIndex((leaf) => leaf.label === label))
  if (places.includes(-1)) throw new TippingRefusal('balance-not-proven', {})
  const tree = sumTree(leaves)
  const parts = places.map((place, part) => partOf(tree, leaves, place, part))
  return {
    kind: 'satchel-balance',
    version: 1,
    member,
    balanceMsats: parts.reduce((sum, { amountMsats }) => sum + BigInt(amountMsats), 0n).toString(),
    at: snapshot.at.toISOString(),
    root: snapshot.root,
    totalMsats: snapshot.total.toString(),
    leaves: snapshot.leaves,
    parts,
  }
}

function partOf(tree: SumTree, leaves: readonly Leaf[], place: number, part: number): BalanceProof['parts'][number] {
  const leaf = leaves[place]
  if (leaf === undefined) throw new RangeError(`there is no leaf ${place}`)
  return {
    part,
    amountMsats: leaf.amount.toString(),
    salt: Buffer.from(leaf.salt).toString('hex'),
    path: tree.pathOf(place).map(({ side, hash, sum }) => ({
      side,
      hash: hash.toString('hex'),
      sumMsats: sum.toString(),
    })),
  }
}

/** What was owed to whom when the journal ended with this entry. */
async function owedAfter({ database }: TippingContext, lastEntry: number): Promise<Owed[]> {
  const rows = await database.read.$queryRaw<Owed[]>`
    SELECT a."kind", a."owner", COALESCE(i."amount", 0) - COALESCE(o."amount", 0) AS "balance" FROM "Account" AS a
    LEFT JOIN (SELECT "toId" AS "id", SUM("amount") AS "amount" FROM "Move" WHERE "entryId" <= ${lastEntry} GROUP BY "toId") AS i ON i."id" = a."id"
    LEFT JOIN (SELECT "fromId" AS "id", SUM("amount") AS "amount" FROM "Move" WHERE "entryId" <= ${lastEntry} GROUP BY "fromId") AS o ON o."id" = a."id"
    ORDER BY a."id"`
  const owed: readonly string[] = OWED
  return rows
    .filter(({ kind }) => owed.includes(kind))
    .map(({ kind, owner, balance }) => ({ kind, owner, balance: BigInt(balance) }))
    .filter(({ balance }) => balance > 0n)
}

/** The leaves, whose salts and cuts only the key tells. */
function leavesOf(key: string, owed: readonly Owed[]): Leaf[] {
  const secret = Buffer.from(key, 'hex')
  const secretOf = (use: string, label: string) => createHmac('sha256', secret).update(`${use} ${label}`).digest()
  return owed.flatMap(({ kind, owner, balance }) => {
    const cut = secretOf('cut', `${kind} ${owner}`).readBigUInt64BE() % (balance + 1n)
    return [cut, balance - cut].map((amount, part) => {
      const label = labelOf(kind, owner, part)
      return { label, salt: secretOf('salt', label), amount }
    })
  })
}
