import { z } from 'zod'
import { printableId } from './printable-id.ts'
import { climb } from './sum-tree.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const amount = z.string().regex(/^(?:0|[1-9]\d{0,18})$/)

/**
 * The file that proves to a member that their balance is part of the total liabilities. Only that member may have the
 * file.
 */
export const balanceProofShape = z.object({
  kind: z.literal('satchel-balance'),
  version: z.literal(1),
  member: printableId,
  balanceMsats: amount,
  at: z.iso.datetime(),
  /** The tree's root, as published. */
  root: hash,
  totalMsats: amount,
  leaves: z.int().min(1),
  /** The balance, split into parts so that neighbours in the tree do not see the whole balance. */
  parts: z
    .array(
      z.object({
        part: z.int().min(0),
        amountMsats: amount,
        salt: hash,
        path: z.array(z.object({ side: z.enum(['left', 'right']), hash, sumMsats: amount })).max(64),
      }),
    )
    .min(1),
})

export type BalanceProof = z.infer<typeof balanceProofShape>

/** Returns the label of a leaf of the tree: the balance's owner, and the number of the part. */
export function labelOf(kind: string, owner: string, part: number): string {
  return `satchel balance ${kind} ${owner} ${part}`
}

/**
 * Checks a proof by computing each part's path to the root again. Returns every fault as a sentence; none if the proof
 * is valid.
 */
export function faultsOfBalance(proof: BalanceProof): string[] {
  const faults: string[] = []
  const parts = proof.parts.map((part) => ({
    leaf: {
      label: labelOf('member', proof.member, part.part),
      salt: Buffer.from(part.salt, 'hex'),
      amount: BigInt(part.amountMsats),
    },
    path: part.path.map(({ side, hash, sumMsats }) => ({
      side,
      hash: Buffer.from(hash, 'hex'),
      sum: BigInt(sumMsats),
    })),
  }))
  const sum = parts.reduce((all, { leaf }) => all + leaf.amount, 0n)
  if (sum !== BigInt(proof.balanceMsats)) {
    faults.push(`the parts add up to ${sum} msats, but the proof gives a balance of ${proof.balanceMsats}`)
  }
  if (new Set(proof.parts.map(({ part }) => part)).size < parts.length) faults.push('a part is in the proof twice')
  for (const [i, { leaf, path }] of parts.entries()) {
    try {
      const { root, sum: total } = climb(leaf, path, proof.leaves)
      if (root.toString('hex') !== proof.root) faults.push(`part ${i} leads to another root, ${root.toString('hex')}`)
      if (total !== BigInt(proof.totalMsats)) {
        faults.push(`part ${i} leads to a total of ${total} msats, but the proof says ${proof.totalMsats}`)
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults.push(`part ${i} is impossible: ${error.message}`)
    }
  }
  return faults
}
