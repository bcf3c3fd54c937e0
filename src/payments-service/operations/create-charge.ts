import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { prepareCharge, showProjectCharge } from '../receiving/charge.ts'

/** Create Charge (additive): creates a single-use invoice whose payment credits the project's own wallet. */
export const createCharge = implement(operations.createCharge, async ({ body, caller, parts, commit }) => {
  refuseAboveMaximum(parts, body.amount)
  const { charge, change } = await prepareCharge(parts, {
    projectId: caller.projectId,
    payee: { kind: 'project', id: caller.projectId },
    amount: body.amount,
    description: body.description,
    expiresIn: body.expiresIn,
    internalId: body.internalId ?? '',
    callbackUrl: body.callbackUrl ?? '',
  })
  return commit(change, { message: 'Charge created.', data: showProjectCharge(charge) })
})
