import { CHART } from '../books.ts'
import type { PaymentsClient } from '../database.ts'
import type { ServiceParts } from '../parts.ts'

export type FiguresParts = Pick<ServiceParts, 'database' | 'payouts' | 'clock'>

/** How the service stands at this moment, from its books. */
export interface Figures {
  readonly payments: ReadonlyArray<{ readonly kind: string; readonly status: string; readonly count: number }>
  readonly unknown: { readonly count: number; readonly oldestMs: number }
  readonly callbacks: { readonly waiting: number; readonly parked: number; readonly oldestMs: number }
  /** Msats by kind of account; wallets apart by whose they are. */
  readonly accounts: ReadonlyMap<string, bigint>
}

/** Reads how the service stands. A look at every account and payment: not for every request. */
export async function readFigures({ database: { read }, payouts, clock }: FiguresParts): Promise<Figures> {
  const waiting = { deliveredAt: null, parkedAt: null }
  const [payments, settled, unknown, callbacks, parked, accounts] = await Promise.all([
    read.payment.groupBy({ by: ['kind', 'status'], _count: true }),
    read.gamertagPayment.count(),
    payouts.unresolved(),
    read.callback.aggregate({ where: waiting, _count: true, _min: { createdAt: true } }),
    read.callback.count({ where: { parkedAt: { not: null } } }),
    readAccounts(read),
  ])
  const oldest = callbacks._min.createdAt?.getTime()
  return {
    payments: [
      ...payments.map(({ kind, status, _count }) => ({ kind, status, count: _count })),
      // A payment to a gamertag is recorded when it has settled, or not at all.
      { kind: 'gamertag', status: 'completed', count: settled },
    ],
    unknown,
    callbacks: {
      waiting: callbacks._count,
      parked,
      oldestMs: oldest === undefined ? 0 : Math.max(clock.now() - oldest, 0),
    },
    accounts,
  }
}

/**
 * Users have by far the most accounts: what is theirs is what all accounts hold together, which one pass over the rows
 * tells, less what the others hold, which an index finds.
 */
async function readAccounts(read: PaymentsClient): Promise<Map<string, bigint>> {
  const _sum = { balance: true } as const
  const others = Object.keys(CHART).filter((kind) => kind !== 'wallet')
  const projects = { kind: 'wallet', owner: { gte: 'project:', lt: 'project;' } }
  const [all, byKind, ofProjects] = await Promise.all([
    read.account.aggregate({ _sum }),
    read.account.groupBy({ by: ['kind'], where: { kind: { in: others } }, _sum }),
    read.account.aggregate({ where: projects, _sum }),
  ])
  const totals = new Map(byKind.map((row) => [row.kind, row._sum.balance ?? 0n]))
  totals.set('project_wallet', ofProjects._sum.balance ?? 0n)
  const known = [...totals.values()].reduce((sum, total) => sum + total, 0n)
  return totals.set('user_wallet', (all._sum.balance ?? 0n) - known)
}
