import type { Implementation } from '../engine/http/operation.ts'
import { apiSupportedRegions } from './api-supported-regions.ts'
import { cancelWithdrawalRequest } from './cancel-withdrawal-request.ts'
import { chargeFromAddress } from './charge-from-address.ts'
import { createCharge } from './create-charge.ts'
import { createGamertagCharge } from './create-gamertag-charge.ts'
import { createSignInLink } from './create-sign-in-link.ts'
import { createStaticCharge } from './create-static-charge.ts'
import { createVoucher } from './create-voucher.ts'
import { createVoucherBatch } from './create-voucher-batch.ts'
import { createWithdrawalRequest } from './create-withdrawal-request.ts'
import { decodeCharge } from './decode-charge.ts'
import { fetchOfferInvoice } from './fetch-offer-invoice.ts'
import { getCallbackAddresses } from './get-callback-addresses.ts'
import { getCharge } from './get-charge.ts'
import { getGamertagByUserId } from './get-gamertag-by-user-id.ts'
import { getGamertagCharge } from './get-gamertag-charge.ts'
import { getGamertagPayment } from './get-gamertag-payment.ts'
import { getIdByGamertag } from './get-id-by-gamertag.ts'
import { getPrice } from './get-price.ts'
import { getStaticCharge } from './get-static-charge.ts'
import { getUserProfile } from './get-user-profile.ts'
import { getUserWallet } from './get-user-wallet.ts'
import { getWallet } from './get-wallet.ts'
import { internalTransfer } from './internal-transfer.ts'
import { listStaticChargePayments } from './list-static-charge-payments.ts'
import { listTransactions } from './list-transactions.ts'
import { openUser } from './open-user.ts'
import { payLightningAddress } from './pay-lightning-address.ts'
import { payToGamertag } from './pay-to-gamertag.ts'
import { proveGamertag } from './prove-gamertag.ts'
import { redeemVoucher } from './redeem-voucher.ts'
import { retrievePayment } from './retrieve-payment.ts'
import { retrieveVoucher } from './retrieve-voucher.ts'
import { retrieveWithdrawalRequest } from './retrieve-withdrawal-request.ts'
import { revokeVoucher } from './revoke-voucher.ts'
import { sendKeysendPayment } from './send-keysend-payment.ts'
import { sendPayment } from './send-payment.ts'
import { updateStaticCharge } from './update-static-charge.ts'
import { validateLightningAddress } from './validate-lightning-address.ts'

/**
 * Every operation that this service offers, in the contract's order. A declared operation that is missing here answers
 * 501.
 */
export const implementations: readonly Implementation[] = [
  createCharge,
  getCharge,
  createGamertagCharge,
  getGamertagCharge,
  decodeCharge,
  createStaticCharge,
  updateStaticCharge,
  getStaticCharge,
  listStaticChargePayments,
  createWithdrawalRequest,
  retrieveWithdrawalRequest,
  cancelWithdrawalRequest,
  sendPayment,
  retrievePayment,
  fetchOfferInvoice,
  sendKeysendPayment,
  payToGamertag,
  getGamertagPayment,
  internalTransfer,
  validateLightningAddress,
  payLightningAddress,
  chargeFromAddress,
  createVoucher,
  createVoucherBatch,
  retrieveVoucher,
  revokeVoucher,
  redeemVoucher,
  getGamertagByUserId,
  getIdByGamertag,
  openUser,
  createSignInLink,
  proveGamertag,
  getWallet,
  listTransactions,
  apiSupportedRegions,
  getCallbackAddresses,
  getPrice,
  getUserProfile,
  getUserWallet,
]
