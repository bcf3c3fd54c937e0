import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../../lib/database/database-errors.ts'
import { type Operation, type OperationName, operations } from '../../../payments-api/payments-api.ts'
import { nothingSent, ServiceRefusal, UNREADABLE } from '../../core/service-refusal.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { ServiceParts } from '../service-parts.ts'
import type { Authentication } from './authentication.ts'
import type { Idempotency } from './idempotency.ts'
import type { Caller, Implementation } from './operation.ts'
import { runOperation } from './run-operation.ts'

/** The caller of each request. */
export type Callers = WeakMap<FastifyRequest, Caller>

export interface RouteParts {
  readonly parts: ServiceParts
  readonly authentication: Authentication
  readonly idempotency: Idempotency
  readonly rateLimit: RateLimit
  /** The map that receives each request's caller. */
  readonly callers: Callers
  readonly implementations: readonly Implementation[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Adds a route for every declared operation. Each route identifies the caller before it reads the body, checks the
 * request against the declaration, and answers 501 if the operation is not implemented.
 */
export function addOperationRoutes(app: FastifyInstance, routes: RouteParts): void {
  const implemented = new Map(routes.implementations.map((each) => [each.operation.name, each]))
  const { callers } = routes
  for (const operation of Object.values(operations) satisfies Operation[]) {
    const implementation = implemented.get(operation.name satisfies OperationName)
    app.route({
      method: operation.verb,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: (request) => admit(routes, operation, request),
      handler: async (request, reply) => {
        if (implementation === undefined) throw notOffered(operation)
        const response = await runOperation(routes.parts, routes.idempotency, implementation, {
          caller: callers.get(request) as Caller,
          ip: request.ip,
          params: request.params,
          query: request.query,
          headers: request.headers,
          asCsv: prefersCsv(request.headers.accept ?? ''),
          body: request.body,
          idempotencyKey: header(request, 'idempotency-key'),
        })
        return reply
          .code(response.status)
          .headers({ 'content-type': JSON_TYPE, ...response.headers })
          .send(response.body)
      },
    })
  }
}

/** Identifies the caller and checks their rights, before the body is read. */
export async function admit(
  { parts, authentication, rateLimit, callers }: Omit<RouteParts, 'implementations' | 'idempotency'>,
  operation: Pick<Operation, 'verb' | 'scope' | 'summary'>,
  request: FastifyRequest,
): Promise<void> {
  const caller = await authentication.authenticate(header(request, 'apikey'), request.ip).catch((error: unknown) => {
    // This does not apply to a request that may be repeated with its key, because an earlier attempt may have
    // succeeded.
    throw operation.verb === 'GET' && isUnavailable(error) ? nothingSent(UNREADABLE, error) : error
  })
  callers.set(request, caller)
  if (!caller.scopes.has(operation.scope)) {
    throw new ServiceRefusal(
      'missing_scope',
      `${operation.summary} needs the scope "${operation.scope}", which this API key does not have. Ask the operator for a key that has this scope.`,
    )
  }
  rateLimit.take(caller.keyId)
  await parts.regions.admit(request.ip)
}

function notOffered(operation: Operation): ServiceRefusal {
  return new ServiceRefusal('not_offered', `This service does not offer ${operation.summary}.`)
}

/** Whether `Accept` lists CSV, and does not prefer JSON. Requests for which this is false get JSON. */
function prefersCsv(accept: string): boolean {
  const quality = (type: string) => {
    const range = accept.split(',').find((each) => each.split(';')[0]?.trim().toLowerCase() === type)
    return range === undefined ? 0 : Number(/;\s*q=([0-9.]+)/i.exec(range)?.[1] ?? 1)
  }
  const csv = quality('text/csv')
  return csv > 0 && csv >= quality('application/json')
}

/** Returns a header that should occur at most once; several values are joined by commas. */
function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}
