import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import { OAuthRefusal } from '../core/oauth.ts'
import { DiscordRefusal, notFound, unauthorized } from '../rules/refusal.ts'
import { serveApplication } from './application.ts'
import { serveCallbacks } from './callbacks.ts'
import { serveAttachments } from './cdn.ts'
import { serveChannels } from './channels.ts'
import { serveCommands } from './commands.ts'
import { serveEmoji } from './emoji.ts'
import type { FaultPlan } from './fault-plan.ts'
import { serveGuilds } from './guilds.ts'
import { serveIdentity } from './identity.ts'
import { serveMessages } from './messages.ts'
import { parseJson, parseMultipart, type RequestBody } from './multipart.ts'
import { isForOthersThanTheBot, isToken, serveOAuth } from './oauth.ts'
import type { RateLimits } from './rate-limits.ts'
import { serveReactions } from './reactions.ts'
import type { RequestLog } from './request-log.ts'
import { serveWebhooks } from './webhooks.ts'

const prefix = '/api/v10'
/**
 * The limit for a request's body: ten files of ten MiB each, and room for the rest. Up to this limit, files that are
 * too large are refused one by one.
 */
const bodyLimitBytes = 128 * 1024 * 1024
/**
 * The routes on which the token in the path is the credential. The limit for all routes does not count requests on
 * them.
 */
const interactionRoutes = /^\/(interactions\/\d+\/[^/]+\/callback|webhooks\/\d+\/[^/]+)/

declare module 'fastify' {
  interface FastifyRequest {
    losesAnswer?: boolean
  }
}

export interface RestOptions {
  readonly core: Core
  readonly limits: RateLimits
  readonly faults: FaultPlan
  readonly log: RequestLog
  readonly logger: Logger | undefined
  /** How many shards Discord recommends to the bot. */
  readonly shards: number
  /** How many shards may begin a session within five seconds. */
  readonly maxConcurrency: number
  /** Whether the Server Members intent is switched on. */
  readonly mayListMembers: boolean
}

/** Creates Discord's REST interface and its CDN as one Fastify server. The caller makes it listen. */
export function createRestServer(options: RestOptions): FastifyInstance {
  const { core, logger } = options
  const app = Fastify({
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: true,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => ({
      json: text === '' ? undefined : parseJson(text),
      files: [],
    }),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => ({
      json: Object.fromEntries(new URLSearchParams(text)),
      files: [],
    }),
  )
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer) =>
    parseMultipart(request.headers['content-type'] ?? '', bytes),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof DiscordRefusal) {
      if (error.status === 429) reply.headers({ 'retry-after': '20', 'x-ratelimit-scope': 'user' })
      return reply.code(error.status).send(error.body())
    }
    if (error instanceof OAuthRefusal) return reply.code(error.status).send({ error: error.message })
    const status = error.statusCode ?? 500
    if (status >= 500) logger?.error({ err: error }, 'the Discord emulator failed to answer a request')
    return reply
      .code(status)
      .send({ message: `${status}: ${status >= 500 ? 'Internal Server Error' : error.message}`, code: 0 })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(notFound().body()))
  serveAttachments(app, core)
  record(app, options)
  app.register(
    async (api) => {
      api.addHook('onRequest', async (request, reply) => guard(options, request, reply))
      api.setNotFoundHandler((_request, reply) => reply.code(404).send(notFound().body()))
      serveIdentity(api, core, options)
      serveApplication(api, core, options)
      serveOAuth(api, core)
      serveEmoji(api, core)
      serveCommands(api, core)
      serveCallbacks(api, core)
      serveWebhooks(api, core)
      serveChannels(api, core)
      serveMessages(api, core)
      serveReactions(api, core)
      serveGuilds(api, core, options.mayListMembers)
    },
    { prefix },
  )
  return app
}

/**
 * Checks in this order whether the client is banned, its credentials, the planned faults, and the rate limits. Returns
 * the reply if it answers the request.
 */
function guard(options: RestOptions, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (options.limits.isBanned) return reply.code(429).type('text/plain').send('error code: 1015')
  const path = pathOf(request)
  const byToken = interactionRoutes.test(path)
  const open = byToken || path === '/gateway' || isForOthersThanTheBot(path)
  if (!open && request.headers.authorization !== `Bot ${options.core.world.token}`) throw unauthorized()
  const fault = options.faults.take(request.method, path)
  if (fault?.kind === 'fail')
    return reply.code(fault.status).send({ message: `${fault.status}: planned fault`, code: 0 })
  if (fault?.kind === 'refuse') throw new DiscordRefusal(fault.status, fault.code, fault.message)
  if (fault?.kind === 'rate-limit') return refuseRate(reply, fault.retryAfterSeconds)
  if (fault?.kind === 'lose-answer') request.losesAnswer = true
  const wait = byToken ? undefined : options.limits.overAll()
  if (wait !== undefined) return refuseRate(reply, wait)
  const { headers, waitSeconds } = options.limits.ofRoute(request.method, path)
  reply.headers(headers)
  return waitSeconds === undefined ? undefined : refuseRoute(reply, waitSeconds)
}

/** https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
function refuseRoute(reply: FastifyReply, seconds: number): FastifyReply {
  return reply
    .code(429)
    .headers({ 'retry-after': String(Math.ceil(seconds)), 'x-ratelimit-scope': 'user' })
    .send({ message: 'You are being rate limited.', retry_after: seconds, global: false })
}

function refuseRate(reply: FastifyReply, seconds: number): FastifyReply {
  return reply
    .code(429)
    .headers({
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-global': 'true',
      'x-ratelimit-scope': 'global',
      'x-ratelimit-reset-after': seconds.toFixed(3),
    })
    .send({ message: 'You are being rate limited.', retry_after: Math.round(seconds * 1000) / 1000, global: true })
}

/** Records every answered request to the API, and breaks the connection of each request whose answer must be lost. */
function record(app: FastifyInstance, { core, log, limits }: RestOptions): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.losesAnswer !== true) return
    note(request, 0)
    reply.hijack()
    request.raw.socket.destroy()
  })
  app.addHook('onResponse', async (request, reply) => note(request, reply.statusCode))
  function note(request: FastifyRequest, status: number): void {
    if (!request.url.startsWith('/api/')) return
    if (status !== 0) limits.note(status)
    const body = request.body as RequestBody | undefined
    const path = pathOf(request)
    log.add({
      at: core.clock.now(),
      method: request.method,
      path,
      query: request.query as Record<string, unknown>,
      body: isToken(path) ? undefined : body?.json,
      files: body?.files.map(({ filename, bytes }) => ({ name: filename, bytes: bytes.length })) ?? [],
      status,
    })
  }
}

/** Returns a request's path as Discord's documentation writes it: decoded, and without the query and the version. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? ''
  const bare = path.startsWith(prefix) ? path.slice(prefix.length) : path
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
