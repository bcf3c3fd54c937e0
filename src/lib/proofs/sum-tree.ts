import { hash } from 'node:crypto'
import { longer } from '../longer.ts'
import { MAX_MSATS } from '../money/amount.ts'

/**
 * A Merkle sum tree (docs/VERIFY.md explains it): the root commits to many amounts and to their sum, and a short path
 * shows that one amount is part of this sum. The tree avoids the known mistakes of such trees: it hashes both
 * children's sums and not only their total, hashes leaves, nodes and the root differently, permits no amount that is
 * negative or more than all bitcoin, and duplicates no leaf to complete a level.
 */

/** An amount and its label. The salt is secret, so a leaf's hash reveals nothing to others. */
export interface Leaf {
  readonly label: string
  /** A secret value of 32 bytes. */
  readonly salt: Uint8Array
  /** The amount in msats. */
  readonly amount: bigint
}

export interface Node {
  /** The node's hash, 32 bytes. */
  readonly hash: Buffer
  /** The sum of all leaves below, in msats. */
  readonly sum: bigint
}

/** A neighbour on the path from a leaf to the top. */
export interface Step extends Node {
  readonly side: 'left' | 'right'
}

export interface SumTree {
  /** The root's hash, 32 bytes, which commits to the top node, to the sum and to the number of leaves. */
  readonly root: Buffer
  readonly sum: bigint
  readonly leaves: number
  /** Returns the neighbours on a leaf's path, from the bottom up. `index` is the leaf's index in the tree's input. */
  pathOf(index: number): Step[]
}

const LEAF = 0
const INNER = 1
const ROOT = 2
const HASH_BYTES = 32
const EMPTY: Node = { hash: Buffer.alloc(HASH_BYTES), sum: 0n }

/** Builds a tree of these leaves. */
export function sumTree(leaves: Iterable<Leaf>): SumTree {
  const seedbed = new Seedbed()
  for (const leaf of leaves) seedbed.add(leaf)
  return seedbed.grow()
}

/** The builder of a tree, which receives the leaves one by one and stores only each leaf's node. */
export class Seedbed {
  #given = new Level()

  add(leaf: Leaf): void {
    this.#given.add(leafNode(leaf))
  }

  /**
   * Returns the tree, and empties the seedbed. The tree's leaves are sorted by their hashes, so that their order
   * reveals nothing about their owners.
   */
  grow(): SumTree {
    const order = this.#given.order()
    let level = this.#given.inOrder(order)
    this.#given = new Level()
    const levels = [level]
    while (level.length > 1) {
      level = parents(level)
      levels.push(level)
    }
    const top = level.at(0) ?? EMPTY
    const places = new Uint32Array(order.length)
    for (const [place, index] of order.entries()) places[index] = place
    return {
      root: rootOf(top, places.length),
      sum: top.sum,
      leaves: places.length,
      pathOf(index) {
        const place = places[index]
        if (place === undefined) throw new RangeError(`the tree has no leaf ${index}`)
        return pathFrom(levels, place)
      },
    }
  }
}

/**
 * The nodes of one level, stored side by side in forty bytes each. As objects, a million nodes would take half a
 * gigabyte.
 */
class Level {
  length = 0
  #hashes: Buffer
  #sums: BigInt64Array

  /** Starts with room for this many nodes. */
  constructor(room = 64) {
    this.#hashes = Buffer.alloc(room * HASH_BYTES)
    this.#sums = new BigInt64Array(room)
  }

  add({ hash, sum }: Node): void {
    if (this.length === this.#sums.length) this.#grow()
    hash.copy(this.#hashes, this.length * HASH_BYTES)
    this.#sums[this.length] = sum
    this.length += 1
  }

  at(index: number): Node | undefined {
    if (index >= this.length) return undefined
    return { hash: this.#hash(index), sum: this.#sums[index] ?? 0n }
  }

  /** Returns the nodes' indices, sorted by their hashes. */
  order(): Uint32Array {
    // The first six bytes are compared as a number. The other bytes decide only between equal numbers.
    const heads = Float64Array.from({ length: this.length }, (_, index) =>
      this.#hashes.readUIntBE(index * HASH_BYTES, 6),
    )
    const byHash = (one: number, other: number) =>
      (heads[one] ?? 0) - (heads[other] ?? 0) || this.#hash(one).compare(this.#hash(other)) || one - other
    return Uint32Array.from({ length: this.length }, (_, index) => index).sort(byHash)
  }

  inOrder(order: Uint32Array): Level {
    const sorted = new Level(order.length)
    for (const index of order) sorted.add(this.at(index) ?? EMPTY)
    return sorted
  }

  #hash(index: number): Buffer {
    return this.#hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
  }

  #grow(): void {
    this.#sums = longer(this.#sums, this.length)
    const hashes = Buffer.alloc(this.#sums.length * HASH_BYTES)
    this.#hashes.copy(hashes)
    this.#hashes = hashes
  }
}

function parents(level: Level): Level {
  const above = new Level(Math.ceil(level.length / 2))
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level.at(at), level.at(at + 1)]
    // A node without a neighbour goes up unchanged.
    if (left !== undefined) above.add(right === undefined ? left : innerNode(left, right))
  }
  return above
}

function pathFrom(levels: readonly Level[], place: number): Step[] {
  return levels.flatMap((level, height) => {
    const own = place >> height
    const neighbour = level.at(own ^ 1)
    if (neighbour === undefined) return []
    return [{ side: own % 2 === 0 ? ('right' as const) : ('left' as const), ...neighbour }]
  })
}

/** Returns the root to which a leaf and its path lead, and the sum there. Throws RangeError for an impossible sum. */
export function climb(leaf: Leaf, path: readonly Step[], leaves: number): { root: Buffer; sum: bigint } {
  const top = path.reduce<Node>(
    (own, step) => (step.side === 'left' ? innerNode(step, own) : innerNode(own, step)),
    leafNode(leaf),
  )
  return { root: rootOf(top, leaves), sum: top.sum }
}

function leafNode({ label, salt, amount }: Leaf): Node {
  if (salt.length !== 32) throw new RangeError(`a salt must have 32 bytes, not ${salt.length}`)
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
  return hash('sha256', Buffer.concat([Uint8Array.of(kind), ...parts]), 'buffer')
}

/** Returns an amount as eight bytes, big endian. Throws RangeError for a number that is not an amount. */
function amountBytes(amount: bigint): Buffer {
  if (amount < 0n || amount > MAX_MSATS) throw new RangeError(`${amount} msats is not a possible amount`)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(amount)
  return bytes
}
