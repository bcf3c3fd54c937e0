import { type BodyOf, operations } from '../../payments-api/payments-api.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { showStaticCharge, statusOf } from '../receiving/static-charge.ts'

/**
 * Update Static Charge: changes the given fields of a Static Charge. A higher `allowedSlots` reactivates a disabled
 * charge.
 */
export const updateStaticCharge = implement(
  operations.updateStaticCharge,
  async ({ params, body, caller, parts, commit }) => {
    if (body.maxAmount !== undefined) refuseAboveMaximum(parts, body.maxAmount)
    return commit({ write: (tx) => update(tx, params.id, caller.projectId, body) }, (charge) => ({
      message: 'Static Charge updated.',
      data: showStaticCharge(parts, charge),
    }))
  },
)

async function update(tx: Tx, id: string, projectId: string, body: BodyOf<typeof operations.updateStaticCharge>) {
  const present = await tx.staticCharge.findUnique({ where: { id } })
  if (present === null || present.projectId !== projectId) {
    throw new ServiceRefusal(
      'not_found',
      'This project has no Static Charge with this id. Check the id and the API key.',
    )
  }
  const changed = { ...present, ...body }
  if (changed.minAmount > changed.maxAmount) {
    throw new ServiceRefusal('invalid_amount', 'maxAmount must not be smaller than minAmount.')
  }
  return tx.staticCharge.update({ where: { id }, data: { ...body, status: statusOf(changed) } })
}
