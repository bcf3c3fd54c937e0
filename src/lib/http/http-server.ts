import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { plainForwarding } from './forwarded-for.ts'
import { HttpProblem } from './http-problem.ts'
import { isNearby } from './public-address.ts'
import { answerWithPage, isForBrowser, plainPage, type UnknownPage } from './unknown-page.ts'

export { HttpProblem } from './http-problem.ts'

export interface HttpServerOptions {
  logger: Logger
  clock?: Clock
  /** The size in bytes of the largest request body. Default: 64 KiB. A route may set its own `bodyLimit`. */
  maxBodyBytes?: number
  /** The time limit for receiving a whole request, headers and body, after which the answer is a 408. Default: 10 s. */
  bodyTimeoutMs?: number
  /** How long an idle connection stays open. Default: 72 s, longer than the minute that proxies usually allow. */
  keepAliveMs?: number
  /** How long closing waits for running requests before it cuts their connections. Default: 10 s. */
  closeTimeoutMs?: number
  /**
   * The proxies whose `X-Forwarded-*` is believed: none (false, the default), the nearest (true), or those with the
   * given addresses, separated by commas. The nearest is believed if its address is this machine's or a private one.
   * Earlier entries of the header are ignored, because the caller may have invented them.
   */
  trustProxy?: boolean | string
  /**
   * Answers a request with an unreadable address (wrong escapes, a part that is too long), for which no hook runs.
   * Default: answers in the error format.
   */
  answerOddAddress?: (problem: HttpProblem, request: FastifyRequest, reply: FastifyReply) => void
  /** Returns the page that a browser gets at an unknown address. Default: a plain page in English. */
  unknownPage?: (request: FastifyRequest) => UnknownPage
}

/** The time limit for headers, even if long bodies have more time. */
const MAX_HEADERS_MS = 60_000

/**
 * Creates the Fastify instance of one of our HTTP servers. Every failure is answered in the error format: an unknown
 * path (404), a wrong verb (405 with `Allow`), a request that is too slow (408), a body that is too large (413), of an
 * unsupported type (415) or broken (400), an expectation (417), or our own bug (500, with a reference that the log
 * contains). A body without a Content-Type is read as JSON; an empty one is `undefined`. Add routes, then `listen`.
 * `app.close()` finishes running requests.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const {
    logger,
    clock = systemClock,
    bodyTimeoutMs = 10_000,
    trustProxy = false,
    answerOddAddress = answerFailure,
  } = options
  const app = fastify({
    bodyLimit: options.maxBodyBytes ?? 64 * 1024,
    keepAliveTimeout: options.keepAliveMs ?? 72_000,
    requestTimeout: bodyTimeoutMs,
    // requireHostHeader: node would answer a missing one with an empty 400. The interval determines the precision of
    // the 408.
    http: {
      headersTimeout: Math.min(bodyTimeoutMs, MAX_HEADERS_MS),
      connectionsCheckingInterval: Math.min(1_000, Math.ceil(bodyTimeoutMs / 4)),
      requireHostHeader: false,
    },
    // Fastify's own `true` would believe the list's first address.
    trustProxy: trustProxy === true ? (address, hop) => hop === 0 && isNearby(address) : trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger for each request: the few that log create one with `requestLogger`.
    childLoggerFactory: (parent) => parent,
    requestIdHeader: false,
    genReqId: requestIds(clock),
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: (error, request, reply) => answerOddAddress(asProblem(error, request), request, reply),
    clientErrorHandler: answerBrokenConnection,
  }) as unknown as FastifyInstance
  // The first of all hooks, so that later readers of the caller's address see its result.
  app.addHook('onRequest', (request, _reply, done) => {
    plainForwarding(request.raw)
    done()
  })
  refuseNul(app)
  readJsonBodies(app)
  answerUnknownRoutes(app, options.unknownPage)
  app.server.on('checkExpectation', answerExpectation)
  boundClosing(app, clock, options.closeTimeoutMs ?? 10_000)
  return app
}

/** Creates a logger whose lines contain this request's id, which is the reference that a person sees in a 500. */
export function requestLogger(request: FastifyRequest): Logger {
  return (request.server.log as Logger).child({ request: request.id })
}

/**
 * Returns a function that creates request ids cheaply, from the server's creation time and a counter. The ids are
 * unique across restarts.
 */
function requestIds(clock: Clock): () => string {
  const prefix = `${(clock.now() % 36 ** 6).toString(36)}-`
  let count = 0
  return () => {
    count += 1
    return prefix + count.toString(36)
  }
}

/**
 * Refuses addresses with a NUL, which no name contains: neither a text with a NUL nor a part of that text may be looked
 * up.
 */
function refuseNul(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (pathOf(request.url).includes('%00')) done(badUrl())
    else done()
  })
}

/**
 * Accepts only JSON bodies until a server adds other types. A field name that could reach an object's prototype is
 * refused in the same way as broken JSON.
 */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    /^application\/(?:[\w.-]+\+)?json\b/,
    { parseAs: 'string' },
    (request, body, done) => (body.length === 0 ? done(null, undefined) : parse(request, body, done)),
  )
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) => {
    const type = request.headers['content-type']
    if (body.length === 0) done(null, undefined)
    else if (type === undefined) parse(request, body, done)
    else done(unsupportedType(), undefined)
  })
}

/**
 * Distinguishes an unknown path (404) from a verb that this path does not have (405 with `Allow`, RFC 9110 §15.5.6),
 * even if the body is also wrong.
 */
