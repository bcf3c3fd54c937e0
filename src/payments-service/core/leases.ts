import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import { type LastLease, Leases, type LeaseTable, type LeaseTimes } from '../../lib/leases.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PaymentsDatabase, Tx } from './database.ts'

/**
 * Work that only one service of a book does at a time: credit settlements, close invoices, expire withdrawal requests
 * and vouchers, forget, publish zap receipts, tell what was given away, note prices.
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['settlements', 'invoices', 'expiry', 'forgetting', 'zaps', 'telling', 'prices'] as const

/** A service's place among those that work on its book. */
export type ServiceLeases = Leases<Tx, Job>

export interface LeaseParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

export interface LeaseSettings {
  /** No other service works on the book. */
  readonly alone: boolean
  readonly times?: LeaseTimes | undefined
  readonly last?: LastLease | undefined
}

export function createServiceLeases(
  { database, ledger, clock, entropy, logger }: LeaseParts,
  { alone, times, last }: LeaseSettings,
): ServiceLeases {
  const tableOf = (client: Pick<Tx, 'lease'>): LeaseTable => client.lease
  return new Leases<Tx, Job>({
    store: {
      tableOf,
      read: () => tableOf(database.read).findMany({}),
      write: (run) => ledger.commit({ write: run }),
    },
    jobs: JOBS,
    alone,
    clock,
    entropy,
    logger,
    ...(times !== undefined && { times }),
    ...(last !== undefined && { last }),
  })
}
