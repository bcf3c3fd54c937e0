import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { AdministrationRefusal } from './administration-refusal.ts'
import type { CallbackLine } from './lines.ts'

interface CallbackParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
}

/** The maximum number of lines in one page of a list. */
const PAGE = 1_000

/** Creates the operators' actions on callbacks that have not been delivered. */
export function callbacks({ database, ledger, clock }: CallbackParts) {
  return {
    listCallbacks: async (): Promise<CallbackLine[]> => {
      const where = { deliveredAt: null }
      const rows = await database.read.callback.findMany({ where, orderBy: { id: 'asc' }, take: PAGE })
      return rows.map((row) => ({
        messageId: row.messageId,
        projectId: row.projectId,
        resource: row.resource,
        receiver: row.receiver,
        state: row.deadLetteredAt === null ? ('waiting' as const) : ('dead-lettered' as const),
        attempts: row.attempts,
        createdAt: row.createdAt.toISOString(),
        nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
        lastError: row.lastError,
      }))
    },
    redeliverCallbacks: async (messageId?: string) => {
      const where = { deliveredAt: null, deadLetteredAt: { not: null }, ...(messageId !== undefined && { messageId }) }
      const data = { deadLetteredAt: null, attempts: 0, nextAttemptAt: new Date(clock.now()) }
      const { count } = await ledger.commit({ write: (tx) => tx.callback.updateMany({ where, data }) })
      if (count === 0 && messageId !== undefined) {
        throw new AdministrationRefusal(
          `There is no dead-lettered callback ${messageId}. "callbacks list" shows all of them.`,
        )
      }
      return { redelivered: count }
    },
  }
}
