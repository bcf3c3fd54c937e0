import { type Msats, msats } from '../../lib/money/amount.ts'
import { inFlight, voucherEscrow } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseUnsendableNow } from '../engine/node/refuse-unready.ts'
import { operationOf, payerOf } from '../engine/sending/payment-record.ts'
import { claimSteps } from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Payment, Voucher } from '../generated/client.ts'
import { mayCost } from '../payments/fee-limit.ts'
import { findOwn } from '../payments/pay-invoice.ts'
import { readInvoice, readPayable } from '../payments/read-payable.ts'
import { insertPayment, newPayment } from '../payments/reserve-payment.ts'
import { isOver, whyClosed } from './end-voucher.ts'
import { isEnded, refuseExpired } from './voucher-expiry.ts'

/**
 * The longest wait of a wallet for an answer, because wallets take a longer silence for a refusal. Only failures within
 * this time are reported.
 */
const ANSWER_TIMEOUT_MS = 2_000

/** The form of a secret. Texts in any other form are not looked up. */
const SECRET = /^[\w-]{20,100}$/

/** A voucher that a wallet may claim, with the amount that the wallet receives. */
type ClaimableVoucher = Voucher & { readonly walletAmount: bigint }

/** The caller: the secret that a wallet read from an LNURL, and the wallet's IP address. */
export interface WalletCaller {
  readonly secret: string
  readonly address: string
}

/**
 * Finds a voucher that a wallet can claim now. A wrong secret counts like a wrong code. Throws ServiceRefusal with a
 * text for the wallet's owner.
 */
export async function findClaimableVoucher(parts: ServiceParts, caller: WalletCaller): Promise<Voucher> {
  const voucher = await findBySecret(parts, caller)
  if (isEnded(voucher) || (await findClaim(parts, voucher)) !== undefined) throw whyClosed(voucher)
  refuseExpired(parts, voucher)
  return voucher
}

/**
 * Redeems a voucher to any wallet: pays the wallet's invoice, which must be for exactly the amount that wallets
 * receive. The sats leave the escrow in the transaction that records the payment, so nobody else can claim, redeem or
 * revoke the voucher meanwhile. A repeated claim with the same invoice returns the state of that invoice's payment.
 * Resolves with the payment when its outcome is known, or after two seconds. A failed payment has reopened the voucher.
 * Throws ServiceRefusal if the claim was not accepted.
 */
export async function claimVoucher(parts: ServiceParts, caller: WalletCaller, invoice: string): Promise<Payment> {
  const voucher = await findBySecret(parts, caller)
  const { paymentHash, amount } = readInvoice(invoice)
  const claim = await findClaim(parts, voucher)
  if (claim?.paymentHash === paymentHash) return claim
  if (claim !== undefined || isEnded(voucher)) throw whyClosed(voucher)
  refuseExpired(parts, voucher)
  refuseOtherAmount(voucher, amount)
  const payment = await preparePayment(parts, voucher, invoice)
  const steps = claimSteps(payment)
  const [from, to] = [voucherEscrow(voucher.id), inFlight(payerOf(payment))]
  try {
    await parts.ledger.commit({
      entries: [
        {
          operation: operationOf(payment),
          step: steps.begun,
          moves: [{ from, to, amount: msats(voucher.amount) }],
        },
      ],
      write: async (tx) => {
        refuseExpired(parts, voucher)
        await insertPayment(tx, payment)
      },
    })
  } catch (error) {
    if (!isOver(error)) throw error
    const winner = await findClaim(parts, voucher)
    if (winner?.paymentHash === paymentHash) return winner
    throw whyClosed(await parts.database.read.voucher.findUniqueOrThrow({ where: { id: voucher.id } }))
  }
  return parts.sender.send(payment, ANSWER_TIMEOUT_MS)
}

/**
 * Returns the payment of a wallet's invoice, not yet recorded. Throws ServiceRefusal if the invoice cannot be paid from
 * here.
 */
async function preparePayment(parts: ServiceParts, voucher: ClaimableVoucher, text: string): Promise<Payment> {
  const payable = await readPayable(parts, text, undefined)
  if ((await findOwn(parts, payable)) !== undefined) {
    throw new ServiceRefusal(
      'self_payment',
      "This wallet belongs to the service that made the voucher. To receive the full amount, redeem the voucher's code of eight characters there.",
    )
  }
  parts.sender.assertOutgoingEnabled()
  const maxFee = msats(voucher.amount - voucher.walletAmount)
  if (!mayCost(parts, payable.amount, maxFee)) {
    throw new ServiceRefusal(
      'not_offered',
      "Sending to another wallet now costs more than this voucher can pay. Redeem the voucher's code of eight characters instead.",
    )
  }
  await refuseUnsendableNow(parts, msats(voucher.amount))
  return newPayment(parts, {
    kind: 'invoice',
    payer: { kind: 'project', id: voucher.projectId },
    voucherId: voucher.id,
    paymentHash: payable.invoice.paymentHash,
    amount: payable.amount,
    maxFee,
    invoice: payable.invoice.text,
  })
}

async function findBySecret(
  { database, wrongCodes }: ServiceParts,
  { secret, address }: WalletCaller,
): Promise<ClaimableVoucher> {
  const voucher = SECRET.test(secret)
    ? await database.read.voucher.findUnique({ where: { walletSecret: secret } })
    : null
  if (voucher !== null && voucher.walletAmount !== null) return { ...voucher, walletAmount: voucher.walletAmount }
  // Only wrong secrets count, because one address may serve all users of a wallet's server. Nobody guesses a secret of
  // 128 bits or more.
  const guesser = { address }
  await wrongCodes.refuse(guesser)
  await wrongCodes.count(guesser)
  throw new ServiceRefusal('voucher_not_found', 'This voucher is not known here. Ask its maker for a new one.')
}

/**
 * Finds the payment for which the voucher's sats are in flight, or with which they were paid out. Ignores failed
 * payments, which have returned the sats.
 */
async function findClaim({ database }: ServiceParts, { id }: Voucher): Promise<Payment | undefined> {
  return (await database.read.payment.findFirst({ where: { voucherId: id, status: { not: 'failed' } } })) ?? undefined
}

function refuseOtherAmount({ walletAmount }: ClaimableVoucher, amount: Msats | undefined): void {
  if (amount === walletAmount) return
  throw new ServiceRefusal(
    'invalid_amount',
    `A wallet gets exactly ${walletAmount} msats from this voucher, but the invoice asks for ${amount ?? 'no fixed amount'}. Make an invoice for exactly ${walletAmount} msats.`,
  )
}
