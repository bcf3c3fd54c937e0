import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { findCharge, showCharge } from '../receiving/charge.ts'

/**
 * Get Gamertag Charge (additive): returns a charge in the form of its callback, to the project that made the charge.
 */
export const getGamertagCharge = implement(operations.getGamertagCharge, async ({ params, caller, parts }) => {
  return { data: showCharge(await findCharge(parts, params.id, caller.projectId, 'user')) }
})
