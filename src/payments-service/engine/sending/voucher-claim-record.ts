import { encodeLnurl, lightningUri } from '../../../lib/lightning/lnurl.ts'
import type { WithdrawParams } from '../../../lib/lightning/lnurl-messages.ts'
import type { Payment, Voucher } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'

export type LnurlParts = Pick<NodeParts, 'publicUrl'>

/** The path at which a wallet reads a voucher's withdrawal parameters (LUD-03). */
export const VOUCHER_PAYLOAD_PATH = '/v0/payload-voucher'
/** The path at which a wallet submits its invoice. */
export const VOUCHER_CLAIM_PATH = '/v0/claim-voucher'

/** The `redeemedById` of a voucher that a wallet elsewhere claimed: the service does not know who redeemed it. */
const SOMEBODY_ELSEWHERE = 'lightning'

/**
 * Returns the journal operation to which a voucher's money belongs: `reserve`, then `post` (redeemed by anybody in any
 * way) or `void` (revoked). A claim by a wallet takes the money from escrow in a separate step; if the claim fails,
 * another step returns the money.
 */
export function operationOfVoucher(id: string): string {
  return `voucher:${id}`
}

/**
 * Returns the operation that pays for a batch of vouchers. Each voucher's own operation then takes that voucher's part.
 * `id` identifies the batch's debit.
 */
export function operationOfVoucherBatch(id: string): string {
  return `voucher-batch:${id}`
}

/** Returns the names of a claim's own steps, which do not include the voucher's end. */
export function claimSteps({ id }: Pick<Payment, 'id'>): { readonly begun: string; readonly failed: string } {
  return { begun: `claim ${id}`, failed: `claim ${id} failed` }
}

/** Returns a voucher's columns after a wallet elsewhere was paid. */
export function redeemedElsewhere({ id }: Pick<Payment, 'id'>, at: Date): Partial<Voucher> {
  return { redeemedAt: at, redeemedById: SOMEBODY_ELSEWHERE, redeemedTransactionId: id, updatedAt: at }
}

/**
 * Returns a voucher's LNURL, which has its own secret, because strangers could guess the short code at a public route.
 */
export function voucherLnurl({ publicUrl }: LnurlParts, secret: string): { request: string; uri: string } {
  const url = new URL(`${publicUrl}${VOUCHER_PAYLOAD_PATH}`)
  url.searchParams.set('secret', secret)
  const request = encodeLnurl(url)
  return { request, uri: lightningUri(request) }
}

/** Builds the answer to a wallet (LUD-03), with a single amount, and the secret as k1. */
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
