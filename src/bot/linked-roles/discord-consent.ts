import { DiscordAPIError, HTTPError } from '@discordjs/rest'
import { Routes } from 'discord.js'
import type { RoleFigures } from '../../tipping/tipping.ts'
import type { Calls } from '../transport/permits.ts'
import { metadataOf } from './records.ts'

/** The OAuth scopes that the bot requests. */
const SCOPES = ['role_connections.write', 'identify']
const PLATFORM = 'Satchel'

/** The application that requests the consent, and the address to which browsers return. */
export interface Client {
  readonly applicationId: string
  readonly secret: () => string
  /** The fixed address to which Discord returns browsers, which must also be entered in the developer portal. */
  readonly redirectUri: string
}

/** The tokens that Discord issues after a consent. */
export interface Tokens {
  readonly access: string
  readonly refresh: string
  /** The expiry of `access`, in milliseconds since 1970. */
  readonly until: number
}

/** The error of a request that Discord did not carry out. Contains no part of the request, which has secrets. */
export class ConsentTrouble extends Error {
  /**
   * The refused part: the code or token, or DISCORD_CLIENT_SECRET. Undefined if Discord may accept the request later.
   */
  readonly refused: 'token' | 'secret' | undefined

  constructor(status: number | undefined, refused: 'token' | 'secret' | undefined) {
    super(status === undefined ? 'Discord did not answer' : `Discord answered with status ${status}`)
    this.refused = refused
  }
}

/** Returns the address of Discord's page on which a person consents. `base` is the address of Discord's API. */
export function consentUrl(base: string, { applicationId, redirectUri }: Client, state: string): string {
  const url = new URL('/oauth2/authorize', base)
  url.search = new URLSearchParams({
    ...{ client_id: applicationId, redirect_uri: redirectUri, response_type: 'code' },
    ...{ scope: SCOPES.join(' '), state, prompt: 'consent' },
  }).toString()
  return url.href
}

/** Exchanges a code for tokens. https://docs.discord.com/developers/topics/oauth2#authorization-code-grant */
export async function exchange(calls: Calls, client: Client, code: string, at: number): Promise<Tokens> {
  const asked = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
  return await askForTokens(calls, client, asked, at)
}

/** Exchanges old tokens for new ones, which makes the old ones invalid. */
export async function renew(calls: Calls, client: Client, { refresh }: Tokens, at: number): Promise<Tokens> {
  return await askForTokens(calls, client, { grant_type: 'refresh_token', refresh_token: refresh }, at)
}

async function askForTokens(calls: Calls, client: Client, asked: Record<string, string>, at: number): Promise<Tokens> {
  const answer = (await told(calls.post(Routes.oauth2TokenExchange(), formOf(client, asked)))) as {
    readonly access_token?: unknown
    readonly refresh_token?: unknown
    readonly expires_in?: unknown
  }
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer ?? {}
  if (typeof access !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number')
    throw new ConsentTrouble(200, undefined)
  return { access, refresh, until: at + seconds * 1_000 }
}

/**
 * Resolves to the person who granted a token; undefined if the token belongs to another application, or does not permit
 * sending figures to Discord.
 */
export async function whoConsented(calls: Calls, client: Client, { access }: Tokens): Promise<string | undefined> {
  const answer = (await told(calls.get(Routes.oauth2CurrentAuthorization(), bearer(access)))) as {
    readonly application?: { readonly id?: string }
    readonly scopes?: readonly string[]
    readonly user?: { readonly id?: string }
  }
  const isOurs = answer.application?.id === client.applicationId
  return isOurs && SCOPES.every((scope) => answer.scopes?.includes(scope)) ? answer.user?.id : undefined
}

/** Sends a member's figures to Discord. */
export async function tellFigures(
  calls: Calls,
  { applicationId }: Client,
  { access }: Tokens,
  figures: RoleFigures,
): Promise<void> {
  const body = { platform_name: PLATFORM, metadata: metadataOf(figures) }
  await told(calls.put(Routes.userApplicationRoleConnection(applicationId), { ...bearer(access), body }))
}

/** Makes Discord delete a member's figures and revoke the tokens. */
export async function takeBack(calls: Calls, client: Client, { access, refresh }: Tokens): Promise<void> {
  const route = Routes.userApplicationRoleConnection(client.applicationId)
  // If this fails, the tokens still expire.
  await told(calls.delete(route, bearer(access))).catch(() => undefined)
  await told(calls.post(Routes.oauth2TokenRevocation(), formOf(client, { token: refresh })))
}

function formOf({ applicationId, secret }: Client, fields: Record<string, string>) {
  const form = new URLSearchParams({ ...fields, client_id: applicationId, client_secret: secret() })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { auth: false, passThroughBody: true, body: form.toString(), headers }
}

function bearer(access: string) {
  return { auth: false, headers: { authorization: `Bearer ${access}` } }
}

/** Resolves to the answer to a call. Throws ConsentTrouble instead of errors that quote the request. */
async function told(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (error instanceof DiscordAPIError) throw new ConsentTrouble(error.status, whyRefused(error))
    throw new ConsentTrouble(error instanceof HTTPError ? error.status : undefined, undefined)
  }
}

/**
 * Returns what Discord refused. An expired code or refresh token is an `invalid_grant` (RFC 6749, 5.2). A wrong secret
 * does not mean that people's tokens are invalid.
 */
function whyRefused({ status, code }: DiscordAPIError): ConsentTrouble['refused'] {
  if (code === 'invalid_grant') return 'token'
  if (code === 'invalid_client') return 'secret'
  return status === 401 ? 'token' : undefined
}
