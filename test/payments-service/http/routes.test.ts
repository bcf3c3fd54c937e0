import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Operation, operations } from '../../../src/payments-api/payments-api.ts'
import type { ServiceRefusal } from '../../../src/payments-service/core/service-refusal.ts'
import { addOperationRoutes, type Callers, type RouteParts } from '../../../src/payments-service/engine/http/routes.ts'

let app: FastifyInstance
/** The limits against which a request was counted. */
let counted: string[]
beforeEach(() => {
  app = fastify()
  counted = []
  const admit = async (ip: string) => void counted.push(`region of ${ip}`)
  const caller = { projectId: 'shop', keyId: 'key-1', scopes: new Set(['read', 'receive', 'send']) }
  app.setErrorHandler((error: ServiceRefusal, _request, reply) =>
    reply.code(error.status).send({ code: error.code, message: error.message }),
  )
  addOperationRoutes(app, {
    parts: { regions: { admit } },
    authentication: { authenticate: async () => caller },
    rateLimit: { take: (name: string) => void counted.push(`requests of ${name}`) },
    idempotency: {},
    callers: new WeakMap() as Callers,
    implementations: [],
  } as unknown as RouteParts)
})
afterEach(() => app.close())

it.each(Object.values(operations))(
  '501 not_offered: refuses $name while it is not implemented',
  async (operation: Operation) => {
    const url = operation.path.replace(/\{\w+\}/g, 'something')
    const { statusCode, body } = await app.inject({ method: operation.verb, url, headers: { apikey: 'x' } })
    expect({ statusCode, ...JSON.parse(body) }).toEqual({
      statusCode: 501,
      code: 'not_offered',
      message: `This service does not offer ${operation.summary}.`,
    })
    expect(counted).toEqual(['requests of key-1', 'region of 127.0.0.1'])
  },
)
