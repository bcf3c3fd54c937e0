import type { DataOf, Operations } from '../../payments-api/payments-api.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { commitDurably } from '../commit-end.ts'
import { now, type TippingContext } from '../context.ts'
import type { Voucher } from '../generated/client.ts'
import { endVoucher } from './end-voucher.ts'

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
  if (voucher.revoking || !context.exits.open) {
    return endVoucher(context, voucher, { kind: 'failed', reason: null })
  }
  if (context.activity.closed) return
  const body: VoucherBody = { amount: voucher.amount.toString(), description: voucher.description }
  if (!(await markSending(context, voucher, body))) return
  try {
    await endVoucher(context, voucher, { kind: 'created', voucher: await askForVoucher(context, voucher.key, body) })
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.happened === 'maybe') {
      return endVoucher(context, voucher, { kind: 'unknown', evidence: error.message })
    }
    return endVoucher(context, voucher, { kind: 'failed', reason: error.kind === 'refused' ? error.message : null })
  }
}

/** Sends a voucher's request. Throws PaymentsError. */
export async function askForVoucher(
  { payments }: TippingContext,
  key: string,
  { amount, description }: VoucherBody,
): Promise<CreatedVoucher> {
  const { data } = await payments.createVoucher(
    { amount: BigInt(amount) as never, ...(description === '' ? {} : { description }) },
    { idempotencyKey: key },
  )
  return data
}

/** Whoever marks it sends it. */
async function markSending(context: TippingContext, { id }: Voucher, body: VoucherBody): Promise<boolean> {
  return await commitDurably(context, {
    write: async (tx) => {
      const { count } = await tx.voucher.updateMany({
        where: { id, state: 'reserved' },
        data: {
          state: 'sending',
          provider: context.payments.provider,
          body: JSON.stringify(body),
          sentAt: now(context),
        },
      })
      return count === 1
    },
  })
}
