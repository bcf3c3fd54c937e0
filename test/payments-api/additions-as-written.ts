import type { Written } from './written.ts'

const projectCharge = `id string, unit string, amount string, status string, description string, createdAt string,
  expiresAt string, confirmedAt string or null, internalId string, callbackUrl string, invoice object,
  invoice.request string, invoice.uri string`

/**
 * The operations that clients of this interface call and only our service offers, typed by hand from the table of its
 * operations.
 */
export const additionsAsWritten: readonly Written[] = [
  {
    ...{ name: 'createCharge', verb: 'POST', path: '/v0/charges', host: 'base', additive: true },
    body: '*amount string, *description string, expiresIn number, callbackUrl string, internalId string',
    envelope: 'success, message, data',
    data: projectCharge,
  },
  {
    ...{ name: 'getCharge', verb: 'GET', path: '/v0/charges/{id}', host: 'base', additive: true },
    envelope: 'success, message, data',
    data: projectCharge,
  },
  {
    ...{ name: 'internalTransfer', verb: 'POST', path: '/v0/internal-transfer', host: 'base', additive: true },
    body: '*amount string, *receiverWalletId string',
    envelope: 'success, message, data',
    data: `id string, senderWalletId string, receiverWalletId string, userId string, sendTxId string, receiveTxId string,
      status string, amount string, createdAt string, updatedAt string`,
  },
  {
    ...{ name: 'getCallbackAddresses', verb: 'GET', path: '/v0/prod-ips', host: 'base', additive: true },
    envelope: 'success, message, data',
    data: 'ips array',
  },
  {
    ...{ name: 'getUserProfile', verb: 'GET', path: '/v1/oauth2/user', host: 'base', additive: true },
    headers: 'usertoken string',
    envelope: 'success, message, data',
    data: `id string, gamertag string, email string or null, image string or null, isVerified boolean,
      lightningAddress string, publicBio string, publicStaticCharge string`,
  },
  {
    ...{ name: 'getUserWallet', verb: 'GET', path: '/v1/oauth2/wallet', host: 'base', additive: true },
    headers: 'usertoken string',
    envelope: 'success, message, data',
    data: `balance string, remainingAmountLimits object, remainingAmountLimits.daily string,
      remainingAmountLimits.weekly string, remainingAmountLimits.monthly string, remainingAmountLimits.maxCredit string`,
  },
  {
    ...{ name: 'getPrice', verb: 'GET', path: '/v0/btcusd', host: 'base', additive: true },
    envelope: 'success, message, data',
    data: 'btcUsdPrice string, btcUsdTimestamp string',
  },
  {
    ...{ name: 'payLightningAddress', verb: 'POST', path: '/v0/ln-address/send-payment', host: 'base', additive: true },
    body: '*lnAddress string, *amount string, comment string, internalId string, callbackUrl string',
    envelope: 'success, message, data',
    data: `id string, fee string, unit string, amount string, invoice string, preimage string or null, walletId string,
      transactionId string, callbackUrl string, internalId string, comment string, processedAt string,
      createdAt string, status string`,
  },
  {
    ...{ name: 'chargeFromAddress', verb: 'POST', path: '/v0/ln-address/fetch-charge', host: 'base', additive: true },
    body: '*lnaddress string, *amount string, description string',
    envelope: 'success, message, data',
    data: 'lnaddress string, amount string, invoice object, invoice.request string, invoice.uri string',
  },
  {
    ...{ name: 'createVoucherBatch', verb: 'POST', path: '/v0/vouchers/batch', host: 'base', additive: true },
    body: '*count number, *amount string, description string, expiresAt string',
    envelope: 'success, data, message',
    data: `createTransactionId string, walletId string, unit string, count number, amount string, fee string,
      total string, description string, createdAt string, expiresAt string or null, vouchers array,
      vouchers[].id string, vouchers[].code string, vouchers[].withdraw object, vouchers[].withdraw.amount string,
      vouchers[].withdraw.request string, vouchers[].withdraw.uri string`,
  },
  {
    ...{ name: 'listTransactions', verb: 'GET', path: '/v0/transactions', host: 'base', additive: true },
    query: 'after string, limit string, type string, from string, to string',
    envelope: 'success, message, data',
    data: `transactions array, transactions[].id string, transactions[].createdAt string, transactions[].type string,
      transactions[].direction string, transactions[].unit string, transactions[].amount string,
      transactions[].fee string, transactions[].balance string, transactions[].resourceId string,
      transactions[].internalId string, transactions[].fiatValue string or null,
      transactions[].fiatCurrency string or null, next string or null`,
  },
]

/**
 * The parts of our additions that are not operations, also typed by hand: the requests and answers of the log-in, and
 * an event of the stream.
 */
export const besideOperations = {
  authorize: `GET /v1/oauth2/authorize: *response_type string, *client_id string, *redirect_uri string, scope string,
    state string, *code_challenge string, *code_challenge_method string`,
  requestToken: `POST /v1/oauth2/token: *grant_type string, client_id string, client_secret string, code string,
    redirect_uri string, code_verifier string, refresh_token string, scope string`,
  token: `*access_token string, *token_type string, *expires_in number, *refresh_token string,
    *refresh_token_expires_in number, *scope string`,
  events: 'GET /v0/events: *id string, *createdAt string, *timestamp string, *signature string, *body string',
} as const
