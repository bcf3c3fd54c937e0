import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { withdrawalRequestData } from '../engine/sending/withdrawal-request-record.ts'

/** Retrieve Withdrawal Request: returns one of the calling project's requests, with its codes. */
export const retrieveWithdrawalRequest = implement(
  operations.retrieveWithdrawalRequest,
  async ({ params, caller, parts }) => {
    const request = await parts.database.read.withdrawalRequest.findFirst({
      where: { id: params.id, projectId: caller.projectId },
    })
    if (request === null)
      throw new ServiceRefusal(
        'not_found',
        'This project has no withdrawal request with this id. Check the id and the API key.',
      )
    return { message: 'Withdrawal request retrieved.', data: withdrawalRequestData(parts, request) }
  },
)
