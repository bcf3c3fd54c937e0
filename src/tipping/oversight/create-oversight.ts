import { now, type TippingContext } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Audit } from '../tipping.ts'
import { raiseAlarm } from './alarms.ts'
import { auditBooks } from './audit-books.ts'
import { book } from './book.ts'
import { decidePayment, MAX_REASON } from './decide-payment.ts'
import type { Oversight } from './oversight.ts'
import { proveBalance, takeSnapshot } from './snapshots.ts'
import { listUnknown } from './unknown-payments.ts'
import { viewStatus } from './view-status.ts'

/** The door to watching over the whole. */
export function createOversight(context: TippingContext): Oversight {
  return {
    status: () => viewStatus(context),
    balanceProof: (member) => proveBalance(context, member),
    audit: () => auditAndKeep(context),
    unknown: (limit) => listUnknown(context, limit),
    decide: (command) => decidePayment(context, command),
    book: (command) => book(context, command, () => auditAndKeep(context)),
    async pause({ operator, reason }) {
      const said = reason.trim()
      if (said.length > MAX_REASON) throw new Refusal('text-too-long', { what: 'reason', most: MAX_REASON })
      await context.exits.pause(context, 'operator', said)
      await tell(context, `operator ${operator} has paused everything that leaves: ${said}`)
    },
    async resume({ operator }) {
      await context.exits.resume(context, 'operator')
      await tell(context, `operator ${operator} has ended the operators' pause`)
      return context.exits.reason
    },
    async untoldAlarms(limit) {
      const alarms = await context.database.read.alarm.findMany({
        where: { toldAt: null },
        orderBy: { id: 'asc' },
        take: limit,
      })
      return alarms.map(({ id, kind, text, at }) => ({ id, kind, text, at }))
    },
    async alarmTold(id) {
      await context.commit({
        write: (tx) => tx.alarm.updateMany({ where: { id, toldAt: null }, data: { toldAt: now(context) } }),
      })
    },
  }
}

/** Audits, and keeps what was found with the root of what was owed. */
export async function auditAndKeep(context: TippingContext): Promise<Audit> {
  const audit = await auditBooks(context)
  if (!context.activity.closed) await takeSnapshot(context, audit)
  return audit
}

async function tell(context: TippingContext, text: string): Promise<void> {
  const about = context.entropy.uuid()
  await context.commit({ write: (tx) => raiseAlarm(context, tx, { kind: 'exits', about, text }) })
}
