import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import { HttpProblem } from '../../../lib/http/http-problem.ts'
import { firstFault } from '../../../lib/http/zod-fault.ts'
import type { LightningBackend, OddRecord, Settlement } from '../backend.ts'
import { hashParams, helloBody, invoiceBody, keysendBody, payBody, settlementsQuery, toWire } from './node-wire.ts'
import { admitOwner, type SandboxAccess } from './sandbox-guard.ts'

/** The time that is left of the caller's limit when a payment that is still open is answered with `pending`. */
const ANSWER_MS = 1_000

export interface NodeRoutesOptions {
  readonly access: SandboxAccess
  /** Receives, with each hello, the addresses at which a service serves LNURL. */
  readonly onHello: (serves: readonly string[]) => void
}

/**
 * Returns the routes under `/node`, by which services in other processes use the sandbox network's node. Messages have
 * the form of `node-wire.ts`. A refusal means that nothing was done.
 */
export function nodeRoutes(backend: LightningBackend, { access, onHello }: NodeRoutesOptions): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request) => admitOwner(request, access))
    app.setReplySerializer(toWire)
    app.post('/node/hello', async ({ body }) => {
      onHello(read(helloBody, body).serves)
      return backend.info()
    })
    app.get('/node/balances', async () => backend.balances())
    addInvoiceRoutes(app, backend)
    addPaymentRoutes(app, backend)
    addSettlements(app, backend)
  }
}

function addInvoiceRoutes(app: FastifyInstance, backend: LightningBackend): void {
  app.post('/node/invoices', async ({ body }) => {
    const { amount, description, expiresInSeconds } = read(invoiceBody, body)
    return backend.createInvoice({ amount, description: withoutUndefined(description), expiresInSeconds })
  })

  app.get('/node/invoices/:paymentHash', async ({ params }) => {
    const status = await backend.lookUpInvoice(read(hashParams, params).paymentHash)
    if (status !== undefined) return status
    throw new HttpProblem(404, 'not_found', 'The node has never seen an invoice of its own with this payment hash.')
  })

  app.post('/node/invoices/:paymentHash/cancel', async ({ params }) => ({
    end: await backend.cancelInvoice(read(hashParams, params).paymentHash),
  }))
}

function addPaymentRoutes(app: FastifyInstance, backend: LightningBackend): void {
  app.post('/node/payments', async ({ body }) => {
    const request = read(payBody, body)
    return backend.pay({ ...request, amount: request.amount, timeoutMs: sooner(request.timeoutMs) })
  })

  app.post('/node/keysends', async ({ body }) => {
    const request = read(keysendBody, body)
    return backend.keysend({ ...request, timeoutMs: sooner(request.timeoutMs) })
  })

  app.get('/node/payments/:paymentHash', async ({ params }) =>
    backend.lookUpPayment(read(hashParams, params).paymentHash),
  )
}

/**
 * Adds the route that sends each settlement as a line of JSON. The stream begins with an empty line, which shows a
 * caller that the stream works.
 */
function addSettlements(app: FastifyInstance, backend: LightningBackend): void {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  app.get('/node/settlements', async ({ query, raw }, reply) => {
    const { after } = read(settlementsQuery, query)
    const gone = new AbortController()
    raw.socket.once('close', () => gone.abort())
    const settlements = backend.settledInvoices(after, AbortSignal.any([closing.signal, gone.signal]))
    return reply.type('application/x-ndjson').send(Readable.from(lines(settlements)))
  })
}

async function* lines(settlements: AsyncIterable<Settlement | OddRecord>): AsyncGenerator<string> {
  yield '\n'
  for await (const settlement of settlements) yield `${toWire(settlement)}\n`
}

function sooner(timeoutMs: number): number {
  return Math.max(timeoutMs - ANSWER_MS, Math.floor(timeoutMs / 2))
}

function withoutUndefined({ text, hash }: { readonly text: string; readonly hash?: string | undefined }) {
  return hash === undefined ? { text } : { text, hash }
}

function read<Shape extends z.ZodType>(shape: Shape, input: unknown): z.infer<Shape> {
  const result = shape.safeParse(input)
  if (result.success) return result.data
  throw new HttpProblem(400, 'malformed_input', firstFault(result.error, input))
}
