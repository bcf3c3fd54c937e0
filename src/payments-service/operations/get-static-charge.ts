import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { offerOf } from '../receiving/own-offer.ts'
import { payableCharge } from '../receiving/payable-name.ts'
import { showStaticCharge } from '../receiving/static-charge.ts'

/**
 * Get Static Charge: returns a Static Charge with its slots, success message and status, and its offer if there can be
 * one.
 */
export const getStaticCharge = implement(operations.getStaticCharge, async ({ params, caller, parts }) => {
  const charge = await parts.database.read.staticCharge.findUnique({ where: { id: params.id } })
  if (charge === null || charge.projectId !== caller.projectId) {
    throw new ServiceRefusal(
      'not_found',
      'This project has no Static Charge with this id. Check the id and the API key.',
    )
  }
  const offer = await offerOf(parts, payableCharge(parts, charge))
  const data = { ...showStaticCharge(parts, charge), ...(offer !== undefined && { offer }) }
  return { message: 'Static Charge retrieved.', data }
})
