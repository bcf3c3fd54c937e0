import type { Implementation } from './operation.ts'
import { apiSupportedRegions } from './operations/api-supported-regions.ts'
import { createGamertagCharge } from './operations/create-gamertag-charge.ts'
import { createStaticCharge } from './operations/create-static-charge.ts'
import { createVoucher } from './operations/create-voucher.ts'
import { createWithdrawalRequest } from './operations/create-withdrawal-request.ts'
import { decodeCharge } from './operations/decode-charge.ts'
import { getGamertagByUserId } from './operations/get-gamertag-by-user-id.ts'
import { getGamertagCharge } from './operations/get-gamertag-charge.ts'
import { getGamertagPayment } from './operations/get-gamertag-payment.ts'
import { getIdByGamertag } from './operations/get-id-by-gamertag.ts'
import { getStaticCharge } from './operations/get-static-charge.ts'
import { getWallet } from './operations/get-wallet.ts'
import { listStaticChargePayments } from './operations/list-static-charge-payments.ts'
import { payToGamertag } from './operations/pay-to-gamertag.ts'
import { redeemVoucher } from './operations/redeem-voucher.ts'
import { retrievePayment } from './operations/retrieve-payment.ts'
import { retrieveVoucher } from './operations/retrieve-voucher.ts'
import { retrieveWithdrawalRequest } from './operations/retrieve-withdrawal-request.ts'
import { revokeVoucher } from './operations/revoke-voucher.ts'
import { sendKeysendPayment } from './operations/send-keysend-payment.ts'
import { sendPayment } from './operations/send-payment.ts'
import { updateStaticCharge } from './operations/update-static-charge.ts'
import { validateLightningAddress } from './operations/validate-lightning-address.ts'

/** Every operation that this service offers, in the contract's order; one that is declared but not here answers 501. */
export const implementations: readonly Implementation[] = [
  createGamertagCharge,
  getGamertagCharge,
  decodeCharge,
  createStaticCharge,
  updateStaticCharge,
  getStaticCharge,
  listStaticChargePayments,
  createWithdrawalRequest,
  retrieveWithdrawalRequest,
  sendPayment,
  retrievePayment,
  sendKeysendPayment,
  payToGamertag,
  getGamertagPayment,
  validateLightningAddress,
  createVoucher,
  retrieveVoucher,
  revokeVoucher,
  redeemVoucher,
  getGamertagByUserId,
  getIdByGamertag,
  getWallet,
  apiSupportedRegions,
]
