import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { JsonObject } from '../rules/form.ts'

/** A person's grant to the application. */
export interface Grant {
  readonly user: string
  readonly scopes: readonly string[]
}

interface Issued extends Grant {
  readonly until: number
}

const CODE_MS = 60_000
/** https://docs.discord.com/developers/topics/oauth2#authorization-code-grant-access-token-response */
const ACCESS_SECONDS = 604_800

/** RFC 6749's refusals (5.2). */
export class OAuthRefusal extends Error {
  readonly status: number

  constructor(error: 'invalid_client' | 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type') {
    super(error)
    this.status = error === 'invalid_client' ? 401 : 400
  }
}

/** People's consents to one application, with its codes and tokens. https://docs.discord.com/developers/topics/oauth2 */
export class OAuth {
  readonly clientSecret: string
  /** The redirects on the OAuth2 page of the developer portal. */
  readonly redirectUris = new Set<string>()
  /** The application's records, to which servers may tie roles, and its figures for people. */
  records: readonly JsonObject[] = []
  readonly told = new Map<string, JsonObject>()
  readonly #clock: Clock
  readonly #entropy: Entropy
  readonly #codes = new Map<string, Issued & { readonly redirectUri: string }>()
  readonly #access = new Map<string, Issued>()
  readonly #refresh = new Map<string, Grant>()

  constructor({ clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#clock = clock
    this.#entropy = entropy
    this.clientSecret = this.#token()
  }

  /**
   * Notes that a person agrees on Discord's page at this address. Returns the address that their browser is sent to.
   * Throws if Discord would show an error instead: the redirect must match one of the portal's exactly.
   */
  agree(user: string, applicationId: string, address: string): string {
    const { searchParams: asked, pathname } = new URL(address)
    const redirectUri = asked.get('redirect_uri') ?? ''
    if (pathname !== '/oauth2/authorize') throw new Error('this is not the consent page')
    if (asked.get('client_id') !== applicationId) throw new Error('Unknown Application')
    if (asked.get('response_type') !== 'code') throw new Error('unsupported_response_type')
    if (!this.redirectUris.has(redirectUri)) throw new Error('Invalid OAuth2 redirect_uri')
    const code = this.#token()
    const scopes = (asked.get('scope') ?? '').split(' ')
    this.#codes.set(code, { user, scopes, redirectUri, until: this.#clock.now() + CODE_MS })
    const url = new URL(redirectUri)
    url.searchParams.set('code', code)
    url.searchParams.set('state', asked.get('state') ?? '')
    return url.href
  }

  /** Answers the token endpoint. Throws OAuthRefusal. */
  issue(form: JsonObject): JsonObject {
    if (form.grant_type === 'authorization_code') {
      const code = this.#codes.get(String(form.code))
      // A code works once, even if the request is refused.
      this.#codes.delete(String(form.code))
      const isGood = code !== undefined && code.until > this.#clock.now() && code.redirectUri === form.redirect_uri
      if (!isGood) throw new OAuthRefusal('invalid_grant')
      return this.#grant(code)
    }
    if (form.grant_type !== 'refresh_token') throw new OAuthRefusal('unsupported_grant_type')
    const grant = this.#refresh.get(String(form.refresh_token))
    this.#refresh.delete(String(form.refresh_token))
    if (grant === undefined) throw new OAuthRefusal('invalid_grant')
    return this.#grant(grant)
  }

  /** Ends all tokens of the consent that this token belongs to. */
  revoke(token: string): void {
    const grant = this.#access.get(token) ?? this.#refresh.get(token)
    if (grant !== undefined) this.withdraw(grant.user)
  }

  /** Removes the application from those that a person has authorised. */
  withdraw(user: string): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, grant] of tokens) if (grant.user === user) tokens.delete(token)
    this.told.delete(user)
  }

  /** Finds the owner of a valid access token. */
  granted(authorization = ''): Grant | undefined {
    const issued = this.#access.get(authorization.replace(/^Bearer /, ''))
    return authorization.startsWith('Bearer ') && issued !== undefined && issued.until > this.#clock.now()
      ? issued
      : undefined
  }

  #grant({ user, scopes }: Grant): JsonObject {
    const [access, refresh] = [this.#token(), this.#token()]
    this.#access.set(access, { user, scopes, until: this.#clock.now() + ACCESS_SECONDS * 1_000 })
    this.#refresh.set(refresh, { user, scopes })
    const answer = { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refresh }
    return { ...answer, scope: scopes.join(' ') }
  }

  #token(): string {
    return this.#entropy.bytes(24).toString('base64url')
  }
}
