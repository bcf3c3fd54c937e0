import type { Operation } from './operation.ts'
import { createCharge, createGamertagCharge, decodeCharge, getCharge, getGamertagCharge } from './operations/charges.ts'
import { getGamertagPayment, payToGamertag } from './operations/gamertag-payments.ts'
import { chargeFromAddress, payLightningAddress, validateLightningAddress } from './operations/lightning-addresses.ts'
import { getUserProfile, getUserWallet } from './operations/log-in.ts'
import { fetchOfferInvoice, retrievePayment, sendKeysendPayment, sendPayment } from './operations/payments.ts'
import { createSignInLink, openUser, proveGamertag } from './operations/project-users.ts'
import {
  createStaticCharge,
  getStaticCharge,
  listStaticChargePayments,
  updateStaticCharge,
} from './operations/static-charges.ts'
import { listTransactions } from './operations/transactions.ts'
import { internalTransfer } from './operations/transfers.ts'
import {
  apiSupportedRegions,
  getCallbackAddresses,
  getGamertagByUserId,
  getIdByGamertag,
  getPrice,
  getWallet,
} from './operations/users-and-wallet.ts'
import {
  createVoucher,
  createVoucherBatch,
  redeemVoucher,
  retrieveVoucher,
  revokeVoucher,
} from './operations/vouchers.ts'
import {
  cancelWithdrawalRequest,
  createWithdrawalRequest,
  retrieveWithdrawalRequest,
} from './operations/withdrawal-requests.ts'

/**
 * Every operation of the payments interface, in the interface's order. Our additions follow the operations that they
 * extend.
 */
export const operations = {
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
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations
