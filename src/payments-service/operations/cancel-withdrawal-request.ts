import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { withdrawalRequestData } from '../engine/sending/withdrawal-request-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { WithdrawalRequest } from '../generated/client.ts'
import { expire } from '../withdrawal-requests/expire-withdrawal-requests.ts'

/**
 * Cancel Withdrawal Request: makes one of the calling project's requests expire now. If a claim came first, the outcome
 * of that claim decides instead.
 */
export const cancelWithdrawalRequest = implement(
  operations.cancelWithdrawalRequest,
  async ({ params, caller, parts }) => {
    const request = await read(parts, params.id, caller.projectId)
    if (request.status === 'pending') await expire(parts, request)
    const data = withdrawalRequestData(parts, await read(parts, params.id, caller.projectId))
    return { message: 'This is how the withdrawal request stands.', data }
  },
)

async function read({ database }: ServiceParts, id: string, projectId: string): Promise<WithdrawalRequest> {
  const request = await database.read.withdrawalRequest.findFirst({ where: { id, projectId } })
  if (request === null)
    throw new ServiceRefusal(
      'not_found',
      'This project has no withdrawal request with this id. Check the id and the API key.',
    )
  return request
}
