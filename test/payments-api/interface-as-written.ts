import { additionsAsWritten } from './additions-as-written.ts'
import type { Written } from './written.ts'

const charge = `unit string, status string, amount string, createdAt string, internalId string, callbackUrl string,
  description string, invoiceRequest string, invoiceExpiresAt string, invoiceDescriptionHash string or null, +id string`

const staticCharge = `id string, unit string, slots number, minAmount string, maxAmount string, createdAt string,
  expiresAt string or null, internalId string, description string, callbackUrl string, allowedSlots number,
  successMessage string, status string, invoice object, invoice.request string, invoice.uri string`

const withdrawalRequest = `id string, unit string, amount string, createdAt string, expiresAt string, internalId string,
  description string, callbackUrl string, status string, fee string or null, invoice object, invoice.request string,
  invoice.fastRequest string, invoice.uri string, invoice.fastUri string`

const payment = `id string, fee string, unit string, amount string, invoice string, preimage string or null,
  internalId string, status string, processedAt string, confirmedAt string or null, description string,
  +failure object, failure.code string, failure.message string`

const voucherEnds = `redeemedAt string or null, redeemedById string or null, redeemedTransactionId string or null,
  revokedAt string or null, revokedById string or null, revokedTransactionId string or null`

const withdraw = `+withdraw object, withdraw.amount string, withdraw.request string, withdraw.uri string`

const endedVoucher = `+expiresAt string or null, amount string, code string, createdAt string, description string, id string, unit string, ${voucherEnds}`

