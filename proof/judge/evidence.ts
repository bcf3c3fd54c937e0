import type { BookWatch } from './book-watch.ts'
import type { Model } from './model.ts'

/** Msats that were paid to our node but never reached it. */
export interface KeptByNode {
  of(paymentHash: string): bigint
  readonly total: bigint
}

/** A node that keeps nothing of what it receives. */
export const NOTHING_KEPT: KeptByNode = { of: () => 0n, total: 0n }

/** Evidence for the last proof. */
export interface Evidence {
  readonly botBook: BookWatch
  readonly serviceBook: BookWatch
  /** A reader of the Lightning network's own records. */
  readonly lightning: BookWatch
  /** Our node's deductions from received payments, by payment hash and in all. */
  readonly shortfalls: KeptByNode
  readonly model: Model
  /** The bot's project, and one of a stranger who uses the service directly. */
  readonly projects: { readonly bot: { readonly id: string }; readonly stranger: { readonly id: string } }
  /** The service's users, by id. */
  readonly users: readonly string[]
  /** The projects' first funds, in msats, out of the node's balance. */
  readonly funded: { readonly all: bigint; readonly stranger: bigint }
}
