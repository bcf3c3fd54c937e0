import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { findProjectUser, openProjectUser } from '../users/project-user.ts'

/**
 * Open User: returns the user who stands for one of the calling project's own people. The first call opens the user.
 */
export const openUser = implement(operations.openUser, async ({ body, caller, parts, commit }) => {
  const { reference, gamertag } = body
  const known = await findProjectUser(parts.database.read, caller.projectId, reference)
  if (known !== undefined) return { message: 'The user is known.', data: { ...known, created: false } }
  return commit(
    { write: (tx) => openProjectUser(parts, tx, { projectId: caller.projectId, reference, gamertag }) },
    (data) => ({ message: data.created ? 'User opened.' : 'The user is known.', data }),
  )
})
