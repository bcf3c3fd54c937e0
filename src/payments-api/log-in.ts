import { z } from 'zod'

/** The scopes that a user can grant to a program (OAuth 2). Both permit only reading: no scope permits moving sats. */
export const LOG_IN_SCOPES = ['user', 'wallet'] as const
export type LogInScope = (typeof LOG_IN_SCOPES)[number]

/** The lifetimes of a log-in's code and access token, in seconds. */
export const CODE_SECONDS = 60
export const ACCESS_TOKEN_SECONDS = 3_600
/** The lifetime of an unused refresh token, in seconds. Each use of a refresh token returns a new one. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600

/** The path to which programs send users, and the path at which programs request tokens. */
export const AUTHORIZE_PATH = '/v1/oauth2/authorize'
export const TOKEN_PATH = '/v1/oauth2/token'

/**
 * The OAuth 2 errors of a log-in (RFC 6749, sections 4.1.2.1 and 5.2), with the token endpoint's status for each. The
 * authorization endpoint reports faults to the program in the address to which the user returns.
 */
export const logInErrors = {
  invalid_request: { status: 400, meaning: 'A parameter is missing, is there twice, or has the wrong form.' },
  invalid_client: { status: 401, meaning: 'The program is unknown, or its secret is wrong.' },
  invalid_grant: {
    status: 400,
    meaning: 'The code or refresh token is unknown, used, expired or revoked, or belongs to another log-in.',
  },
  unsupported_grant_type: { status: 400, meaning: 'There are only authorization_code and refresh_token.' },
  unsupported_response_type: { status: 400, meaning: 'There is only the response type `code`.' },
  invalid_scope: { status: 400, meaning: 'A scope is unknown, or more than the program or the user has allowed.' },
  access_denied: { status: 400, meaning: 'The user does not allow it.' },
  temporarily_unavailable: { status: 503, meaning: 'Not possible right now, and nothing happened. Try again later.' },
} as const

export type LogInError = keyof typeof logInErrors

/** The body of a token endpoint's error, both in RFC 6749's form and in the interface's error format. */
export interface LogInErrorBody {
  readonly error: string
  readonly error_description: string
  readonly success: false
  readonly message: string
  readonly code: string
}

const text = (meaning: string, example?: string) =>
  z
    .string()
    .describe(meaning)
    .meta(example === undefined ? {} : { examples: [example] })

const clientId = text('The id of the program, from `client create`.', 'b7e2f1c0-5d0e-4a53-9a5e-6c9c1f1f2a10')

/** The query of the address to which a program sends a user. */
export const authorizationQuery = z.object({
  response_type: text('`code`.', 'code'),
  client_id: clientId,
  redirect_uri: text(
    'Where the user returns to: exactly one of the registered addresses. A program without a secret may name any port of 127.0.0.1 or [::1].',
    'https://game.example/callback',
  ),
  scope: text('`user`, `wallet` or both, with a space or comma between them; `user` when omitted.', 'user').optional(),
  state: text('Returned as it is. Compare it: it shows that the answer belongs to your request.').optional(),
  code_challenge: text(
    'PKCE: the SHA-256 of the code verifier, base64url without padding.',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: text('`S256`.', 'S256'),
})

/** A program's request for tokens, as a form or as JSON. */
export const tokenBody = z.object({
  grant_type: text('`authorization_code` or `refresh_token`.', 'authorization_code'),
  client_id: clientId.optional().describe('The id of the program; omitted with HTTP Basic.'),
  client_secret: text(
    'The secret of a program that has one; or HTTP Basic with id and secret instead of both fields.',
  ).optional(),
  code: text('With `authorization_code`: the code that the user brought. It works once, for a minute.').optional(),
  redirect_uri: text('With `authorization_code`: the address of the authorization request.').optional(),
  code_verifier: text('With `authorization_code`: what the code challenge is the SHA-256 of.').optional(),
  refresh_token: text('With `refresh_token`: the newest refresh token. It works once.').optional(),
  scope: text('With `refresh_token`: less than the user allowed, for this access token alone.').optional(),
})

/** A program's tokens. */
export const tokenAnswer = z.object({
  access_token: z.string().describe('The header `usertoken` of the operations that need a user.'),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds until the access token ends.'),
  refresh_token: z.string().describe('For the next access token. It replaces the one before it.'),
  refresh_token_expires_in: z.int().describe('Additive: seconds until the refresh token ends, unless it is used.'),
  scope: z.string().describe('The rights of the access token, separated by spaces.'),
})

export type TokenAnswer = z.output<typeof tokenAnswer>

/** An address of the log-in. It is not an operation, because it needs no API key and uses OAuth 2. */
export interface LogInEndpoint {
  readonly name: string
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly family: 'Log in'
  readonly summary: string
  readonly description: string
  /** The fields of a GET's query, or of a POST's body. */
  readonly fields: z.ZodObject
  /** The fields of the JSON answer. Default: the answer is a page for the user. */
  readonly answer?: z.ZodObject
  readonly errors: readonly LogInError[]
}

export const logInEndpoints: readonly LogInEndpoint[] = [
  {
    name: 'authorize',
    verb: 'GET',
    path: AUTHORIZE_PATH,
    family: 'Log in',
    summary: 'Authorize',
    description:
      'Additive. Send the browser of a user here: the page asks whether your program may do what it asks for. The user returns to `redirect_uri` with `code`, `state` and `iss` (this service), or with `error`. PKCE with S256 is required. A wrong `client_id` or `redirect_uri` is reported to the user, and nobody is redirected.',
    fields: authorizationQuery,
    errors: ['invalid_request', 'unsupported_response_type', 'invalid_scope', 'access_denied'],
  },
  {
    name: 'requestToken',
    verb: 'POST',
    path: TOKEN_PATH,
    family: 'Log in',
    summary: 'Request Token',
    description:
      'Additive. Exchanges a code, or a refresh token, for new tokens. Takes a form (`application/x-www-form-urlencoded`) or JSON. A code or refresh token that comes a second time ends the whole log-in: somebody else may have it. Then the user logs in again.',
    fields: tokenBody,
    answer: tokenAnswer,
    errors: ['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_grant_type', 'invalid_scope'],
  },
]
