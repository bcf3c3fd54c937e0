import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'

/**
 * Get ID by Gamertag: returns the immutable id of the user who now has a gamertag, regardless of upper and lower case.
 */
export const getIdByGamertag = implement(operations.getIdByGamertag, async ({ params, parts }) => ({
  data: { id: await parts.names.userId(params.gamertag) },
}))
