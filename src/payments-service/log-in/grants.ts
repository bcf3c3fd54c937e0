import { token as newToken } from '../../lib/entropy.ts'
import { CODE_SECONDS, type LogInScope } from '../../payments-api/payments-api.ts'
import type { CoreParts } from '../core/core-parts.ts'
import type { Tx } from '../core/database.ts'
import { hashSecret } from '../core/secrets.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { readScopes } from './clients.ts'

/** A program with a user's permission. */
export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly LogInScope[]
  /** When the user granted the oldest permission that is still valid. */
  readonly since: Date
}

/**
 * Grants a program what it requested. Resolves to the code that the program exchanges for tokens. Only a hash of the
 * code is stored.
 */
export async function allow(
  { ledger, clock, entropy }: Pick<CoreParts, 'ledger' | 'clock' | 'entropy'>,
  userId: string,
  { client, scopes, redirectUri, challenge }: AuthorizationRequest,
): Promise<string> {
  const code = `satchel_code_${newToken(entropy)}`
  const now = clock.now()
  const values = {
    hash: hashSecret(code),
    grantId: entropy.uuid(),
    clientId: client.id,
    userId,
    scopes: scopes.join(','),
    redirectUri,
    challenge,
    createdAt: new Date(now),
    expiresAt: new Date(now + CODE_SECONDS * 1_000),
  }
  await ledger.commit({ rows: [{ table: 'LogInCode', values }] })
  return code
}

/** Returns the programs with a user's permission, sorted by name. */
export async function listConnectedApps(
  { database, bookClock }: Pick<CoreParts, 'database' | 'bookClock'>,
  userId: string,
): Promise<readonly ConnectedApp[]> {
  const expiresAt = { gt: new Date(bookClock.latest()) }
  const where = { userId, endedAt: null, expiresAt }
  const grants = await database.read.logInGrant.findMany({ where, orderBy: { createdAt: 'asc' } })
  const ids = [...new Set(grants.map(({ clientId }) => clientId))]
  const clients = await database.read.logInClient.findMany({ where: { id: { in: ids }, removedAt: null } })
  return clients
    .map(({ id, name }) => {
      const own = grants.filter(({ clientId }) => clientId === id)
      const scopes = readScopes(own.map((grant) => grant.scopes).join(',')) ?? []
      return { clientId: id, name, scopes, since: own[0]?.createdAt ?? new Date(0) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/**
 * Ends every permission that a user gave a program, in a ledger change, including grants whose tokens have not been
 * fetched yet.
 */
export async function disconnect(tx: Tx, userId: string, clientId: string, at: Date): Promise<void> {
  await tx.logInCode.deleteMany({ where: { userId, clientId } })
  await tx.logInGrant.updateMany({ where: { userId, clientId, endedAt: null }, data: { endedAt: at } })
}

/** Ends one log-in with all its tokens, in a ledger change. */
export async function endGrant(tx: Tx, grantId: string, at: Date): Promise<void> {
  await tx.logInGrant.updateMany({ where: { id: grantId, endedAt: null }, data: { endedAt: at } })
}
