import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { findCharge, showProjectCharge } from '../receiving/charge.ts'

/** Get Charge (additive): returns a charge of the project's own wallet, to the project that made the charge. */
export const getCharge = implement(operations.getCharge, async ({ params, caller, parts }) => {
  const charge = await findCharge(parts, params.id, caller.projectId, 'project')
  return { message: 'Charge found.', data: showProjectCharge(charge) }
})
