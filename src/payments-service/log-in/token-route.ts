import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../lib/database/database-errors.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { TOKEN_PATH, type TokenAnswer, tokenBody } from '../../payments-api/payments-api.ts'
import { asRefusal, nothingSent, UNREADABLE } from '../core/service-refusal.ts'
import type { RateLimit } from '../engine/limits/rate-limit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { type Client, findClient, isSecretOf } from './clients.ts'
import { LogInRefusal, logInErrorBody } from './log-in-refusal.ts'
import { exchangeCode, refresh } from './tokens.ts'

const MAX_BODY_BYTES = 16 * 1_024
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/
/** The form of a code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
/** How the fields can be sent: OAuth 2 uses a form, but this interface's clients send JSON. */
const HOW = 'Send the fields as application/x-www-form-urlencoded, or as a JSON object of strings.'

type Fields = Partial<Record<keyof typeof tokenBody.shape, string>>

/**
 * Adds the route where programs exchange codes and refresh tokens (RFC 6749, 3.2). It needs no API key, because the
 * program authenticates itself.
 */
export function addTokenRoute(app: FastifyInstance, parts: ServiceParts, limit: RateLimit): void {
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    plugin.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
      done(null, new URLSearchParams(body)),
    )
    plugin.addContentTypeParser<string>(JSON_TYPE, options, (_request, body, done) => done(null, body))
    plugin.addContentTypeParser('*', options, (_request, _body, done) => done(otherType()))
    plugin.setErrorHandler((error, _request, reply) => tell(error, reply))
    plugin.post(TOKEN_PATH, async (request, reply) => {
      limit.take(request.ip)
      await parts.regions.admit(request.ip)
      return reply.header('pragma', 'no-cache').send(await answer(parts, request))
    })
  })
}

async function answer(parts: ServiceParts, request: FastifyRequest): Promise<TokenAnswer> {
  const fields = readFields(request.body)
  const client = await authenticate(parts, fields, request.headers.authorization)
  const need = (name: keyof Fields): string => {
    const value = fields[name]
    if (value === undefined) throw invalid(`${name} is required.`)
    return value
  }
  switch (need('grant_type')) {
    case 'authorization_code': {
      const proof = { code: need('code'), redirectUri: need('redirect_uri'), verifier: need('code_verifier') }
      if (!VERIFIER.test(proof.verifier)) throw invalid('code_verifier must be 43 to 128 letters, digits or - . _ ~')
      return await exchangeCode(parts, client, proof)
    }
    case 'refresh_token':
      return await refresh(parts, client, { token: need('refresh_token'), scope: fields.scope })
    default:
      throw new LogInRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  }
}

/** Reads the endpoint's fields. Ignores other fields, as RFC 6749 requires, and omits empty fields. */
function readFields(body: unknown): Fields {
  const given = body instanceof URLSearchParams ? [...body] : readJson(body)
  const fields: Fields = {}
  for (const [name, value] of given) {
    if (!Object.hasOwn(tokenBody.shape, name) || value === '' || value === null) continue
    if (typeof value !== 'string') throw invalid(`${name} must be a text.`)
    if (name in fields) throw invalid(`${name} is there twice.`)
    fields[name as keyof Fields] = value
  }
  return fields
}

function readJson(body: unknown): [string, unknown][] {
  try {
    const read: unknown = JSON.parse(String(body))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return Object.entries(read)
  } catch {
    // Reported below.
  }
  throw invalid(`The body cannot be read. ${HOW}`)
}

/** Identifies the program: by HTTP Basic or by fields, never by both. A program without a secret sends only its id. */
async function authenticate(
  { database }: Pick<ServiceParts, 'database'>,
  fields: Fields,
  authorization: string | undefined,
): Promise<Client> {
  const basic = readBasic(authorization)
  if (basic !== undefined && fields.client_secret !== undefined) {
    throw invalid('Send the secret as HTTP Basic or as client_secret, not both.')
  }
  if (basic !== undefined && fields.client_id !== undefined && fields.client_id !== basic.id) {
    throw invalid('HTTP Basic and client_id name two programs.')
  }
  const id = basic?.id ?? fields.client_id
  if (id === undefined) throw invalid('client_id is required.')
  const secret = basic?.secret || fields.client_secret
  const client = await findClient(database, id)
  const proves = client?.secretHash === undefined ? secret === undefined : secret !== undefined
  if (client !== undefined && proves && (secret === undefined || isSecretOf(client, secret))) return client
  const headers: Record<string, string> =
    authorization === undefined ? {} : { 'www-authenticate': 'Basic realm="log in"' }
  throw new LogInRefusal('invalid_client', 'This program is unknown, or its secret is missing or wrong.', headers)
}

/** Reads id and secret from HTTP Basic. According to RFC 6749, 2.3.1, both are form-encoded before they are joined. */
function readBasic(header: string | undefined): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const decode = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
  return { id: decode(id), secret: decode(secret.join(':')) }
}

function tell(error: unknown, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error) ?? (isUnavailable(error) ? nothingSent(UNREADABLE, error) : error)
  const { code } = error as { code?: unknown }
  const unread: Record<string, HttpProblem> = {
    FST_ERR_CTP_BODY_TOO_LARGE: tooLarge(),
    // A malformed type reaches no parser.
    FST_ERR_CTP_INVALID_MEDIA_TYPE: otherType(),
  }
  const problem = unread[String(code)] ?? refusal
  if (!(problem instanceof HttpProblem)) throw error
  return reply.code(problem.status).headers(problem.headers).send(logInErrorBody(problem))
}

function invalid(message: string): LogInRefusal {
  return new LogInRefusal('invalid_request', message)
}

function otherType(): HttpProblem {
  return new HttpProblem(415, 'unsupported_media_type', HOW)
}

function tooLarge(): HttpProblem {
  return new HttpProblem(413, 'body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`)
}
