import type { Row } from '../../../ledger/ledger.ts'
import { encodeLnurl, lightningUri } from '../../../lib/lightning/lnurl.ts'
import { fastWithdrawUrl, type WithdrawParams } from '../../../lib/lightning/lnurl-messages.ts'
import type { Operations, WireOf } from '../../../payments-api/payments-api.ts'
import { UNIT } from '../../core/chart-of-accounts.ts'
import type { WithdrawalRequest } from '../../generated/client.ts'
import type { NodeParts } from '../node/node-parts.ts'
import { callbackRows } from '../outbox/record-callback.ts'

export type WithdrawalRequestData = WireOf<Operations['createWithdrawalRequest']>['data']

/** The path at which a wallet reads a code's withdrawal parameters (LUD-03). */
export const PAYLOAD_PATH = '/v0/payload-withdrawal-request'
/** The path at which a wallet submits its invoice. */
export const CLAIM_PATH = '/v0/claim-withdrawal-request'

/**
 * Converts a withdrawal request to the interface's form, with its codes. Anybody who sees the codes can claim the
 * request.
 */
export function withdrawalRequestData(
  parts: Pick<NodeParts, 'publicUrl'>,
  request: WithdrawalRequest,
): WithdrawalRequestData {
  const url = new URL(`${parts.publicUrl}${PAYLOAD_PATH}`)
  url.searchParams.set('secret', request.secret)
  const code = encodeLnurl(url)
  const fastCode = encodeLnurl(fastWithdrawUrl(url, withdrawParams(parts, request)))
  return {
    id: request.id,
    unit: UNIT,
    amount: request.amount.toString(),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    internalId: request.internalId,
    description: request.description,
    callbackUrl: request.callbackUrl,
    status: request.status as WithdrawalRequestData['status'],
    fee: request.fee?.toString() ?? null,
    invoice: { request: code, fastRequest: fastCode, uri: lightningUri(code), fastUri: lightningUri(fastCode) },
  }
}

/** Builds the answer to a wallet (LUD-03), with a single amount, and the secret as k1. */
export function withdrawParams(
  { publicUrl }: Pick<NodeParts, 'publicUrl'>,
  request: WithdrawalRequest,
): WithdrawParams {
  return {
    tag: 'withdrawRequest',
    callback: `${publicUrl}${CLAIM_PATH}`,
    k1: request.secret,
    defaultDescription: request.description,
    minWithdrawable: Number(request.amount),
    maxWithdrawable: Number(request.amount),
  }
}

/** Returns the row that notifies the project of its request's state. */
export function withdrawalRequestCallback(
  parts: Pick<NodeParts, 'clock' | 'entropy' | 'publicUrl'>,
  request: WithdrawalRequest,
): Row[] {
  return callbackRows(parts, {
    projectId: request.projectId,
    resource: `withdrawal-request:${request.id}`,
    url: request.callbackUrl,
    kind: 'withdrawalRequest',
    body: withdrawalRequestData(parts, request),
  })
}

/** Returns the journal operation that holds a request's money, and ends once, when the money is paid or given back. */
export function operationOfRequest(id: string): string {
  return `withdrawal-request:${id}`
}
