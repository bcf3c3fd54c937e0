import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'

/** Get Gamertag By User ID: returns a user's present gamertag. */
export const getGamertagByUserId = implement(operations.getGamertagByUserId, async ({ params, parts }) => {
  const user = await parts.database.read.user.findUnique({ where: { id: params.id } })
  if (user === null) throw new ServiceRefusal('user_not_found', 'There is no user with this id. Check the id.')
  return { message: 'Gamertag retrieved.', data: { gamertag: user.gamertag } }
})
