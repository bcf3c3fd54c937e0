import type { FailureCode } from '../backend.ts'

interface FinalError {
  readonly code: FailureCode
  /** A sentence for the payer. */
  readonly reason: string
  /**
   * Whether parts may have been under way. A part that was just being reserved when `xpay` gave up may still leave, and
   * appears in `listpays` a moment later, so the record is read once more.
   */
  readonly afterParts?: true
  /** The source that documents, or the observation that shows, that a call with this error has nothing under way. */
  readonly source: string
}

const REFUSED_CALL = 'The Lightning node refused the request. Nothing was sent.'

/**
 * The error codes of `xpay` after which the call sends nothing more. None of them proves the outcome of an earlier call
 * with the same payment hash: after a restart with an HTLC under way, `xpay` answers 205, although the first payment
 * completes later. The record (`listpays`) is therefore read before and after the call. Other codes prove nothing: 219
 * (already paid) and -3 (in progress) concern another call, and -1 and 212 are catch-alls.
 */
export const FINAL_XPAY_ERRORS: ReadonlyMap<number, FinalError> = new Map<number, FinalError>([
  [
    203,
    {
      code: 'refused_by_payee',
      reason: 'The payee does not accept this payment. Ask for a new invoice.',
      afterParts: true,
      source: 'doc/schemas/xpay.json, "Permanent failure from destination"; seen with v26.06.6: `failed` in listpays',
    },
  ],
  [
    205,
    {
      code: 'no_route',
      reason: 'The Lightning node found no route to the payee.',
      source: 'doc/schemas/xpay.json, "Couldn\'t find, or find a way to, the destination"; seen: listpays stays empty',
    },
  ],
  [
    206,
    {
      code: 'no_route',
      reason: 'Every route to the payee costs more than the fee limit.',
      source: 'PAY_ROUTE_TOO_EXPENSIVE in common/jsonrpc_errors.h; seen with maxfee 0: listpays stays empty',
    },
  ],
  [
    209,
    {
      code: 'no_route',
      reason: 'No route could carry the payment.',
      afterParts: true,
      source:
        '`payment_give_up` of plugins/xpay/xpay.c, the same end as that of 203; seen with a hop without liquidity: `failed` in listpays',
    },
  ],
  [
    210,
    {
      code: 'no_route',
      reason: 'The Lightning node found no route to the payee.',
      afterParts: true,
      source: 'the route solver gives up (plugins/askrene/mcf.c), before a part or instead of a further one',
    },
  ],
  [
    215,
    {
      code: 'no_liquidity',
      reason: 'The Lightning node has too little to send now.',
      source:
        'doc/schemas/getroutes.json (v26.09), 205 before it: the source holds too little; seen: listpays stays empty',
    },
  ],
  [
    220,
    {
      code: 'no_route',
      reason: 'The payee can receive less than this just now.',
      source:
        'doc/schemas/getroutes.json (v26.09), 205 before it: the destination can take too little; seen: listpays stays empty',
    },
  ],
  [
    207,
    {
      code: 'invoice_expired',
      reason: 'The invoice has expired. Ask for a new one.',
      source: 'doc/schemas/xpay.json, "Invoice has expired"; seen: refused before the first part',
    },
  ],
  [
    -32602,
    {
      code: 'refused_by_node',
      reason: REFUSED_CALL,
      source:
        'JSON-RPC 2.0, "Invalid params"; seen with a missing and a superfluous amount_msat: refused before it starts',
    },
  ],
  [
    -32601,
    {
      code: 'refused_by_node',
      reason: REFUSED_CALL,
      source: 'JSON-RPC 2.0, "Method not found": Core Lightning before v24.11 has no xpay',
    },
  ],
  [
    1501,
    {
      code: 'refused_by_node',
      reason: REFUSED_CALL,
      source: 'RUNE_NOT_AUTHORIZED in common/jsonrpc_errors.h; clnrest checks the rune before it calls the method',
    },
  ],
  [
    1502,
    {
      code: 'refused_by_node',
      reason: REFUSED_CALL,
      source: 'RUNE_NOT_PERMITTED in common/jsonrpc_errors.h; clnrest checks the rune before it calls the method',
    },
  ],
  [
    1503,
    {
      code: 'refused_by_node',
      reason: REFUSED_CALL,
      source: 'RUNE_BLACKLISTED in doc/schemas/checkrune.json; clnrest checks the rune before it calls the method',
    },
  ],
])
