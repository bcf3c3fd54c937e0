import { token } from '../../lib/entropy.ts'
import { msats } from '../../lib/money/amount.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { inFlight, wallet } from '../core/chart-of-accounts.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { operationOfRequest, withdrawalRequestData } from '../engine/sending/withdrawal-request-record.ts'
import type { WithdrawalRequest } from '../generated/client.ts'
import { feeLimitOf } from '../payments/fee-limit.ts'

const DEFAULT_EXPIRES_IN_SECONDS = 3_600

/** Create Withdrawal Request: holds the amount and the maximum fee, so that a claim never fails for lack of funds. */
export const createWithdrawalRequest = implement(
  operations.createWithdrawalRequest,
  async ({ body, caller, parts, commit }) => {
    refuseAboveMaximum(parts, body.amount)
    const now = parts.clock.now()
    const request: WithdrawalRequest = {
      id: parts.entropy.uuid(),
      projectId: caller.projectId,
      amount: body.amount,
      maxFee: feeLimitOf(parts, body.amount, body.maxFee),
      fee: null,
      description: body.description ?? '',
      internalId: body.internalId ?? '',
      callbackUrl: body.callbackUrl ?? '',
      status: 'pending',
      secret: token(parts.entropy),
      createdAt: new Date(now),
      expiresAt: new Date(now + (body.expiresIn ?? DEFAULT_EXPIRES_IN_SECONDS) * 1_000),
    }
    const payer = { kind: 'project', id: caller.projectId } as const
    const held = msats(request.amount + request.maxFee)
    return commit(
      {
        entries: [
          {
            operation: operationOfRequest(request.id),
            step: 'reserve',
            moves: [{ from: wallet(payer), to: inFlight(payer), amount: held }],
          },
        ],
        rows: [{ table: 'WithdrawalRequest', values: { ...request } }],
      },
      { message: 'Withdrawal request created.', data: withdrawalRequestData(parts, request) },
    )
  },
)
