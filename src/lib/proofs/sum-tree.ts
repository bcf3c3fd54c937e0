import { createHash } from 'node:crypto'
import { MAX_MSATS } from '../money/amount.ts'

/**
 * A Merkle sum tree (docs/VERIFY.md has it in words): its root commits to many amounts and to their sum, and a short
 * path shows that one amount is part of it. What is known to go wrong with such trees is guarded against here: both
 * children's sums are hashed and not only their total; leaves, nodes and the root are hashed apart; nothing is
 * negative or beyond what can exist; no leaf is ever doubled to even out a level.
 */

/** An amount with what it stands for. The salt is secret, so that a leaf's hash tells nothing to others. */
export interface Leaf {
  readonly label: string
  /** 32 bytes. */
  readonly salt: Uint8Array
  /** Msats. */
  readonly amount: bigint
}

export interface Node {
  /** 32 bytes. */
  readonly hash: Buffer
  /** Msats. */
  readonly sum: bigint
}

/** A neighbour on the way from a leaf to the top. */
export interface Step extends Node {
  readonly side: 'left' | 'right'
}

export interface SumTree {
  /** 32 bytes: commits to the top, to the sum and to how many leaves there are. */
  readonly root: Buffer
  readonly sum: bigint
  readonly leaves: number
  /** The neighbours of a leaf, from the bottom up. `index` as in the leaves that the tree was made of. */
  pathOf(index: number): Step[]
}

const LEAF = 0
const INNER = 1
const ROOT = 2
const EMPTY: Node = { hash: Buffer.alloc(32), sum: 0n }

/** Builds the tree. Its leaves stand in the order of their hashes, which tells nothing about whose they are. */
export function sumTree(leaves: readonly Leaf[]): SumTree {
  const nodes = leaves.map((leaf, index) => ({ index, ...leafNode(leaf) }))
  nodes.sort((one, other) => one.hash.compare(other.hash))
  const places = new Map(nodes.map(({ index }, place) => [index, place]))
  const levels: (readonly Node[])[] = [nodes]
  for (let level: readonly Node[] = nodes; level.length > 1; ) {
    level = parents(level)
    levels.push(level)
  }
  const top = levels.at(-1)?.[0] ?? EMPTY
  return {
    root: rootOf(top, leaves.length),
    sum: top.sum,
    leaves: leaves.length,
    pathOf(index) {
      const place = places.get(index)
      if (place === undefined) throw new RangeError(`the tree has no leaf ${index}`)
      return pathFrom(levels, place)
    },
  }
}

function parents(level: readonly Node[]): Node[] {
  const above: Node[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    // One without a neighbour goes up as it is.
    if (left !== undefined) above.push(right === undefined ? left : innerNode(left, right))
  }
  return above
}

function pathFrom(levels: readonly (readonly Node[])[], place: number): Step[] {
  return levels.flatMap((level, height) => {
    const own = place >> height
    const neighbour = level[own ^ 1]
    if (neighbour === undefined) return []
    return [{ side: own % 2 === 0 ? ('right' as const) : ('left' as const), hash: neighbour.hash, sum: neighbour.sum }]
  })
}

/** The root that a leaf and its path lead to. Throws RangeError when a sum is impossible. */
export function climb(leaf: Leaf, path: readonly Step[], leaves: number): { root: Buffer; sum: bigint } {
  const top = path.reduce<Node>(
    (own, step) => (step.side === 'left' ? innerNode(step, own) : innerNode(own, step)),
    leafNode(leaf),
  )
  return { root: rootOf(top, leaves), sum: top.sum }
}

function leafNode({ label, salt, amount }: Leaf): Node {
  if (salt.length !== 32) throw new RangeError(`a salt has 32 bytes, not ${salt.length}`)
  return { hash: digest(LEAF, amountBytes(amount), salt, Buffer.from(label)), sum: amount }
}

function innerNode(left: Node, right: Node): Node {
  const hash = digest(INNER, amountBytes(left.sum), left.hash, amountBytes(right.sum), right.hash)
  const sum = left.sum + right.sum
  amountBytes(sum)
  return { hash, sum }
}

function rootOf(top: Node, leaves: number): Buffer {
  return digest(ROOT, amountBytes(BigInt(leaves)), amountBytes(top.sum), top.hash)
}

function digest(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Uint8Array.of(kind))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Eight bytes, big endian. Throws RangeError for what no amount can be. */
function amountBytes(amount: bigint): Buffer {
  if (amount < 0n || amount > MAX_MSATS) throw new RangeError(`${amount} msats cannot be`)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(amount)
  return bytes
}
