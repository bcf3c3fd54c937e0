import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'

/** Get ID by Gamertag: the immutable id of the user who has a gamertag now, in any case. */
export const getIdByGamertag = implement(operations.getIdByGamertag, async ({ params, parts }) => ({
  data: { id: await parts.names.userId(params.gamertag) },
}))
