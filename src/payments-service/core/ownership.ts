import { type LeaseOptions, Leases } from '../../lib/ownership/leases.ts'
import type { Ownership } from '../../lib/ownership/ownership.ts'
import type { Tx } from './database.ts'

/**
 * A job that only one service of a book does at a time: crediting settlements, closing invoices, expiring withdrawal
 * requests and vouchers, deleting old records, publishing zap receipts, reporting what operators gave from the suspense
 * account, and recording prices.
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['settlements', 'invoices', 'expiry', 'forgetting', 'zaps', 'telling', 'prices'] as const

/** The part that decides which of the book's services owns a record or a job. */
export type ServiceOwnership = Ownership<Tx, Job>

export function createServiceOwnership(options: Omit<LeaseOptions<Tx, Job>, 'jobs'>): ServiceOwnership {
  return new Leases<Tx, Job>({ ...options, jobs: JOBS })
}
