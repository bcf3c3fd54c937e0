import type { LogInScope } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { Caller } from '../engine/http/operation.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { User } from '../generated/client.ts'
import { findLoggedIn } from '../log-in/tokens.ts'

interface UsersCall {
  readonly parts: Pick<ServiceParts, 'database' | 'bookClock'>
  readonly caller: Caller
  readonly headers: { readonly usertoken?: string | undefined }
}

/**
 * Returns the user whose token came with a call. Throws ServiceRefusal: missing_user_token, unknown_user_token,
 * missing_user_scope if the user has not granted the program this scope.
 */
export async function requireUser({ parts, caller, headers }: UsersCall, scope: LogInScope): Promise<User> {
  const token = headers.usertoken ?? ''
  if (token === '') {
    throw new ServiceRefusal('missing_user_token', 'Send the access token of the user in the header "usertoken".')
  }
  const loggedIn = await findLoggedIn(parts, token, caller.projectId)
  const user = loggedIn && (await parts.database.read.user.findUnique({ where: { id: loggedIn.userId } }))
  if (!user) {
    throw new ServiceRefusal(
      'unknown_user_token',
      'This user token is unknown, expired or revoked, or belongs to another project. Use the refresh token, or have the user log in again.',
    )
  }
  if (loggedIn?.scopes.includes(scope)) return user
  throw new ServiceRefusal(
    'missing_user_scope',
    `The user has not granted the scope "${scope}" to this program. Have the user log in again, with that scope.`,
  )
}
