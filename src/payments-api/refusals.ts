/**
 * Every code that an error body may carry, with its HTTP status and its meaning. The interface defines no errors. The
 * error format `{ success: false, message, code }` and the statuses are ours, and additive: clients of other providers
 * rely on `message` alone. Codes are stable: new ones may be added, but none is ever renamed.
 *
 * `proves` marks the conflicts (409) and outages (503) which prove that nothing happened. The other conflicts mean that
 * a request may have succeeded: the running one, an earlier one under the same key, or an earlier payment of the same
 * invoice.
 */
export const refusals = {
  invalid_json: { status: 400, meaning: 'The body is not valid JSON.' },
  invalid_body: { status: 400, meaning: 'The body is not a JSON object.' },
  unknown_field: { status: 400, meaning: 'The body carries a field that the operation does not have.' },
  invalid_field: { status: 400, meaning: 'A field or path parameter has the wrong type or form.' },
  invalid_cursor: { status: 400, meaning: 'The service did not issue this cursor to this project.' },
  malformed_request: { status: 400, meaning: 'The request is not valid HTTP, or did not arrive whole.' },
  malformed_url: { status: 400, meaning: 'The address is not a valid URL.' },
  invalid_amount: {
    status: 400,
    meaning: 'An amount is not a string of 1 to 19 digits, in millisatoshis, that begins with 1 to 9.',
  },
  amount_too_low: { status: 400, meaning: 'The amount is below the smallest that can be moved.' },
  amount_too_high: { status: 400, meaning: 'The amount is above the largest that this service moves.' },
  amount_required: { status: 400, meaning: 'The invoice carries no amount, so the request must.' },
  amount_not_allowed: { status: 400, meaning: 'The invoice carries an amount, so the request must not.' },
  insufficient_funds: { status: 400, meaning: 'The wallet cannot cover the amount and its fee.' },
  self_payment: { status: 400, meaning: 'Payer and payee are the same wallet.' },
  invalid_invoice: { status: 400, meaning: 'The text is not a Lightning invoice.' },
  invoice_expired: { status: 400, meaning: 'The invoice can no longer be paid.' },
  wrong_network: { status: 400, meaning: 'The invoice belongs to another network.' },
  invalid_offer: { status: 400, meaning: 'The text is not an offer or Bitcoin name that can be paid.' },
  offer_unanswered: { status: 400, meaning: 'The maker of the offer gave no invoice, or one that was not accepted.' },
  invalid_address: { status: 400, meaning: 'The text is not a Lightning Address.' },
  address_unanswered: { status: 400, meaning: 'The address gave no invoice, or one that was not accepted.' },
  foreign_invoice: { status: 400, meaning: 'The invoice uses a payment hash of this service without being its own.' },
  invalid_idempotency_key: { status: 400, meaning: 'Idempotency-Key is not 1 to 255 visible ASCII characters.' },
  missing_api_key: { status: 401, meaning: 'The apikey header is missing.' },
  unknown_api_key: { status: 401, meaning: 'The API key is unknown, expired or revoked.' },
  missing_user_token: { status: 401, meaning: 'The usertoken header is missing.' },
  unknown_user_token: {
    status: 401,
    meaning: 'The user token is unknown, expired or revoked, or belongs to another project.',
  },
  missing_scope: { status: 403, meaning: 'The API key may not use this operation.' },
  missing_user_scope: { status: 403, meaning: 'The user has not allowed this to the program.' },
  proof_required: { status: 403, meaning: "Nothing shows that the gamertag is the person's own." },
  wrong_proof: { status: 403, meaning: "The code does not belong to the gamertag's user, or has expired." },
  transfer_not_allowed: { status: 403, meaning: 'The operator does not allow transfers between these two projects.' },
  region_not_supported: { status: 403, meaning: 'The service is not offered in the region of the caller.' },
  not_from_here: { status: 403, meaning: 'The figures at /metrics are not for this caller.' },
  unknown_route: { status: 404, meaning: 'There is no such path.' },
  not_found: { status: 404, meaning: 'There is nothing of this kind with this id.' },
  gamertag_not_found: { status: 404, meaning: 'Nobody has this gamertag.' },
  user_not_found: { status: 404, meaning: 'There is no user with this id.' },
  voucher_not_found: { status: 404, meaning: 'There is no such voucher.' },
  wrong_verb: { status: 405, meaning: 'The path exists, but not for this HTTP method.' },
  slow_body: { status: 408, meaning: 'The request, headers and body, did not arrive in time.' },
  receiver_mismatch: { status: 409, proves: true, meaning: 'The gamertag belongs to another user by now.' },
  voucher_redeemed: { status: 409, proves: true, meaning: 'The voucher has been redeemed.' },
  voucher_revoked: { status: 409, proves: true, meaning: 'The voucher has been revoked.' },
  voucher_expired: { status: 409, proves: true, meaning: 'The time of the voucher is over.' },
  voucher_being_claimed: {
    status: 409,
    proves: true,
    meaning: 'A wallet is claiming the voucher; if its payment fails, the voucher can be used again.',
  },
  identifier_taken: { status: 409, proves: true, meaning: 'The identifier belongs to somebody else.' },
  too_many_identifiers: { status: 409, proves: true, meaning: 'The project has as many identifiers as it may have.' },
  already_paid: { status: 409, meaning: 'A payment of this invoice exists, finished or on its way.' },
  idempotency_key_reused: { status: 409, meaning: 'The Idempotency-Key stands for a request with another body.' },
  idempotency_key_expired: { status: 409, meaning: 'The Idempotency-Key moved money; its answer is no longer kept.' },
  still_running: { status: 409, meaning: 'The first request with this Idempotency-Key has not been answered yet.' },
  events_expired: { status: 410, meaning: 'The stream cannot go on after this event: it is unknown, or too old.' },
  body_too_large: { status: 413, meaning: 'The body is over the size limit.' },
  url_too_long: { status: 414, meaning: 'A part of the address is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The body is declared as something other than JSON.' },
  expectation_failed: { status: 417, meaning: 'The Expect header asks for something other than 100-continue.' },
  missing_field: { status: 422, meaning: 'A required field is missing.' },
  rate_limited: { status: 429, meaning: 'Too many requests; Retry-After says when to try again.' },
  too_many_wrong_codes: { status: 429, meaning: 'Too many wrong voucher codes; Retry-After says when to try again.' },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  internal: { status: 500, meaning: 'A bug. Whether the request was carried out is not known.' },
  not_offered: { status: 501, meaning: 'This service does not offer the operation.' },
  no_price: { status: 503, meaning: 'The service knows no price, or only one that is too old.' },
  too_many_readers: { status: 503, meaning: 'As many programs already read events as the service can serve.' },
  not_ready: { status: 503, meaning: 'The service cannot serve right now, says /ready.' },
  nothing_sent: {
    status: 503,
    proves: true,
    meaning: 'Node, disk or database could not be reached, or the node has too little to send now; nothing happened.',
  },
} as const satisfies Record<string, RefusalMeaning>

