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

/** An error response of RFC 6749 (section 5.2). */
export class OAuthRefusal extends Error {
  readonly status: number

  constructor(error: 'invalid_client' | 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type') {
    super(error)
    this.status = error === 'invalid_client' ? 401 : 400
  }
}

/**
 * What people have granted to one application, with the application's codes and tokens.
 * https://docs.discord.com/developers/topics/oauth2
 */
export class OAuth {
  readonly clientSecret: string
  /** The redirect addresses on the OAuth2 page of the developer portal. */
  readonly redirectUris = new Set<string>()
  /**
   * The application's metadata records, to which servers can tie roles. `told` contains what it reported about each
   * person.
   */
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
   * Lets a person agree on Discord's consent page at this address. Returns the address to which their browser is then
   * sent. Throws if Discord would show an error instead. The redirect address must be exactly one of those in the
   * portal.
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

  /** Returns what the token endpoint answers to a request. Throws OAuthRefusal if the request is refused. */
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

  /** Ends the grant to which this token belongs, with all its tokens. */
  revoke(token: string): void {
    const grant = this.#access.get(token) ?? this.#refresh.get(token)
    if (grant !== undefined) this.withdraw(grant.user)
  }

  /** Ends a person's grants to the application, as if they removed it from their authorised apps. */
  withdraw(user: string): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, grant] of tokens) if (grant.user === user) tokens.delete(token)
    this.told.delete(user)
  }

  /** Returns the grant of a valid access token; undefined if the token is not valid. */
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
