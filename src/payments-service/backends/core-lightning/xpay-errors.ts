import type { FailureCode } from '../backend.ts'

interface FinalError {
  readonly code: FailureCode
  /** A sentence for the payer. */
  readonly reason: string
  /** Where it is said, or was seen, that a call which ends so has nothing under way. */
  readonly source: string
}

const REFUSED_CALL = 'The Lightning node refused the request. Nothing was sent.'

/**
 * The error codes of `xpay` after which this call sends nothing more. None of them says anything of an earlier call of
 * the same payment hash: after a restart with an HTLC under way, `xpay` answers 205, and the first payment completes
 * later. So the record (`listpays`) is read before the call and after it. Codes that are not in this list prove nothing:
 * 219 (already paid) and -3 (in progress) speak of another call; -1, 209, 210 and 212 are catch-alls.
 */
export const FINAL_XPAY_ERRORS: ReadonlyMap<number, FinalError> = new Map<number, FinalError>([
  [
    203,
    {
      code: 'refused_by_payee',
      reason: 'The payee does not accept this payment. Ask for a new invoice.',
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
])
