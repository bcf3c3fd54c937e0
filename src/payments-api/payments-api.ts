/**
 * The public API of the payments interface's contract, which belongs to neither the service nor its clients: the
 * operations as data, the service's checks, the client, the callbacks, and the OpenAPI document.
 */
export { PaymentsError, type PaymentsErrorKind } from '../../clients/typescript/src/outcomes.ts'
export {
  isCallbackSecret,
  newCallbackSecret,
  type SignedHeaders,
  signatureHeaders,
  signCallback,
  type Verdict,
  verifyCallback,
} from './callback-signature.ts'
export {
  type CallbackHint,
  type CallbackKind,
  type CallbackOccasion,
  type CallbackWire,
  callbackOccasions,
  callbacks,
  readCallback,
} from './callbacks.ts'
export { type Checked, type Complaint, checkBody, checkHeaders, checkParams, checkQuery } from './check-body.ts'
export {
  type ApiAnswer,
  type CallOptions,
  createPaymentsClient,
  type InputOf,
  type PaymentsClient,
  type PaymentsClientOptions,
} from './client.ts'
export { eventStream, scopeOfEvent, signedEvent } from './event-stream.ts'
export {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZE_PATH,
  authorizationQuery,
  CODE_SECONDS,
  LOG_IN_SCOPES,
  type LogInEndpoint,
  type LogInError,
  type LogInErrorBody,
  type LogInScope,
  logInEndpoints,
  logInErrors,
  REFRESH_TOKEN_SECONDS,
  TOKEN_PATH,
  type TokenAnswer,
  tokenBody,
} from './log-in.ts'
export { openApiDocument } from './openapi.ts'
export type { BodyOf, DataOf, HeadersOf, Operation, ParamsOf, QueryOf, WireOf } from './operation.ts'
export { PAYMENTS_A_PAGE } from './operations/static-charges.ts'
export { TRANSACTION_TYPES, TRANSACTIONS_A_PAGE, type TransactionType } from './operations/transactions.ts'
export { type OperationName, type Operations, operations } from './operations.ts'
export { probeReplay, remembersKey } from './probe-replay.ts'
export { providerAddress } from './provider.ts'
export { AMOUNT_LIMIT_HEADER, type ErrorBody, errorBody, type RefusalCode, refusals } from './refusals.ts'
export { EXAMPLE_INVOICE, MAX_EXPIRES_IN_SECONDS, UNLIMITED_SLOTS } from './request-fields.ts'
export { type Progress, progressOf } from './states.ts'
export { redactBody, redactHeaders, type WireEvent } from './wire-log.ts'
