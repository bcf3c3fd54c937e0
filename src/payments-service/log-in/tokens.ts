import { createHash } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import {
  ACCESS_TOKEN_SECONDS,
  CODE_SECONDS,
  type LogInScope,
  REFRESH_TOKEN_SECONDS,
  type TokenAnswer,
} from '../../payments-api/payments-api.ts'
import type { CoreParts } from '../core/core-parts.ts'
import type { Tx } from '../core/database.ts'
import { hashSecret, isAlive } from '../core/secrets.ts'
import type { LogInCode } from '../generated/client.ts'
import { type Client, findClient, readScopes } from './clients.ts'
import { endGrant } from './grants.ts'
import { LogInRefusal } from './log-in-refusal.ts'

type TokenParts = Pick<CoreParts, 'database' | 'ledger' | 'clock' | 'bookClock' | 'entropy'>

/** A program's proof that a code is its own. */
export interface CodeProof {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * Exchanges a code for tokens, once. A code that is sent with a wrong proof is used up, and a code that is sent again
 * ends the log-in that began with it. Throws LogInRefusal (invalid_grant).
 */
export async function exchangeCode(parts: TokenParts, client: Client, proof: CodeProof): Promise<TokenAnswer> {
  const hash = hashSecret(proof.code)
  // An invented code causes no write.
  if ((await parts.database.read.logInCode.findUnique({ where: { hash } })) === null) throw unknownCode()
  const answer = await parts.ledger.commit({
    write: async (tx) => {
      const now = new Date(parts.clock.now())
      const row = await tx.logInCode.findUnique({ where: { hash } })
      if (row === null) return undefined
      const { count } = await tx.logInCode.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } })
      if (count === 0) await endGrant(tx, row.grantId, now)
      if (count === 0 || !isAlive(parts, row, CODE_SECONDS * 1_000) || !isFor(row, client, proof)) return undefined
      const { grantId: id, clientId, userId, scopes } = row
      const { answer, expiresAt } = await handOut(parts, tx, { id, scopes })
      await tx.logInGrant.create({ data: { id, clientId, userId, scopes, createdAt: now, expiresAt } })
      return answer
    },
  })
  if (answer === undefined) throw unknownCode()
  return answer
}

/**
 * Whether a code belongs to this program and address, and was requested by the holder of the verifier (RFC 7636, 4.6).
 */
function isFor(row: LogInCode, client: Client, { redirectUri, verifier }: CodeProof): boolean {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return row.clientId === client.id && row.redirectUri === redirectUri && row.challenge === challenge
}

/**
 * Exchanges a refresh token for new tokens, once. If the token is sent again, or by another program, the log-in ends,
 * because the token or its successor was stolen. `scope` narrows the access token's rights. Throws LogInRefusal
 * (invalid_grant, invalid_scope).
 */
export async function refresh(
  parts: TokenParts,
  client: Client,
  { token, scope }: { readonly token: string; readonly scope: string | undefined },
): Promise<TokenAnswer> {
  const hash = hashSecret(token)
  const known = await findToken(parts, hash, 'refresh')
  if (known === undefined) throw unknownToken()
  const scopes = scope === undefined ? known.grant.scopes : narrowed(known.grant.scopes, scope)
  const answer = await parts.ledger.commit({
    write: async (tx) => {
      const now = new Date(parts.clock.now())
      const { count } = await tx.logInToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } })
      const grant = await tx.logInGrant.findUnique({ where: { id: known.grant.id } })
      if (grant === null || grant.endedAt !== null || !isAlive(parts, known, REFRESH_TOKEN_SECONDS * 1_000))
        return undefined
      if (count === 0 || grant.clientId !== client.id) return void (await endGrant(tx, grant.id, now))
      const { answer, expiresAt } = await handOut(parts, tx, { id: grant.id, scopes })
      await tx.logInGrant.update({ where: { id: grant.id }, data: { expiresAt } })
      return answer
    },
  })
  if (answer === undefined) throw unknownToken()
  return answer
}

/** A logged-in user, found by an access token, and the rights of that token. */
export interface LoggedIn {
  readonly userId: string
  readonly scopes: readonly LogInScope[]
}

/**
 * Finds an access token's user and the token's rights; undefined if the token is unknown, has ended, or belongs to a
 * program of another project than the caller's.
 */
export async function findLoggedIn(
  parts: Pick<CoreParts, 'database' | 'bookClock'>,
  token: string,
  projectId: string,
): Promise<LoggedIn | undefined> {
  const row = await findToken(parts, hashSecret(token), 'access')
  if (row === undefined || row.grant.endedAt !== null || !isAlive(parts, row, ACCESS_TOKEN_SECONDS * 1_000))
    return undefined
  const client = await findClient(parts.database, row.grant.clientId)
  if (client?.projectId !== projectId) return undefined
  return { userId: row.grant.userId, scopes: readScopes(row.scopes) ?? [] }
}

async function findToken(
  { database: { read } }: Pick<CoreParts, 'database'>,
  hash: string,
  kind: 'access' | 'refresh',
) {
  const row = await read.logInToken.findUnique({ where: { hash } })
  if (row?.kind !== kind) return undefined
  const grant = await read.logInGrant.findUnique({ where: { id: row.grantId } })
  return grant === null ? undefined : { ...row, grant }
}

/** Creates both tokens of a grant, in a ledger change. The tokens are stored as hashes, and shown once. */
async function handOut(
  { clock, entropy }: Pick<CoreParts, 'clock' | 'entropy'>,
  tx: Tx,
  grant: { readonly id: string; readonly scopes: string },
): Promise<{ readonly answer: TokenAnswer; readonly expiresAt: Date }> {
  const now = clock.now()
  const make = async (kind: 'access' | 'refresh', seconds: number) => {
    const token = `satchel_${kind}_${newToken(entropy)}`
    const expiresAt = new Date(now + seconds * 1_000)
    const about = { grantId: grant.id, kind, scopes: grant.scopes, createdAt: new Date(now), expiresAt }
    await tx.logInToken.create({ data: { hash: hashSecret(token), ...about } })
    return { token, expiresAt }
  }
  const access = await make('access', ACCESS_TOKEN_SECONDS)
  const renewal = await make('refresh', REFRESH_TOKEN_SECONDS)
  const answer = {
    access_token: access.token,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: renewal.token,
    refresh_token_expires_in: REFRESH_TOKEN_SECONDS,
    scope: grant.scopes.replaceAll(',', ' '),
  }
  return { answer, expiresAt: renewal.expiresAt }
}

/**
 * Returns the requested scopes. Throws LogInRefusal (invalid_scope) for a scope that is unknown, or that the user did
 * not permit.
 */
function narrowed(allowed: string, asked: string): string {
  const scopes = readScopes(asked)
  const most = readScopes(allowed) ?? []
  if (scopes !== undefined && scopes.length > 0 && scopes.every((scope) => most.includes(scope)))
    return scopes.join(',')
  throw new LogInRefusal('invalid_scope', `The user allowed only ${most.join(' and ')}; ask for no other scope.`)
}

/** Returns the same refusal for all causes, so that nobody learns whether a code ever existed. */
function unknownCode(): LogInRefusal {
  return new LogInRefusal(
    'invalid_grant',
    'This code is unknown, used or expired, or it was issued for another program, redirect_uri or code_challenge. Have the user log in again.',
  )
}

function unknownToken(): LogInRefusal {
  return new LogInRefusal(
    'invalid_grant',
    'This refresh token is unknown, used, expired or revoked. Have the user log in again.',
  )
}
