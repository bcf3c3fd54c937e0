import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import { pool, WALLET } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import type { Fundraiser, PollJob } from '../generated/client.ts'
import { raiseAlert } from '../machines/alerts/alerts.ts'
import { isPresent, tellIfNotKnown, tellOfProviderLeft } from '../machines/alerts/present-provider.ts'
import { afterError } from '../machines/polling/is-answer.ts'
import { END, inMs, type Next, paceMs } from '../machines/polling/poller.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { noteProgress } from './close-fundraiser.ts'

/** Payments beyond the slots are a race at the provider's; more than these are a mistake. */
const MAX_EXTRA_PAYMENTS = 10
/** Entries in one commit. */
const BATCH_SIZE = 200

/**
 * Reads a fundraiser's charge by the id that was stored when it was created, and credits each slot that is new to the
 * pool. It goes on being read, ever more slowly: what is paid late is credited all the same.
 */
export async function pollFundraiser(context: TippingContext, job: PollJob): Promise<Next> {
  const fundraiser = await context.database.read.fundraiser.findUnique({ where: { id: job.id } })
  if (fundraiser?.chargeId == null) return END
  const again = inMs(paceMs(job.bornAt, context.clock.now()))
  if (!isPresent(context, fundraiser.provider)) {
    await tellOfProviderLeft(context, fundraiser.provider)
    return again
  }
  try {
    const { data } = await context.payments.getStaticCharge({ id: fundraiser.chargeId })
    const { amount, slots } = fundraiser
    if (data.minAmount !== amount || data.maxAmount !== amount || data.slots > slots + MAX_EXTRA_PAYMENTS) {
      const text =
        `the charge ${fundraiser.chargeId} of a fundraiser of ${slots} times ${amount} msats now takes ${data.minAmount} ` +
        `to ${data.maxAmount} msats and was paid ${data.slots} times; nothing is credited by itself`
      const alert = { kind: 'deposit-changed', about: fundraiser.id, text } as const
      await context.commit({ write: (tx) => raiseAlert(context, tx, alert) })
      return again
    }
    for (let credited = fundraiser.credited; credited < data.slots; credited += BATCH_SIZE) {
      await credit(context, fundraiser, credited, Math.min(credited + BATCH_SIZE, data.slots))
    }
    await noteDisabled(context, fundraiser.id, progressOf(data.status) === 'disabled')
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ fundraiser: fundraiser.id, reason: error.message }, 'a fundraiser could not be read')
    await tellIfNotKnown(context, error, { ...fundraiser, remoteId: fundraiser.chargeId })
    if (error.operation === 'getStaticCharge') return afterError(error, again)
  }
  return again
}

/** One entry a slot, so that no slot is credited twice, however many readers there are. */
async function credit(context: TippingContext, { id, guild, amount }: Fundraiser, from: number, to: number) {
  const moves = [{ from: WALLET, to: pool(guild), amount: msats(amount) }]
  const fresh = Array.from({ length: to - from }, (_, index) => from + index + 1)
  try {
    await context.commit({
      entries: fresh.map((slot) => ({ operation: id, step: `slot:${slot}`, moves })),
      write: async (tx) => {
        await tx.fundraiser.update({ where: { id, credited: from }, data: { credited: to } })
        await noteProgress(context, tx, id)
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
  }
}

/** For the person who still holds the code of one that is over. A provider that cannot do it loses nothing. */
async function noteDisabled(context: TippingContext, id: string, disabled: boolean): Promise<void> {
  const fundraiser = await context.database.read.fundraiser.findUniqueOrThrow({ where: { id } })
  if (disabled !== fundraiser.disabled) {
    await context.commit({ write: (tx) => tx.fundraiser.updateMany({ where: { id }, data: { disabled } }) })
  }
  if (fundraiser.state === 'open' || disabled || fundraiser.chargeId === null) return
  await context.payments.updateStaticCharge({ id: fundraiser.chargeId, allowedSlots: 0 })
}

/** What may have arrived in pools unseen, in msats: for the cover formula. */
export async function outstandingFundraisers(read: Pick<Tx, 'fundraiser'>): Promise<bigint> {
  const open = await read.fundraiser.findMany({
    where: { OR: [{ state: 'creating' }, { state: { not: 'failed' }, disabled: false }] },
    select: { amount: true, slots: true, credited: true },
  })
  return open.reduce((sum, { amount, slots, credited }) => sum + amount * BigInt(Math.max(slots - credited, 0)), 0n)
}
