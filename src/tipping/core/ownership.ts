import { type LeaseOptions, Leases } from '../../lib/ownership/leases.ts'
import type { Ownership } from '../../lib/ownership/ownership.ts'
import type { Tx } from './database.ts'

/**
 * A kind of work that only one bot of a book does at a time: polling open records, and maintaining the book (audits,
 * returns, deletions).
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['polls', 'upkeep'] as const

/** The service that decides which of the book's bots owns a record or a job. */
export type TippingOwnership = Ownership<Tx, Job>

export function createTippingOwnership(options: Omit<LeaseOptions<Tx, Job>, 'jobs'>): TippingOwnership {
  return new Leases<Tx, Job>({ ...options, jobs: JOBS })
}
