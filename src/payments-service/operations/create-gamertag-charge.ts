import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { prepareCharge, showNewCharge } from '../receiving/charge.ts'

/** Create Gamertag Charge: creates a single-use invoice whose payment credits the gamertag's owner. */
export const createGamertagCharge = implement(
  operations.createGamertagCharge,
  async ({ body, caller, parts, commit }) => {
    refuseAboveMaximum(parts, body.amount)
    const id = await parts.names.userId(body.gamertag)
    const { charge, change } = await prepareCharge(parts, {
      projectId: caller.projectId,
      payee: { kind: 'user', id },
      amount: body.amount,
      description: body.description ?? '',
      expiresIn: body.expiresIn,
      internalId: body.internalId ?? '',
      callbackUrl: body.callbackUrl ?? '',
    })
    return commit(change, { data: showNewCharge(charge) })
  },
)
