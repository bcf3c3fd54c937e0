import type { BookWatch } from './book-watch.ts'
import type { Model } from './model.ts'

/** Msats that were paid to our node, and that it has never had. */
export interface KeptByNode {
  of(paymentHash: string): bigint
  readonly total: bigint
}

/** A node that keeps nothing of what it receives. */
export const NOTHING_KEPT: KeptByNode = { of: () => 0n, total: 0n }

/** What the last proof needs to see. */
export interface Evidence {
  readonly botBook: BookWatch
  readonly serviceBook: BookWatch
  /** The Lightning network's own memory, read from outside. */
  readonly lightning: BookWatch
  /** What our node kept for itself of what it received, by payment hash and in all. */
  readonly shortfalls: KeptByNode
  readonly model: Model
  /** The bot's project, and one of a stranger who uses the service directly. */
  readonly projects: { readonly bot: { readonly id: string }; readonly stranger: { readonly id: string } }
  /** Users of the service, by id. */
  readonly users: readonly string[]
  /** What the projects were given at the start, in msats, out of what the node held. */
  readonly funded: { readonly all: bigint; readonly stranger: bigint }
}
