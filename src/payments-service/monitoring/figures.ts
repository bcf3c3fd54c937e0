import { CHART } from '../core/chart-of-accounts.ts'
import type { PaymentsClient, PaymentsDatabase } from '../core/database.ts'
import type { NodeView } from '../engine/node/node-watch.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** The kinds of accounts that are not wallets. */
const OTHER_KINDS = Object.keys(CHART).filter((kind) => kind !== 'wallet')

export type FiguresParts = Pick<ServiceParts, 'database' | 'sender' | 'clock' | 'bookClock' | 'nodeWatch'>

/** The service's present state, from its books. */
export interface Figures {
  readonly payments: ReadonlyArray<{ readonly kind: string; readonly status: string; readonly count: number }>
  readonly unknown: { readonly count: number; readonly oldestMs: number }
  readonly callbacks: { readonly waiting: number; readonly deadLettered: number; readonly oldestMs: number }
  readonly node: NodeView
  /** Whether the machine's clock is trusted. */
  readonly clockBelieved: boolean
  /** The routing fees in msats, by kind: charged, absorbed, untold. */
  readonly routingFees: ReadonlyArray<{ readonly kind: string; readonly total: bigint }>
  /** The sum of all accounts of a kind, in msats. Wallets are separated by kind of owner. */
  readonly accounts: ReadonlyMap<string, bigint>
}

/** Reads the service's state. The cost grows with the number of open records, never with the length of the history. */
export async function readFigures({ database, sender, clock, bookClock, nodeWatch }: FiguresParts): Promise<Figures> {
  const { read } = database
  const waiting = { deliveredAt: null, deadLetteredAt: null }
  const [payments, settled, unknown, callbacks, deadLettered, accounts, node, routingFees] = await Promise.all([
    read.paymentTotal.findMany({ where: { count: { gt: 0 } } }),
    countGamertagPayments(database),
    sender.unresolved(),
    read.callback.aggregate({ where: waiting, _count: true, _min: { createdAt: true } }),
    // This range includes every time, and lets an index find the rows.
    read.callback.count({ where: { deliveredAt: null, deadLetteredAt: { gt: new Date(0) } } }),
    readAccounts(read),
    nodeWatch.look(),
    read.routingFee.findMany(),
  ])
  const oldest = callbacks._min.createdAt?.getTime()
  return {
    // A payment to a gamertag is recorded only after it has settled.
    payments: [...payments, { kind: 'gamertag', status: 'completed', count: settled }],
    unknown,
    callbacks: {
      waiting: callbacks._count,
      deadLettered,
      oldestMs: oldest === undefined ? 0 : Math.max(clock.now() - oldest, 0),
    },
    accounts,
    node,
    clockBelieved: bookClock.isSteady(),
    routingFees,
  }
}

/** Counts the rows that were ever added for gamertag payments: no such row is ever deleted. */
async function countGamertagPayments({ read, rows }: PaymentsDatabase): Promise<number> {
  const [row] = await read.$queryRaw<{ count: bigint | null }[]>(rows.everIn('GamertagPayment'))
  return Number(row?.count ?? 0)
}

/**
 * Reads the totals of all kinds of accounts. The ledger sums to zero, so the users' total is minus the sum of all other
 * accounts, and the users need not be added up.
 */
async function readAccounts(read: PaymentsClient): Promise<Map<string, bigint>> {
  const projects = { kind: 'wallet', owner: { gte: 'project:', lt: 'project;' } }
  const [holding, ofProjects] = await Promise.all([
    // Uses the text of the index "Account_holding", which a query with parameters would not match.
    read.$queryRaw<{ kind: string; total: bigint }[]>`
      SELECT "kind", CAST(sum("balance") AS BIGINT) AS "total" FROM "Account" WHERE "kind" <> 'wallet' AND "balance" <> 0 GROUP BY "kind"`,
    read.account.aggregate({ where: projects, _sum: { balance: true } }),
  ])
  const totals = new Map(OTHER_KINDS.map((kind) => [kind, 0n]))
  for (const { kind, total } of holding) totals.set(kind, total)
  totals.set('project_wallet', ofProjects._sum.balance ?? 0n)
  const known = [...totals.values()].reduce((sum, total) => sum + total, 0n)
  return totals.set('user_wallet', -known)
}
