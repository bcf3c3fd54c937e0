import { operations } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { newSignInToken, signInLink } from '../users/sign-in-token.ts'

const LIFETIME_SECONDS = 600

/**
 * Create Sign-in Link: returns a link to the wallet page of a user whom the calling project opened. Other projects'
 * users are not found. Only the newest of these links works.
 */
export const createSignInLink = implement(operations.createSignInLink, async ({ params, caller, parts, commit }) => {
  const { id: userId } = params
  const user = await parts.database.read.user.findUnique({ where: { id: userId } })
  if (user === null || user.projectId !== caller.projectId) {
    throw new ServiceRefusal(
      'user_not_found',
      'This project has opened no user with this id. Check the id and the API key.',
    )
  }
  const expiresAt = new Date(parts.clock.now() + LIFETIME_SECONDS * 1_000)
  const { token, row } = newSignInToken(parts, userId, LIFETIME_SECONDS)
  const url = signInLink(parts, token)
  const former = { userId, usedAt: null, expiresAt: { lte: expiresAt }, hash: { not: String(row.values.hash) } }
  return commit(
    { rows: [row], write: async (tx) => void (await tx.signInToken.deleteMany({ where: former })) },
    { message: 'Sign-in link created.', data: { url, expiresAt: expiresAt.toISOString() } },
  )
})
