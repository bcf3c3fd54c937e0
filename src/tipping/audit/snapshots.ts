import type { BalanceProof } from '../../lib/proofs/balance-proof.ts'
import type { Book } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Snapshot } from '../generated/client.ts'
import type { Audit } from './audit.ts'
import type { BookProver } from './book-prover.ts'

/**
 * Stores what an audit found, with the root of a sum tree over all liabilities after the last proven entry. The journal
 * never changes, so the tree itself is not stored: the prover keeps the newest tree, and can rebuild any other tree
 * from the journal and that tree's secret key.
 */
export async function takeSnapshot(context: Book, prover: BookProver, audit: Audit): Promise<void> {
  const key = context.entropy.bytes(32).toString('hex')
  const tree = await prover.plant(key)
  const { at, wallet, expected, mayHaveLeft, mayHaveArrived, holds } = audit
  const figures = { at, wallet: wallet ?? null, expected, mayHaveLeft, mayHaveArrived, holds }
  await context.commit({
    write: async (tx) => {
      await tx.snapshot.create({ data: { ...figures, ...tree, key } })
    },
  })
}

export async function latestSnapshot({ database }: Pick<TippingContext, 'database'>): Promise<Snapshot | null> {
  return await database.read.snapshot.findFirst({ orderBy: { id: 'desc' } })
}

/** Returns the proof that a member's balance was part of the total. Throws TippingRefusal `balance-not-proven`. */
export async function proveBalance(
  context: Pick<TippingContext, 'database'>,
  prover: BookProver,
  member: string,
): Promise<BalanceProof> {
  const snapshot = await latestSnapshot(context)
  const parts = snapshot === null ? undefined : await prover.partsOf(snapshot, member)
  if (snapshot === null || parts === undefined) throw new TippingRefusal('balance-not-proven', {})
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
