import { type LeaseOptions, Leases } from '../../lib/ownership/leases.ts'
import type { Ownership } from '../../lib/ownership/ownership.ts'
import type { Tx } from './database.ts'

/**
 * Work that only one service of a book does at a time: credit settlements, close invoices, expire withdrawal requests
 * and vouchers, forget, publish zap receipts, tell what was given away, note prices.
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['settlements', 'invoices', 'expiry', 'forgetting', 'zaps', 'telling', 'prices'] as const

/** Whose is what, among the services that work on the book. */
export type ServiceOwnership = Ownership<Tx, Job>

export function createServiceOwnership(options: Omit<LeaseOptions<Tx, Job>, 'jobs'>): ServiceOwnership {
  return new Leases<Tx, Job>({ ...options, jobs: JOBS })
}
