import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import { type LastLease, Leases, type LeaseTable, type LeaseTimes } from '../../lib/leases.ts'
import type { Logger } from '../../lib/logger.ts'
import type { TippingDatabase, Tx } from './database.ts'

/**
 * Work that only one bot of a book does at a time: poll what is open, and look after the book (audits, returns,
 * forgetting).
 */
export type Job = (typeof JOBS)[number]
const JOBS = ['polls', 'upkeep'] as const

/** A bot's place among those that work on its book. */
export type TippingLeases = Leases<Tx, Job>

export interface LeaseParts {
  readonly database: TippingDatabase
  readonly commit: Ledger<Tx>['commit']
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

export interface LeaseSettings {
  /** No other bot works on the book. */
  readonly alone: boolean
  readonly times?: LeaseTimes | undefined
  readonly last?: LastLease | undefined
}

export function createTippingLeases(parts: LeaseParts, { alone, times, last }: LeaseSettings): TippingLeases {
  const { database, commit, clock, entropy, logger } = parts
  const tableOf = (client: Pick<Tx, 'lease'>): LeaseTable => client.lease
  return new Leases<Tx, Job>({
    store: {
      tableOf,
      read: () => tableOf(database.read).findMany({}),
      write: (run) => commit({ write: run }),
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

/** In a transaction or a read: what selects the rows that no living bot has. */
export async function ofNobodyLiving(
  leases: TippingLeases,
  tx: Tx,
): Promise<{ OR: [{ process: null }, { process: { notIn: string[] } }] }> {
  return { OR: [{ process: null }, { process: { notIn: await leases.livingIn(tx) } }] }
}
