import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { showCharge } from '../receiving/charge.ts'

/** Get Gamertag Charge (additive): a charge as its callback shows it, for the project that made it. */
export const getGamertagCharge = implement(operations.getGamertagCharge, async ({ params, caller, parts }) => {
  const charge = await parts.database.read.charge.findUnique({ where: { id: params.id } })
  if (charge === null || charge.projectId !== caller.projectId) {
    throw new ServiceRefusal('not_found', 'This project has no charge with this id.')
  }
  return { data: showCharge(charge) }
})