/** The operations of the interface, typed by hand from its document, with our additions. */
export const interfaceAsWritten: readonly Written[] = [
  {
    ...{ name: 'createGamertagCharge', verb: 'POST', path: '/v0/gamertag/charges', host: 'alt' },
    body: '*amount string, *gamertag string, description string, expiresIn number, internalId string, callbackUrl string',
    envelope: 'success, data',
    data: charge,
  },
  {
    ...{ name: 'getGamertagCharge', verb: 'GET', path: '/v0/gamertag/charges/{id}', host: 'alt', additive: true },
    envelope: 'success, data',
    data: `${charge}, confirmedAt string or null, invoice object, invoice.request string`,
  },
  {
    ...{ name: 'decodeCharge', verb: 'POST', path: '/v0/decode-invoice', host: 'base' },
    body: '*invoice string',
    envelope: 'success, data',
    data: `amount string, lnRequest string, lnExpiresAt string, network string, description string, descriptionHash string,
      paymentHash string, paymentSecret string, payee string, signature string`,
  },
  {
    ...{ name: 'createStaticCharge', verb: 'POST', path: '/v0/static-charges', host: 'base' },
    body: `*minAmount string, *maxAmount string, *description string, successMessage string, allowedSlots number,
      internalId string, callbackUrl string, identifier string`,
    envelope: 'message, data',
    data: staticCharge,
  },
  {
    ...{ name: 'updateStaticCharge', verb: 'PATCH', path: '/v0/static-charges/{id}', host: 'base' },
    body: `minAmount string, maxAmount string, description string, successMessage string, allowedSlots number,
      internalId string, callbackUrl string`,
    envelope: 'message, data',
    data: staticCharge,
  },
  {
    ...{ name: 'getStaticCharge', verb: 'GET', path: '/v0/static-charges/{id}', host: 'base' },
    envelope: 'message, data',
    data: `${staticCharge}, +offer string`,
  },
  {
    ...{
      name: 'listStaticChargePayments',
      verb: 'GET',
      path: '/v0/static-charges/{id}/payments/{after}',
      host: 'base',
      additive: true,
    },
    envelope: 'message, data',
    data: `payments array, payments[].id string, payments[].slot number, payments[].amount string,
      payments[].comment string, payments[].settledAt string, payments[].payer object, payments[].payer.name string,
      payments[].payer.identifier string, payments[].payer.pubkey string, payments[].payer.nostr string`,
  },
  {
    ...{ name: 'createWithdrawalRequest', verb: 'POST', path: '/v0/withdrawal-requests', host: 'base' },
    body: '*amount string, description string, expiresIn number, internalId string, callbackUrl string, +maxFee string',
    envelope: 'success, message, data',
    data: withdrawalRequest,
  },
  {
    ...{ name: 'retrieveWithdrawalRequest', verb: 'GET', path: '/v0/withdrawal-requests/{id}', host: 'base' },
    envelope: 'success, message, data',
    data: withdrawalRequest,
  },
  {
    ...{
      name: 'cancelWithdrawalRequest',
      verb: 'POST',
      path: '/v0/withdrawal-requests/{id}/cancel',
      host: 'base',
      additive: true,
    },
    body: '',
    envelope: 'success, message, data',
    data: withdrawalRequest,
  },
  {
    ...{ name: 'sendPayment', verb: 'POST', path: '/v0/payments', host: 'base' },
    body: '*invoice string, description string, amount string, internalId string, callbackUrl string, +maxFee string',
    envelope: 'success, message, data',
    data: payment,
  },
  {
    ...{ name: 'retrievePayment', verb: 'GET', path: '/v0/payments/{id}', host: 'base' },
    envelope: 'success, message, data',
    data: payment,
  },
  {
    ...{ name: 'fetchOfferInvoice', verb: 'POST', path: '/v0/offer-invoices', host: 'base', additive: true },
    body: '*offer string, amount string, note string',
    envelope: 'message, data',
    data: `invoice string, paymentHash string, amount string, network string, description string, expiresAt string`,
  },
  {
    ...{ name: 'sendKeysendPayment', verb: 'POST', path: '/v0/keysend-payment', host: 'base' },
    body: '*amount string, *pubkey string, callbackUrl string, metadata object, tlvRecords array, +maxFee string',
    envelope: 'message, success, data',
    data: `keysendId string, paymentId string, transaction object, transaction.id string, transaction.walletId string,
      transaction.type string, transaction.totalAmount string, transaction.fee string, transaction.amount string,
      transaction.description string, transaction.status string, transaction.confirmedAt string or null`,
  },
  {
    ...{ name: 'payToGamertag', verb: 'POST', path: '/v0/gamertag/send-payment', host: 'alt' },
    body: '*amount string, *gamertag string, *description string, +receiverId string',
    envelope: 'success, data, message',
    data: `id string, status string, transactionId string, receiverId string, amount string, comment string,
      settledAt string`,
  },
  {
    ...{ name: 'getGamertagPayment', verb: 'GET', path: '/v0/gamertag/transaction/{id}', host: 'base' },
    envelope: 'message, success, data',
    data: `id string, receiverId string, amount string, fee string, unit string, processedAt string, confirmedAt string,
      comment string, status string`,
  },
  {
    ...{ name: 'validateLightningAddress', verb: 'GET', path: '/v0/ln-address/validate/{address}', host: 'alt' },
    envelope: 'success, data',
    data: `valid boolean, metadata object, metadata.minSendable number, metadata.maxSendable number,
      metadata.commentAllowed number, metadata.tag string, metadata.metadata string, metadata.callback string,
      metadata.payerData object, metadata.payerData.name object, metadata.payerData.name.mandatory boolean,
      metadata.payerData.identifier object, metadata.payerData.identifier.mandatory boolean, metadata.disposable boolean`,
  },
  {
    ...{ name: 'createVoucher', verb: 'POST', path: '/v1/create-voucher', host: 'base' },
    body: '*amount string, description string, expiresAt string',
    envelope: 'success, data, message',
    data: `+expiresAt string or null, amount string, code string, createdAt string, createTransactionId string, description string, fee string,
      id string, unit string, walletId string, ${withdraw}`,
  },
  {
    ...{ name: 'retrieveVoucher', verb: 'GET', path: '/v0/vouchers/{VOUCHER_ID}', host: 'base' },
    envelope: 'success, data, message',
    data: `${endedVoucher}, createTransactionId string, updatedAt string or null, walletId string, ${withdraw}`,
  },
  {
    ...{ name: 'revokeVoucher', verb: 'POST', path: '/v0/revoke-voucher', host: 'base' },
    body: '*code string',
    envelope: 'success, data, message',
    data: endedVoucher,
  },
  {
    ...{ name: 'redeemVoucher', verb: 'POST', path: '/v0/redeem-voucher', host: 'base', additive: true },
    body: '*code string',
    envelope: 'success, data, message',
    data: endedVoucher,
  },
  {
    ...{ name: 'getGamertagByUserId', verb: 'GET', path: '/v0/gamertag/user-id/{id}', host: 'base' },
    envelope: 'success, data, message',
    data: 'gamertag string',
  },
  {
    ...{ name: 'getIdByGamertag', verb: 'GET', path: '/v0/user-id/gamertag/{GAMERTAG}', host: 'base' },
    envelope: 'success, data',
    data: 'id string',
  },
  {
    ...{ name: 'openUser', verb: 'POST', path: '/v0/users', host: 'base', additive: true },
    body: '*reference string, *gamertag string',
    envelope: 'success, data, message',
    data: 'id string, gamertag string, created boolean',
  },
  {
    ...{ name: 'createSignInLink', verb: 'POST', path: '/v0/users/{id}/sign-in-link', host: 'base', additive: true },
    body: '',
    envelope: 'success, data, message',
    data: 'url string, expiresAt string',
  },
  {
    ...{ name: 'proveGamertag', verb: 'POST', path: '/v0/gamertag/prove', host: 'base', additive: true },
    body: '*gamertag string, reference string, code string',
    envelope: 'success, data, message',
    data: 'id string, gamertag string',
  },
  {
    ...{ name: 'getWallet', verb: 'GET', path: '/v0/wallet', host: 'base' },
    envelope: 'message, data',
    data: `unit string, balance string, +network string, +node object, +node.state string, +node.tariff object,
      +node.tariff.base string, +node.tariff.partsPerMillion number, +node.offers object, +node.offers.pays boolean,
      +node.offers.names boolean, +node.offers.receives boolean`,
  },
  {
    ...{ name: 'apiSupportedRegions', verb: 'GET', path: '/v0/is-supported-region/{IP_ADDRESS}', host: 'base' },
    envelope: 'success, data',
    data: 'ipAddress string, isSupported boolean, ipCountry string, ipRegion string',
  },
  ...additionsAsWritten,
]
