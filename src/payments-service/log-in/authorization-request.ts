import { authorizationQuery, type LogInError, type LogInScope } from '../../payments-api/payments-api.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { type Client, findClient, readScopes } from './clients.ts'
import { isRegistered, withAnswer } from './redirect-uris.ts'

const MAX_STATE = 2_000
/** The form of a SHA-256 hash in base64url without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** A program's request to a user, with all its parts checked. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly scopes: readonly LogInScope[]
  readonly redirectUri: string
  readonly challenge: string
  readonly state: string | undefined
  /** This request as a query, without unknown parameters. */
  readonly query: string
}

export type AskedAuthorization =
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest }
  /**
   * A request from an unknown program, or with an address that is not the program's own: only the user sees the
   * refusal.
   */
  | { readonly kind: 'unknown client' | 'wrong redirect' }
  /** A refusal that the program gets at its return address. */
  | { readonly kind: 'refused'; readonly location: string }

/** Reads the query with which a program sends a user here. Never throws, whatever the query contains. */
export async function readAuthorizationRequest(
  parts: Pick<ServiceParts, 'database' | 'publicUrl'>,
  query: URLSearchParams,
): Promise<AskedAuthorization> {
  // If a parameter occurs twice, readers may choose different values, so it counts as missing.
  const one = (name: string) => (query.getAll(name).length === 1 ? (query.get(name) ?? '') : '')
  const client = await findClient(parts.database, one('client_id'))
  if (client === undefined) return { kind: 'unknown client' }
  const redirectUri = one('redirect_uri')
  if (!isRegistered(redirectUri, client.redirectUris, client.secretHash === undefined))
    return { kind: 'wrong redirect' }
  const state = query.get('state') ?? undefined
  const refused = (error: LogInError, description: string): AskedAuthorization => ({
    kind: 'refused',
    location: answerTo(parts, { redirectUri, state }, { error, error_description: description }),
  })
  const twice = Object.keys(authorizationQuery.shape).find((name) => query.getAll(name).length > 1)
  if (twice !== undefined) return refused('invalid_request', `${twice} is there twice.`)
  if (!query.has('response_type')) return refused('invalid_request', 'response_type is missing; it must be code.')
  if (one('response_type') !== 'code') return refused('unsupported_response_type', 'response_type must be code.')
  const challenge = one('code_challenge')
  // RFC 7636 treats a missing method as "plain", which protects nothing.
  if (one('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    const how = 'code_challenge must be a SHA-256 in base64url, and code_challenge_method S256.'
    return refused('invalid_request', `PKCE is required: ${how}`)
  }
  if (state !== undefined && state.length > MAX_STATE) {
    return refused('invalid_request', `state has more than ${MAX_STATE} characters.`)
  }
  const scopes = readScopes(one('scope') || 'user')
  if (scopes === undefined || scopes.length === 0) return refused('invalid_scope', 'The scopes are user and wallet.')
  const surplus = scopes.find((scope) => !client.scopes.includes(scope))
  if (surplus !== undefined) return refused('invalid_scope', `This program may not ask for ${surplus}.`)
  return {
    kind: 'asked',
    request: { client, scopes, redirectUri, challenge, state, query: understood(query) },
  }
}

/**
 * Returns the address at which a program gets an answer, along with the program's state and our own address (RFC 9207).
 */
export function answerTo(
  { publicUrl }: Pick<ServiceParts, 'publicUrl'>,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  return withAnswer(redirectUri, { ...answer, state, iss: publicUrl })
}

function understood(query: URLSearchParams): string {
  const names = Object.keys(authorizationQuery.shape).filter((name) => query.has(name))
  return new URLSearchParams(names.map((name): [string, string] => [name, query.get(name) ?? ''])).toString()
}
