import { type LeaseOptions, Leases } from '../../lib/ownership/leases.ts'
import type { Ownership } from '../../lib/ownership/ownership.ts'
import type { Tx } from './database.ts'

/**
 * Work that only one service of a book does at a time: credit settlements, close invoices, expire withdrawal requests
 * and vouchers, delete old records, publish zap receipts, report what was given away, note prices.
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['settlements', 'invoices', 'expiry', 'forgetting', 'zaps', 'telling', 'prices'] as const

/** Decides which of the book's services owns a record or a job. */
export type ServiceOwnership = Ownership<Tx, Job>

export function createServiceOwnership(options: Omit<LeaseOptions<Tx, Job>, 'jobs'>): ServiceOwnership {
  return new Leases<Tx, Job>({ ...options, jobs: JOBS })
}
