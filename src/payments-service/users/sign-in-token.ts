import type { Row } from '../../ledger/ledger.ts'
import { token as newToken } from '../../lib/entropy.ts'
import { hashSecret } from '../core/secrets.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** How long an operator's link may wait to be opened. */
const DEFAULT_LIFETIME_SECONDS = 24 * 3_600

/**
 * Creates a token that signs a user in on the wallet page once, and the row that makes it valid. The token is shown
 * once, and only its hash is stored.
 */
export function newSignInToken(
  parts: Pick<ServiceParts, 'clock' | 'entropy'>,
  userId: string,
  lifetimeSeconds = DEFAULT_LIFETIME_SECONDS,
): { readonly token: string; readonly row: Row } {
  const token = newToken(parts.entropy)
  const now = parts.clock.now()
  const values = {
    hash: hashSecret(token),
    userId,
    createdAt: new Date(now),
    expiresAt: new Date(now + lifetimeSeconds * 1_000),
  }
  return { token, row: { table: 'SignInToken', values } }
}

/**
 * Returns the address that signs in with a token. Opening the address only shows a button, so a link preview does not
 * use the token up.
 */
export function signInLink({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, token: string): string {
  return `${publicUrl}/wallet/sign-in?token=${token}`
}
