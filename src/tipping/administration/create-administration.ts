import { adjustBooks } from '../adjustments/adjust-books.ts'
import { decidePayment, MAX_DECISION_REASON } from '../adjustments/decide-payment.ts'
import { cancelProposal, listProposals } from '../adjustments/proposals.ts'
import { listUnknown } from '../adjustments/unknown-payments.ts'
import type { Audit } from '../audit/audit.ts'
import { type Auditing, auditBooks } from '../audit/audit-books.ts'
import { proveBalance, takeSnapshot } from '../audit/snapshots.ts'
import { type Book, type CoreContext, now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { type NewAlert, person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { TippingAdministration } from './administration.ts'
import { createMovement } from './movement.ts'
import { createOperatorPasskeys } from './operator-passkeys.ts'
import { createOperatorSignIns } from './operator-sign-ins.ts'
import { viewForOperators } from './operators-view.ts'
import { overviewOfPools } from './pools-overview.ts'
import { viewStatus } from './view-status.ts'

/** Creates the operators' actions, which include audits of the books. */
export function createAdministration(context: TippingContext, auditing: Auditing): TippingAdministration {
  return {
    status: () => viewStatus(context),
    whyNotReady: () => whyNotReady(context),
    believesClock: () => context.clockWatch.isSteady(),
    node: async () => (await context.providerNode()).state,
    overview: () => viewForOperators(context),
    pools: (limit) => overviewOfPools(context, limit),
    movement: createMovement(context),
    signIns: createOperatorSignIns(context),
    passkeys: createOperatorPasskeys(context),
    balanceProof: (member) => proveBalance(context, auditing.prover, member),
    audit: () => auditAndStore(context, auditing, { whole: true }),
    unknown: (limit) => listUnknown(context, limit),
    decide: (command) => decidePayment(context, command),
    book: (command) => adjustBooks(context, command, () => auditAndStore(context, auditing, { whole: false })),
    proposals: (limit) => listProposals(context, limit),
    cancel: (command) => cancelProposal(context, command),
    async pause({ operator, reason }) {
      const said = reason.trim()
      if (said.length > MAX_DECISION_REASON)
        throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_DECISION_REASON })
      await context.outgoingSwitch.pause(context, 'operator', said)
      await tell(context, 'paused', `${person(operator)} paused outgoing payments: ${said}`)
    },
    async resume({ operator }) {
      const inForce = await context.outgoingSwitch.inForce(context)
      const ended = await context.outgoingSwitch.resume(context, 'operator', inForce)
      if (ended) await tell(context, 'resumed', `${person(operator)} ended the operators' pause`)
      return context.outgoingSwitch.paused
    },
    async tellOfNode(text, isGood = false) {
      const about = context.entropy.uuid()
      await context.commit({
        write: (tx) => raiseAlert(context, tx, { kind: isGood ? 'node-back' : 'node', about, text }),
      })
    },
    tellOfOperator: ({ operator, did }) => tell(context, 'console', `${person(operator)} ${did}`),
    async untoldAlerts(limit) {
      // One of the book's bots alerts operators.
      if (!context.ownership.alone && !context.ownership.has('upkeep')) return []
      const alerts = await context.database.read.alert.findMany({
        where: { toldAt: null },
        orderBy: { id: 'asc' },
        take: limit,
      })
      return alerts.map(({ id, kind, text, at }) => ({ id, kind, text, at }))
    },
    async alertTold(id) {
      await context.commit({
        write: (tx) => tx.alert.updateMany({ where: { id, toldAt: null }, data: { toldAt: now(context) } }),
      })
    },
  }
}

async function whyNotReady({ database, ownership, activity }: CoreContext): Promise<string | undefined> {
  if (activity.closed) return 'This instance is about to stop. Send the request to another instance.'
  if (!ownership.isLive()) {
    return 'This instance has lost touch with its book. It continues when the database answers again.'
  }
  return await database.read.bookTime.findFirst().then(
    () => undefined,
    () => 'The database does not answer. Check the disk and the log.',
  )
}

/** Audits the books, and stores the findings with the root of the tree of balances. */
export async function auditAndStore(
  context: TippingContext,
  auditing: Auditing,
  how: { readonly whole: boolean },
): Promise<Audit> {
  const audit = await auditBooks(context, auditing, how)
  if (!context.activity.closed) await takeSnapshot(context, auditing.prover, audit)
  return audit
}

async function tell(context: Book, kind: NewAlert['kind'], text: string): Promise<void> {
  const about = context.entropy.uuid()
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind, about, text }) })
}
