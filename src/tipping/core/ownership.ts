import { type LeaseOptions, Leases } from '../../lib/ownership/leases.ts'
import type { Ownership } from '../../lib/ownership/ownership.ts'
import type { Tx } from './database.ts'

/**
 * Work that only one bot of a book does at a time: poll what is open, and look after the book (audits, returns,
 * forgetting).
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['polls', 'upkeep'] as const

/** Whose is what, among the bots that work on the book. */
export type TippingOwnership = Ownership<Tx, Job>

export function createTippingOwnership(options: Omit<LeaseOptions<Tx, Job>, 'jobs'>): TippingOwnership {
  return new Leases<Tx, Job>({ ...options, jobs: JOBS })
}
