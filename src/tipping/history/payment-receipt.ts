import { decodeInvoice } from '../../lib/lightning/bolt11.ts'
import { isPreimageOf } from '../../lib/lightning/preimage.ts'
import { readSuccessAction, wordsOf } from '../../lib/lightning/success-action.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import type { CoreContext } from '../core/context.ts'
import type { Withdrawal } from '../generated/client.ts'
import { describeBookings } from './describe-bookings.ts'
import type { PaymentReceipt } from './history.ts'
import { receiptOfWalletTip } from './wallet-tips.ts'

/** How long a receipt waits for the proof of payment. */
const PROOF_TIMEOUT_MS = 5_000

type Elsewhere = Pick<PaymentReceipt, 'fee' | 'remoteId' | 'request' | 'paymentHash' | 'preimage' | 'said'>

const NOWHERE: Elsewhere = {
  fee: undefined,
  remoteId: undefined,
  request: undefined,
  paymentHash: undefined,
  preimage: undefined,
  said: undefined,
}

/** Returns the receipt of one of a member's own operations. Throws TippingRefusal `payment-not-found`. */
export async function receiptOf(
  context: CoreContext,
  { member, operation }: { readonly member: string; readonly operation: string },
): Promise<PaymentReceipt> {
  const own = { kind: 'member', owner: member }
  const moves = await context.database.read.move.findMany({
    where: { entry: { operation }, OR: [{ from: own }, { to: own }] },
    include: { entry: true, from: true, to: true },
    orderBy: { id: 'asc' },
  })
  const lines = moves.map((move) => {
    const gives = move.from.kind === own.kind && move.from.owner === member
    return {
      ...{ id: move.id, operation, step: move.entry.step, at: move.entry.at, balance: msats(0n) },
      amount: gives ? -move.amount : move.amount,
      other: gives ? move.to : move.from,
    }
  })
  const told = await describeBookings(context, member, lines)
  const amount = lines.reduce((sum, line) => sum + line.amount, 0n)
  // An entry that was fully returned is described by its end.
  const line = amount === 0n ? told.at(-1) : told[0]
  if (line === undefined) return await receiptOfWalletTip(context, member, operation)
  const { what, who, at, state } = line
  return { operation, what, who, at, amount, state, ...(await elsewhere(context, member, operation)) }
}

/** Returns the ids, the fee and the proof of a member's operation at the provider and on the provider's network. */
async function elsewhere(context: CoreContext, member: string, id: string): Promise<Elsewhere> {
  const { read } = context.database
  const where = { id, member }
  const withdrawal = await read.withdrawal.findFirst({ where })
  if (withdrawal !== null) return ofWithdrawal(context, withdrawal)
  const payout = await read.payout.findFirst({ where })
  if (payout !== null) return { ...NOWHERE, remoteId: payout.transactionId ?? undefined }
  const deposit = await read.deposit.findFirst({ where })
  if (deposit !== null) {
    const { chargeId, request, invoice } = deposit
    const paymentHash = invoice === null ? undefined : decodeInvoice(invoice).paymentHash
    return { ...NOWHERE, remoteId: chargeId ?? undefined, request: invoice ?? request ?? undefined, paymentHash }
  }
  const voucher = await read.voucher.findFirst({ where })
  if (voucher === null) return NOWHERE
  return { ...NOWHERE, remoteId: voucher.voucherId ?? undefined, fee: feeOf(voucher.fee) }
}

async function ofWithdrawal(context: CoreContext, withdrawal: Withdrawal): Promise<Elsewhere> {
  const { kind, state, remoteId, invoice, paymentHash, fee, successAction } = withdrawal
  const isProven = state === 'paid' && kind !== 'request' && remoteId !== null && paymentHash !== null
  const preimage = isProven ? await preimageOf(context, remoteId, paymentHash) : undefined
  const action = state === 'paid' ? readSuccessAction(successAction) : undefined
  const key = preimage === undefined || preimage === 'missing' ? withdrawal.preimage : preimage
  return {
    fee: feeOf(fee),
    remoteId: remoteId ?? undefined,
    request: invoice ?? undefined,
    paymentHash: paymentHash ?? undefined,
    preimage,
    said: action && wordsOf(action, key ?? undefined),
  }
}

function feeOf(fee: bigint | null): Msats | undefined {
  return fee === null || fee === 0n ? undefined : msats(fee)
}

/**
 * Requests a payment's preimage from the provider, and returns it only if its hash is the payment hash; `missing` if
 * the provider did not answer in time.
 */
async function preimageOf(
  { payments, clock }: CoreContext,
  id: string,
  paymentHash: string,
): Promise<PaymentReceipt['preimage']> {
  let preimage: PaymentReceipt['preimage'] = 'missing'
  const asked = payments.retrievePayment({ id }).then(({ data }) => {
    preimage = data.preimage !== null && isPreimageOf(data.preimage, paymentHash) ? data.preimage : undefined
  })
  await within(clock, asked, PROOF_TIMEOUT_MS)
  return preimage
}
