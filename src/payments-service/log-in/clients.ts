import { isSameSecret } from '../../lib/http/is-same-secret.ts'
import { LOG_IN_SCOPES, type LogInScope } from '../../payments-api/payments-api.ts'
import type { PaymentsDatabase } from '../core/database.ts'
import { hashSecret } from '../core/secrets.ts'
import type { LogInClient } from '../generated/client.ts'

/** A program that users may log in to, as it is registered. */
export interface Client {
  readonly id: string
  readonly projectId: string
  /** The program's name, as users see it. */
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly LogInScope[]
  /**
   * The hash of the program's secret; undefined for a program that runs where its user could read a secret, so that
   * only PKCE protects the program.
   */
  readonly secretHash: string | undefined
}

/** The form of a program's id. Text in any other form is not sent to the database, which may be unable to read it. */
export const CLIENT_ID = /^[\x21-\x7e]{1,64}$/

/** Finds the program with this id; undefined if there is none, or it was removed. */
export async function findClient({ read }: Pick<PaymentsDatabase, 'read'>, id: string): Promise<Client | undefined> {
  if (!CLIENT_ID.test(id)) return undefined
  const row = await read.logInClient.findUnique({ where: { id } })
  return row === null || row.removedAt !== null ? undefined : clientOf(row)
}

/** Whether a secret belongs to the program. */
export function isSecretOf(client: Client, secret: string): boolean {
  return client.secretHash !== undefined && isSameSecret(hashSecret(secret), client.secretHash)
}

/** Converts a program's row, in which lists are stored as texts. */
export function clientOf({ id, projectId, name, redirectUris, scopes, secretHash }: LogInClient): Client {
  return {
    id,
    projectId,
    name,
    redirectUris: redirectUris.split('\n'),
    scopes: readScopes(scopes) ?? [],
    secretHash: secretHash ?? undefined,
  }
}

/**
 * Reads scopes, separated by spaces (RFC 6749) or commas. Returns each scope once, in a fixed order; undefined if any
 * scope is unknown.
 */
export function readScopes(text: string): readonly LogInScope[] | undefined {
  const words = text.split(/[ ,]+/).filter((word) => word !== '')
  if (words.some((word) => !LOG_IN_SCOPES.some((scope) => scope === word))) return undefined
  return LOG_IN_SCOPES.filter((scope) => words.includes(scope))
}
