import type { DataOf, Operations } from '../../payments-api/payments-api.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { tellOfOtherAmount } from '../alerts/alerts.ts'
import { commitDurably } from '../commit-end.ts'
import type { TippingContext } from '../context.ts'
import type { Voucher } from '../generated/client.ts'
import { sentTo } from '../replays.ts'
import { endVoucher, type VoucherOutcome } from './end-voucher.ts'

/** The request as it is stored, to be sent again unchanged if need be. */
export interface VoucherBody {
  /** Msats, in decimal. */
  readonly amount: string
  readonly description: string
}

export type CreatedVoucher = DataOf<Operations['createVoucher']>

/**
 * Carries out a reserved voucher: makes `sending` durable, asks for the code, records the outcome. Until it is marked
 * nothing can have left.
 */
export async function runVoucher(context: TippingContext, id: string): Promise<void> {
  const voucher = await context.database.read.voucher.findUniqueOrThrow({ where: { id } })
  if (voucher.state !== 'reserved') return
  if (voucher.revoking) {
    return endVoucher(context, voucher, { kind: 'failed', reason: null })
  }
  if (context.activity.closed) return
  const body: VoucherBody = { amount: voucher.amount.toString(), description: voucher.description }
  const marked = await markSending(context, voucher, body)
  if (marked === 'taken') return
  if (marked === 'paused') return endVoucher(context, voucher, { kind: 'failed', reason: null })
  try {
    await endVoucher(context, voucher, await askForVoucher(context, voucher, body))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.happened === 'maybe') {
      return endVoucher(context, voucher, { kind: 'unknown', evidence: error.message })
    }
    return endVoucher(context, voucher, { kind: 'failed', reason: error.kind === 'refused' ? error.message : null })
  }
}

/** Sends a voucher's request. An answer with another amount proves nothing. Throws PaymentsError. */
export async function askForVoucher(
  context: TippingContext,
  { id: about, amount: asked, key }: Voucher,
  { amount, description }: VoucherBody,
): Promise<VoucherOutcome & { readonly kind: 'created' | 'unknown' }> {
  const { data } = await context.payments.createVoucher(
    { amount: BigInt(amount) as never, ...(description === '' ? {} : { description }) },
    { idempotencyKey: key },
  )
  if (data.amount === asked) return { kind: 'created', voucher: data }
  const answer = { about, what: 'voucher', asked, answered: data.amount }
  return { kind: 'unknown', evidence: await tellOfOtherAmount(context, answer) }
}

/** Whoever marks it sends it. */
async function markSending(
  context: TippingContext,
  { id }: Voucher,
  body: VoucherBody,
): Promise<'sending' | 'taken' | 'paused'> {
  return await commitDurably(context, {
    write: async (tx) => {
      if ((await context.outgoingSwitch.pausedIn(tx)) !== undefined) return 'paused'
      const { count } = await tx.voucher.updateMany({
        where: { id, state: 'reserved' },
        data: {
          state: 'sending',
          ...sentTo(context),
          body: JSON.stringify(body),
          sentAt: new Date(context.clockWatch.now()),
        },
      })
      return count === 1 ? 'sending' : 'taken'
    },
  })
}
