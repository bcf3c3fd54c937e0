import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import { member, WALLET } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { Deposit, PollJob } from '../generated/client.ts'
import { raiseAlert } from '../machines/alerts/alerts.ts'
import { isPresent, tellIfNotKnown, tellOfProviderLeft } from '../machines/alerts/present-provider.ts'
import { afterError } from '../machines/polling/is-answer.ts'
import { END, inMs, type Next, paceMs } from '../machines/polling/poller.ts'
import type { TippingContext } from '../machines/tipping-context.ts'

/** A charge with one slot may be overpaid by a race at the provider, but hardly more often than this. */
const MAX_SLOTS = 10

/**
 * Reads a deposit's charge by the id that was stored when it was created, and credits each slot that is new. It goes on
 * being read, ever more slowly, whether paid, closed or not: what is paid late is credited all the same.
 */
export async function pollDeposit(context: TippingContext, job: PollJob): Promise<Next> {
  const deposit = await context.database.read.deposit.findUnique({ where: { id: job.id } })
  if (deposit?.chargeId == null) return END
  const again = inMs(paceMs(job.bornAt, context.clock.now()))
  if (!isPresent(context, deposit.provider)) {
    await tellOfProviderLeft(context, deposit.provider)
    return again
  }
  try {
    const { data } = await context.payments.getStaticCharge({ id: deposit.chargeId })
    if (data.minAmount !== deposit.amount || data.maxAmount !== deposit.amount || data.slots > MAX_SLOTS) {
      await context.commit({ write: (tx) => raiseAlert(context, tx, changed(deposit, data)) })
      return again
    }
    if (data.slots > deposit.credited) await credit(context, deposit, data.slots)
    const opened = { ...deposit, chargeId: deposit.chargeId }
    await noteState(context, opened, progressOf(data.status) === 'disabled', data.slots)
  } catch (error) {
    // Another reader was first.
    if (error instanceof AlreadyWritten) return again
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ deposit: deposit.id, reason: error.message }, 'a deposit could not be read')
    await tellIfNotKnown(context, error, { ...deposit, remoteId: deposit.chargeId })
    if (error.operation === 'getStaticCharge') return afterError(error, again)
  }
  return again
}

function changed(deposit: Deposit, charge: { minAmount: bigint; maxAmount: bigint; slots: number }) {
  const text =
    `the charge ${deposit.chargeId} of a deposit of ${deposit.amount} msats now takes ${charge.minAmount} to ` +
    `${charge.maxAmount} msats and was paid ${charge.slots} times; nothing is credited by itself`
  return { kind: 'deposit-changed', about: deposit.id, text } as const
}

/** One entry a slot, so that no slot is credited twice, however many readers there are. Throws AlreadyWritten. */
async function credit(context: TippingContext, deposit: Deposit, slots: number): Promise<void> {
  const { id, credited, card } = deposit
  const moves = [{ from: WALLET, to: member(deposit.member), amount: msats(deposit.amount) }]
  const fresh = Array.from({ length: slots - credited }, (_, i) => credited + i + 1)
  const paidAt = deposit.paidAt ?? now(context)
  await context.commit({
    entries: fresh.map((slot) => ({ operation: id, step: `slot:${slot}`, moves })),
    write: async (tx) => {
      await tx.deposit.update({ where: { id, credited }, data: { credited: slots, state: 'paid', paidAt } })
      await context.cards.raise(tx, [card])
      const told = await tx.card.findUnique({ where: { kind_record: { kind: 'deposit-paid', record: id } } })
      if (told) return context.cards.raise(tx, [told.id])
      const audience = { member: deposit.member }
      await tx.card.create({
        data: context.cards.values({ id: context.entropy.uuid(), kind: 'deposit-paid', record: id, audience }),
      })
    },
  })
}

type Opened = Deposit & { readonly chargeId: string }

async function noteState(context: TippingContext, deposit: Opened, disabled: boolean, slots: number): Promise<void> {
  const { id, card, state, chargeId } = deposit
  if (disabled !== deposit.disabled) {
    await context.commit({ write: (tx) => tx.deposit.updateMany({ where: { id }, data: { disabled } }) })
  }
  const openForMs = context.clock.now() - deposit.createdAt.getTime()
  const over = openForMs >= context.settings.depositOpenHours * 3_600_000 && context.clockWatch.isSteady()
  if (slots > 0 || !(state === 'closed' || (state === 'open' && over))) return
  if (state === 'open') {
    await context.commit({
      write: async (tx) => {
        await tx.deposit.updateMany({ where: { id, state: 'open' }, data: { state: 'closed' } })
        await context.cards.raise(tx, [card])
      },
    })
  }
  // For the person who still holds the code. A provider that cannot do it loses nothing: what is paid late is credited.
  if (!disabled) await context.payments.updateStaticCharge({ id: chargeId, allowedSlots: 0 })
}