function answerUnknownRoutes(app: FastifyInstance, unknownPage: HttpServerOptions['unknownPage']): void {
  const verbsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const verbs = verbsByPath.get(url) ?? new Set()
    for (const verb of [method].flat()) verbs.add(verb)
    verbsByPath.set(url, verbs)
  })
  const router = findMyWay({ maxParamLength: 2_048 })
  app.addHook('onReady', async () => {
    for (const [url, verbs] of verbsByPath) router.on([...verbs] as HTTPMethod[], url, () => undefined)
  })
  function refusal(request: FastifyRequest): HttpProblem {
    const path = pathOf(request.url)
    const allowed = [...new Set([...verbsByPath.values()].flatMap((verbs) => [...verbs]))]
      .filter((verb) => router.find(verb as HTTPMethod, path) !== null)
      .sort()
    if (allowed.length === 0) {
      // Do not repeat the address: it may contain a secret, and answers end up in other people's logs.
      return new HttpProblem(404, 'unknown_route', 'There is nothing at this address. Check its path.')
    }
    const message = `${request.method} is not possible here; use ${allowed.join(' or ')}.`
    return new HttpProblem(405, 'wrong_verb', message, { allow: allowed.join(', ') })
  }
  app.setNotFoundHandler((request, reply) => {
    const problem = refusal(request)
    if (problem.status !== 404 || !isForBrowser(request)) return answerFailure(problem, request, reply)
    answerWithPage(problem, reply, unknownPage?.(request) ?? plainPage(problem))
  })
  app.setErrorHandler((error, request, reply) =>
    answerFailure(request.is404 ? refusal(request) : error, request, reply),
  )
}

function boundClosing(app: FastifyInstance, clock: Clock, closeTimeoutMs: number): void {
  let cancel = () => {}
  let closing = false
  // Do not keep a connection that is answered meanwhile for a next request, because closing would wait for it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    closing = true
    cancel = clock.after(closeTimeoutMs, () => app.server.closeAllConnections())
  })
  app.server.on('close', () => cancel())
}

function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error, request)
  reply.code(problem.status).headers(problem.headers).send(problem.toBody())
}

/**
 * Returns the refusal to answer with: the handler's own, or one made from an error of the framework, an error of the
 * network, or a bug.
 */
function asProblem(error: unknown, request: FastifyRequest): HttpProblem {
  if (error instanceof HttpProblem) return error
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? FRAMEWORK_PROBLEMS[code] : undefined
  if (known !== undefined) return known()
  if (request.raw.destroyed && !request.raw.complete) {
    return new HttpProblem(400, 'malformed_request', 'The connection was closed before the request was complete.')
  }
  if (error instanceof Error && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new HttpProblem(400, 'malformed_request', error.message)
  }
  requestLogger(request).error({ err: error, method: request.method, url: request.url }, 'request failed unexpectedly')
  const message = `Something went wrong on our side. If it happens again, tell the operator this reference: ${request.id}`
  return new HttpProblem(500, 'internal', message, { 'x-request-id': request.id, 'x-should-retry': 'false' })
}

function unsupportedType(): HttpProblem {
  return new HttpProblem(415, 'unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
}

const badUrl = () => new HttpProblem(400, 'malformed_url', 'The address is not a valid URL; check its %-escapes.')
const tooLarge = () => new HttpProblem(413, 'body_too_large', 'The body is too large. Send a smaller one.')
const wrongLength = () =>
  new HttpProblem(
    400,
    'malformed_request',
    'The length of the body does not match its Content-Length; send the request again.',
  )
const malformed = () =>
  new HttpProblem(
    400,
    'invalid_json',
    'The body is not valid JSON, or has a forbidden field name, such as __proto__. Correct it.',
  )

const FRAMEWORK_PROBLEMS: Readonly<Record<string, () => HttpProblem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedType,
  FST_ERR_CTP_INVALID_JSON_BODY: malformed,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: wrongLength,
  FST_ERR_BAD_URL: badUrl,
  FST_ERR_INVALID_URL: badUrl,
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new HttpProblem(414, 'url_too_long', 'A part of the address is too long. Shorten it.'),
}

const CONNECTION_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'slow_body', 'The request took too long to arrive; try again.'),
  HPE_HEADER_OVERFLOW: new HttpProblem(
    431,
    'headers_too_large',
    'The request headers are too large. Send fewer or shorter ones.',
  ),
}

const NOT_HTTP = new HttpProblem(
  400,
  'malformed_request',
  'This is not a valid HTTP request. Check its first line and its headers.',
)

/** Answers a connection that never sent a valid request. The connection cannot be used again. */
function answerBrokenConnection(error: ConnectionError, socket: Socket): void {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) return void socket.destroy(error)
  const problem = CONNECTION_PROBLEMS[error.code] ?? NOT_HTTP
  const { body, headers } = plainAnswer(problem)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  )
}

const UNMET = new HttpProblem(417, 'expectation_failed', 'Send no Expect header, or "Expect: 100-continue".')

/**
 * Answers an unknown expectation before any route runs, without waiting for a body. Replaces node's own 417, which is
 * empty.
 */
function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = plainAnswer(UNMET)
  response.writeHead(UNMET.status, headers).end(body)
}

/** Returns the body and headers of an answer that the framework does not write, after which the connection ends. */
function plainAnswer(problem: HttpProblem) {
  const body = JSON.stringify(problem.toBody())
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  return { body, headers }
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
