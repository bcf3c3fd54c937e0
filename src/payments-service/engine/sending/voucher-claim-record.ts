import { encodeLnurl, lightningUri } from '../../../lib/lightning/lnurl.ts'
import type { WithdrawParams } from '../../../lib/lightning/lnurl-messages.ts'
import type { Payment, Voucher } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'

export type LnurlParts = Pick<NodeParts, 'publicUrl'>

/** Where a wallet asks what a voucher gives (LUD-03). */
export const VOUCHER_PAYLOAD_PATH = '/v0/payload-voucher'
/** Where it hands in its invoice. */
export const VOUCHER_CLAIM_PATH = '/v0/claim-voucher'

/** Redeemer of a voucher that a wallet elsewhere claimed: unknown to the service. */
const SOMEBODY_ELSEWHERE = 'lightning'

/**
 * The operation of the journal that a voucher's money belongs to: `reserve`, then `post` (redeemed, by whom and how
 * ever) or `void` (revoked). A claim by a wallet takes the money out of escrow in its own step; if it fails, another
 * step puts it back.
 */
export function operationOfVoucher(id: string): string {
  return `voucher:${id}`
}

/** The operation that pays for a batch of vouchers; each voucher's own then takes its part. `id` is its debit's. */
export function operationOfVoucherBatch(id: string): string {
  return `voucher-batch:${id}`
}

/** The steps of one claim that are not the voucher's end. */
export function claimSteps({ id }: Pick<Payment, 'id'>): { readonly begun: string; readonly failed: string } {
  return { begun: `claim ${id}`, failed: `claim ${id} failed` }
}

/** A voucher's record after a wallet elsewhere was paid. */
export function redeemedElsewhere({ id }: Pick<Payment, 'id'>, at: Date): Partial<Voucher> {
  return { redeemedAt: at, redeemedById: SOMEBODY_ELSEWHERE, redeemedTransactionId: id, updatedAt: at }
}

/** The LNURL of a voucher. Its secret is its own: with the short code, strangers could guess at an open route. */
export function voucherLnurl({ publicUrl }: LnurlParts, secret: string): { request: string; uri: string } {
  const url = new URL(`${publicUrl}${VOUCHER_PAYLOAD_PATH}`)
  url.searchParams.set('secret', secret)
  const request = encodeLnurl(url)
  return { request, uri: lightningUri(request) }
}

/** Answers a wallet (LUD-03): one amount only, and the secret as k1. */
export function voucherWithdrawParams(
  { publicUrl }: LnurlParts,
  { walletAmount, walletSecret, description }: Voucher,
): WithdrawParams {
  return {
    tag: 'withdrawRequest',
    callback: `${publicUrl}${VOUCHER_CLAIM_PATH}`,
    k1: walletSecret ?? '',
    defaultDescription: description === '' ? 'A voucher' : description,
    minWithdrawable: Number(walletAmount),
    maxWithdrawable: Number(walletAmount),
  }
}
