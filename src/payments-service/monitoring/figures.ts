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
  const [payments, unknown, callbacks, parked, accounts, userWallets] = await Promise.all([
    read.payment.groupBy({ by: ['kind', 'status'], _count: true }),
    payouts.unresolved(),
    read.callback.aggregate({ where: waiting, _count: true, _min: { createdAt: true } }),
    read.callback.count({ where: { parkedAt: { not: null } } }),
    read.account.groupBy({ by: ['kind'], _sum: { balance: true } }),
    read.account.aggregate({ where: { kind: 'wallet', owner: { startsWith: 'user:' } }, _sum: { balance: true } }),
  ])
  const oldest = callbacks._min.createdAt?.getTime()
  return {
    payments: payments.map(({ kind, status, _count }) => ({ kind, status, count: _count })),
    unknown,
    callbacks: {
      waiting: callbacks._count,
      parked,
      oldestMs: oldest === undefined ? 0 : Math.max(clock.now() - oldest, 0),
    },
    accounts: byKind(accounts, userWallets._sum.balance ?? 0n),
  }
}

function byKind(
  accounts: ReadonlyArray<{ readonly kind: string; readonly _sum: { readonly balance: bigint | null } }>,
  users: bigint,
): Map<string, bigint> {
  const totals = new Map(accounts.map(({ kind, _sum }) => [kind, _sum.balance ?? 0n]))
  const wallets = totals.get('wallet') ?? 0n
  totals.delete('wallet')
  return totals.set('user_wallet', users).set('project_wallet', wallets - users)
}
