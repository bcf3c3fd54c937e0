import { progressOf } from '../../payments-api/payments-api.ts'
import { pool } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { changeOfDisabled, type IncomingKind, readSlots, slotsAround } from '../engine/incoming/read-charge.ts'
import { paceMs } from '../engine/polling/poller.ts'
import type { Fundraiser } from '../generated/client.ts'
import { noteProgress } from './close-fundraiser.ts'

/** The most payments beyond the slots. A few can come from a race at the provider, but more are a mistake. */
const MAX_EXTRA_PAYMENTS = 10

/** Fundraisers, whose payments fill their servers' pools. */
export const FUNDRAISERS: IncomingKind<Fundraiser> = {
  noun: 'fundraiser',
  find: (read, id) => read.fundraiser.findUnique({ where: { id } }),
  accountOf: ({ guild }) => pool(guild),
  uncertain: async ({ database }) => ({ mayHaveArrived: await unpaidSlots(database.read) }),
  disabledSince: (fundraiser) => fundraiser.disabledSince,
  pauseMs: (context, _, job) => paceMs(job.bornAt, context.clock.now()),

  async read(context, fundraiser, credit) {
    const { amount, slots } = fundraiser
    const about = `a fundraiser of ${slots} times ${amount} msats`
    const fixed = { amount, maxSlots: slots + MAX_EXTRA_PAYMENTS, about }
    const charge = await readSlots(context, fundraiser, fixed, credit)
    if (charge === undefined) return 'refused'
    await noteDisabled(context, fundraiser.id, progressOf(charge.status) === 'disabled')
    return 'credited'
  },

  async note(context, tx, { id }, arrivals) {
    const { before, after } = slotsAround(arrivals)
    await tx.fundraiser.update({ where: { id, credited: before }, data: { credited: after } })
    await noteProgress(context, tx, id)
  },
}

/**
 * Notes whether a fundraiser's charge is disabled. If the fundraiser has ended, disables its charge, because somebody
 * may still have the code. If the provider cannot disable charges, nothing is lost.
 */
async function noteDisabled(context: CoreContext, id: string, disabled: boolean): Promise<void> {
  const fundraiser = await context.database.read.fundraiser.findUniqueOrThrow({ where: { id } })
  const data = changeOfDisabled(fundraiser, disabled, now(context))
  if (data) await context.commit({ write: (tx) => tx.fundraiser.updateMany({ where: { id }, data }) })
  if (fundraiser.state === 'open' || disabled || fundraiser.chargeId === null) return
  await context.payments.updateStaticCharge({ id: fundraiser.chargeId, allowedSlots: 0 })
}

/** Returns the sum, in msats, that may have arrived for pools without having been seen yet. */
async function unpaidSlots(read: Pick<Tx, 'fundraiser'>): Promise<bigint> {
  const open = await read.fundraiser.findMany({
    where: { state: { not: 'failed' }, disabled: false },
    select: { amount: true, slots: true, credited: true },
  })
  return open.reduce((sum, { amount, slots, credited }) => sum + amount * BigInt(Math.max(slots - credited, 0)), 0n)
}
