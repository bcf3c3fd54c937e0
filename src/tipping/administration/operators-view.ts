import { msats } from '../../lib/money/amount.ts'
import { listUnknown } from '../adjustments/unknown-payments.ts'
import { OPERATOR, SUSPENSE } from '../core/chart-of-accounts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { OperatorsView } from './administration.ts'
import { viewStatus } from './view-status.ts'

const AUDITS = 60
const ALERTS = 20
const UNKNOWN = 20

/** Returns the operators' overview of the bot. The cost of reading it does not grow with the books. */
export async function viewForOperators(context: TippingContext): Promise<OperatorsView> {
  const { read } = context.database
  const latest = { orderBy: { id: 'desc' } } as const
  const [status, node, unknown, suspense, operator, ending, snapshots, alerts] = await Promise.all([
    viewStatus(context),
    context.providerNode(),
    listUnknown(context, UNKNOWN),
    context.ledger.balance(SUSPENSE),
    context.ledger.balance(OPERATOR),
    read.windDown.findFirst({ where: { place: 1 } }),
    read.snapshot.findMany({ ...latest, take: AUDITS }),
    read.alert.findMany({ ...latest, take: ALERTS }),
  ])
  return {
    status,
    ending:
      ending === null
        ? undefined
        : { proposed: ending.state === 'proposed', by: ending.by, dueAt: ending.dueAt ?? undefined },
    pauses: context.outgoingSwitch.all,
    node: node.state,
    unknown: unknown.filter(({ decided }) => decided === undefined),
    suspense: msats(suspense),
    operator: msats(operator),
    audits: snapshots.map(({ at, holds, wallet }) => ({ at, holds, complete: wallet !== null })),
    alerts: alerts.map(({ id, kind, text, at, toldAt }) => ({ id, kind, text, at, told: toldAt !== null })),
  }
}
