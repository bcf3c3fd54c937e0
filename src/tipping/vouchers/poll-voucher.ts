import { PaymentsError } from '../../payments-api/payments-api.ts'
import type { Book, CoreContext } from '../core/context.ts'
import { raiseAlert, tellOfOtherAmount, toDecide } from '../engine/alerts/alerts.ts'
import { isPresent, tellIfNotKnown } from '../engine/alerts/present-provider.ts'
import { pollOutgoing } from '../engine/outgoing/poll-outgoing.ts'
import { afterError } from '../engine/polling/is-answer.ts'
import { END, inMs, type Next, paceMs } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PollJob, Voucher } from '../generated/client.ts'
import { endRevocation } from './end-revocation.ts'
import { VOUCHERS } from './voucher-kind.ts'

/** The time without an answer after which operators are alerted. */
const ALERT_AFTER_MS = 3_600_000

/** Looks for the outcome of a voucher's creation or, if the voucher is live, reads its state. */
export async function pollVoucher(context: TippingContext, job: PollJob): Promise<Next> {
  const voucher = await context.database.read.voucher.findUniqueOrThrow({ where: { id: job.id } })
  if (voucher.state !== 'live') return pollOutgoing(context, VOUCHERS, job)
  if (isPresent(context, voucher.provider)) return read(context, voucher)
  await tellOperators(context, voucher, 'is live at a provider that is not this one any more, so it cannot be read')
  return END
}

async function tellOperators(context: Book, { id, member, amount }: Voucher, what: string) {
  const text = toDecide(`the voucher ${id} of ${amount} msats by ${member} ${what}`)
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'revocation-unknown', about: id, text }) })
}

/**
 * Reads a live voucher, and first revokes it if somebody wants that: only the reading counts as proof. The database
 * ensures that a live voucher has its id and code.
 */
async function read(context: TippingContext, voucher: Voucher): Promise<Next> {
  const again = inMs(voucher.revoking ? 10_000 : paceMs(voucher.createdAt, context.clock.now()))
  try {
    if (voucher.revoking) await tryToRevoke(context, voucher)
    const { data } = await context.payments.retrieveVoucher({ voucherId: voucher.voucherId ?? '' })
    if (data.amount !== voucher.amount) {
      const answer = { about: voucher.id, what: 'voucher', asked: voucher.amount, answered: data.amount }
      await tellOfOtherAmount(context, answer)
      return again
    }
    if (data.revokedAt !== null) await endRevocation(context, voucher, 'revoked')
    else if (data.redeemedAt !== null) await endRevocation(context, voucher, 'redeemed')
    else return again
    return END
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ voucher: voucher.id, reason: error.message }, 'a voucher could not be read')
    if (voucher.revokeAskedAt !== null) await noteUnread(context, voucher, voucher.revokeAskedAt, error.message)
    else await tellIfNotKnown(context, error, { ...voucher, remoteId: voucher.voucherId })
    return afterError(error, again)
  }
}

/**
 * Notes that it is unknown whether a voucher was revoked, with the provider's answer as evidence for the operators, and
 * alerts them after an hour.
 */
async function noteUnread(context: Book, voucher: Voucher, since: Date, said: string): Promise<void> {
  const { id, reason } = voucher
  // Stryker disable next-line ConditionalExpression: otherwise it would write the same text again.
  if (said !== reason) {
    const where = { id, state: 'live', revoking: true }
    await context.commit({ write: (tx) => tx.voucher.updateMany({ where, data: { reason: said } }) })
  }
  if (context.clock.now() - since.getTime() < ALERT_AFTER_MS) return
  await tellOperators(context, voucher, `is to be taken back since ${since.toISOString()}, and cannot be read: ${said}`)
}

async function tryToRevoke(context: CoreContext, { id, code }: Voucher): Promise<void> {
  try {
    const idempotencyKey = `revoke-${id}-${context.entropy.uuid()}`
    await context.payments.revokeVoucher({ code: code ?? '' }, { idempotencyKey })
  } catch (error) {
    // The next reading shows whether it was revoked, redeemed or neither. This answer proves no more than that.
    if (!(error instanceof PaymentsError)) throw error
  }
}