interface RefusalMeaning {
  readonly status: number
  readonly meaning: string
  readonly proves?: true
}

export type RefusalCode = keyof typeof refusals

/**
 * The name of an additive header of refusals, with the largest possible amount in msats (amount_too_high, and
 * nothing_sent for lack of liquidity) or the smallest (amount_too_low).
 */
export const AMOUNT_LIMIT_HEADER = 'x-amount-limit'

/** The body of every answer that is not a success. */
export interface ErrorBody {
  readonly success: false
  /** A sentence for a person. */
  readonly message: string
  readonly code: RefusalCode
}

/** Builds the body of an error. */
export function errorBody(code: RefusalCode, message: string): ErrorBody {
  return { success: false, message, code }
}

/** The codes of errors that every operation may return. */
export const everyOperation = [
  'malformed_request',
  'missing_api_key',
  'unknown_api_key',
  'missing_scope',
  'region_not_supported',
  'wrong_verb',
  'slow_body',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal',
  'not_offered',
  'nothing_sent',
] as const satisfies readonly RefusalCode[]

/** The closed list of the 409 and 503 codes that prove that nothing happened, with their statuses. */
export const provingCodes: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(refusals).flatMap(([code, refusal]) => ('proves' in refusal ? [[code, refusal.status] as const] : [])),
)

/** The codes of further errors of every operation with a path parameter. */
export const everyPath = ['invalid_field', 'malformed_url', 'url_too_long'] as const satisfies readonly RefusalCode[]

/** The codes of further errors of every operation with a query. */
export const everyQuery = ['unknown_field', 'invalid_field'] as const satisfies readonly RefusalCode[]

/** The codes of further errors of every operation with a body. */
export const everyBody = [
  'invalid_json',
  'invalid_body',
  'unknown_field',
  'invalid_field',
  'body_too_large',
  'unsupported_media_type',
  'missing_field',
] as const satisfies readonly RefusalCode[]

/** The codes of further errors of every POST, because a POST may carry an Idempotency-Key. */
export const everyPost = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_key_expired',
  'still_running',
] as const satisfies readonly RefusalCode[]
