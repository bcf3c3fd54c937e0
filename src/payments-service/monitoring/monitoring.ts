import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cached } from '../../lib/cached.ts'
import type { Draining } from '../../lib/http/draining.ts'
import { HttpProblem } from '../../lib/http/http-problem.ts'
import { requestLogger } from '../../lib/http/http-server.ts'
import { refuseStranger } from '../../lib/http/metrics-guard.ts'
import type { Logger } from '../../lib/logger.ts'
import { RepeatedLines } from '../../lib/repeated-lines.ts'
import { eventStream, operations } from '../../payments-api/payments-api.ts'
import type { Caller } from '../engine/http/operation.ts'
import type { Callers } from '../engine/http/routes.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { readFigures } from './figures.ts'
import type { Metrics } from './metrics.ts'

/** Routes that are called so often that they are not logged. */
const QUIET = new Set(['/health', '/ready', '/ready/instance', '/metrics'])
/** The shortest time between two readings of the figures from the books, no matter who requests them. */
const FIGURES_CACHE_TTL_MS = 1_000

/** What monitoring needs: the counters, the requests' callers, and whether the service is about to stop. */
export interface Watched {
  readonly metrics: Metrics
  readonly callers: Callers
  readonly draining: Draining
}

/**
 * Adds monitoring: `/health` (the process answers), `/ready` (database and node answer, payments may leave, and the
 * service is not about to stop; `/ready/instance` ignores the node), `/metrics` (Prometheus; not public), and, for
 * every request, its duration and a log line. Call it before the monitored routes are added.
 */
export function addMonitoring(
  app: FastifyInstance,
  parts: ServiceParts,
  { metrics, callers, draining }: Watched,
): void {
  const nameOf = routeNames()
  const repeated = new RepeatedLines(parts.clock)
  const figures = cached({
    clock: parts.clock,
    ttlMs: FIGURES_CACHE_TTL_MS,
    maxKeys: 1,
    read: () => readFigures(parts),
  })
  app.addHook('onResponse', async (request, reply) => {
    const name = nameOf(request)
    const durationMs = reply.elapsedTime
    // A stream that is open for hours does not show how fast the service answers.
    if (name !== eventStream.name || reply.statusCode >= 400) metrics.observeRequest(name, reply.statusCode, durationMs)
    if (!QUIET.has(name))
      logRequest(request, callers.get(request), { route: name, status: reply.statusCode, durationMs }, repeated)
  })
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async () => {
    draining.assertNot()
    await refuseUnready(parts)
    const { health } = await parts.nodeWatch.look()
    if (health.state !== 'ready') throw new HttpProblem(503, 'not_ready', health.reason)
    return readyWith(parts)
  })
  // For balancers: without the node, each instance serves everything else as well as any other.
  app.get('/ready/instance', async () => {
    draining.assertNot()
    await refuseUnready(parts)
    return readyWith(parts)
  })
  app.get('/metrics', async (request, reply) => {
    refuseStranger(request, parts.settings)
    return reply.header('content-type', metrics.contentType).send(await metrics.render(await figures()))
  })
}

/**
 * Creates the function that names a request after the declared operation, or after the route as the code spells it.
 * These names are a closed set, and never contain text that a caller sent.
 */
function routeNames(): (request: FastifyRequest) => string {
  const declared = new Map<string, string>(
    [...Object.values(operations), eventStream].map(({ verb, path, name }) => [
      `${verb} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      name,
    ]),
  )
  return ({ method, routeOptions: { url } }) => {
    if (url === undefined) return 'unknown'
    return declared.get(`${method} ${url}`) ?? url
  }
}

interface HealthAnswer {
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** Logs a request, at debug level if it succeeded. Logs the route instead of the address, which may contain secrets. */
function logRequest(
  request: FastifyRequest,
  caller: Caller | undefined,
  answer: HealthAnswer,
  repeated: RepeatedLines,
): void {
  const { route, status, durationMs } = answer
  const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug'
  if (!(request.server.log as Logger).isLevelEnabled(level)) return
  const fields = {
    method: request.method,
    route,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(caller !== undefined && { project: caller.projectId, keyId: caller.keyId }),
  }
  // Anybody may send refused requests, at any rate, which must not fill the disk.
  const mayRepeat = caller !== undefined || status < 400 || status >= 500
  const summarize = (leftOut: number) =>
    (request.server.log as Logger)[level]({ route, status, leftOut }, 'request answered')
  if (mayRepeat || repeated.mayWrite(`${route} ${status}`, summarize)) {
    requestLogger(request)[level](fields, 'request answered')
  }
}

/**
 * Returns the answer of a ready instance. A doubted clock does not make an instance unready, because nothing expires
 * while it is doubted. Otherwise, no instance would be left if only the database server's clock were wrong.
 */
function readyWith({ bookClock }: ServiceParts) {
  return { status: 'ready', ...(!bookClock.isSteady() && { clock: 'doubted' }) }
}

async function refuseUnready(parts: ServiceParts): Promise<void> {
  parts.sender.assertOutgoingEnabled()
  const database = await parts.database.read.cursor.findFirst().then(
    () => true,
    () => false,
  )
  if (!database) throw new HttpProblem(503, 'not_ready', 'The database does not answer. Check the disk and the log.')
}
