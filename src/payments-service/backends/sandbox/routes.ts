import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { HttpProblem } from '../../../lib/http/http-problem.ts'
import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import { firstFault } from '../../../lib/http/zod-fault.ts'
import { InvalidInvoice } from '../../../lib/lightning/bolt11.ts'
import { InvalidLnurl } from '../../../lib/lightning/lnurl.ts'
import { LnurlProblem } from '../../../lib/lightning/lnurl-client.ts'
import { parseWireMsats } from '../../../lib/money/amount.ts'
import { type OutsideReceipt, OutsideWalletRefusal } from './outside-wallet.ts'
import { admitOwner, type SandboxAccess } from './sandbox-guard.ts'
import type { SandboxNetwork } from './sandbox-network.ts'

const wireMsats = z
  .unknown()
  .transform((value) => parseWireMsats(value))
  .refine(
    (amount) => amount !== undefined && amount > 0n,
    'must be a whole number of millisatoshis as a string, such as "1000"',
  )
const optionalMsats = wireMsats.optional()
const request = z.string().min(1).max(10_000)
const paymentHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a payment hash: 64 hex digits')

const payBody = z.strictObject({
  request,
  amount: optionalMsats,
  comment: z.string().max(2_000).optional(),
  /** The name of the person whose wallet pays. */
  from: z.string().max(100).optional(),
})
const claimBody = z.strictObject({ request })
const invoiceBody = z.strictObject({
  amount: optionalMsats,
  description: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 639, 'must be at most 639 bytes long')
    .optional(),
  expiresIn: z.int().min(1).max(31_536_000).optional(),
})
const faultsBody = z.strictObject({
  next: z.enum(['fail', 'hang', 'unknown-then-paid', 'unknown-then-failed', 'overcharge']),
  times: z.int().min(0).max(1_000_000).optional(),
  delayMs: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
})
const releaseBody = z.strictObject({ outcome: z.enum(['settle', 'fail']), paymentHash: paymentHash.optional() })

/**
 * Returns the sandbox network's control routes, under `/sandbox`. Mount them only if the sandbox is the backend:
 * anybody with the token can spend the outside wallet's sats. Refusals by the wallet have the service's error format,
 * with status 400.
 */
export function sandboxRoutes(network: SandboxNetwork, access: SandboxAccess): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request) => admitOwner(request, access))
    app.addHook('preSerialization', async (_request, _reply, answer) => {
      await network.durable()
      return answer
    })
    addOutsideWalletRoutes(app, network)
    addNetworkRoutes(app, network)
  }
}

function addOutsideWalletRoutes(app: FastifyInstance, { outside, wallet }: SandboxNetwork): void {
  app.post('/sandbox/pay', async ({ body }) => {
    const { request, amount, comment, from } = read(payBody, body)
    const payer = from === undefined ? outside : wallet(from)
    if (payer === undefined)
      throw new HttpProblem(400, 'no_such_wallet', 'No wallet in this network has this name. Check the spelling.')
    const { preimage, paymentHash, successAction } = await refusing(() => payer.pay(request, amount, comment))
    return { preimage, paymentHash, successAction }
  })

  app.post('/sandbox/claim', async ({ body }) => {
    const { request } = read(claimBody, body)
    const { invoice, paymentHash, amount } = await refusing(() => outside.claim(request))
    return { invoice, paymentHash, amount: amount.toString() }
  })

  app.post('/sandbox/invoice', async ({ body }) => {
    const { amount, description = '', expiresIn } = read(invoiceBody, body ?? {})
    const invoiceRequest = { amount, description: { text: description }, expiresInSeconds: expiresIn }
    const { invoice, paymentHash } = outside.createInvoice(invoiceRequest)
    return { invoice, paymentHash }
  })

  app.get('/sandbox/wallet', async () => {
    const { balance, pubkey } = outside.wallet()
    return { balance: balance.toString(), pubkey }
  })

  app.get('/sandbox/payments/:paymentHash', async ({ params }) => {
    const { paymentHash: hash } = read(z.object({ paymentHash }), params)
    const receipt = outside.lookUp(hash)
    if (receipt !== undefined) return showReceipt(receipt)
    throw new HttpProblem(
      404,
      'not_found',
      'The outside wallet has no invoice or payment with this hash. Check the hash.',
    )
  })

  app.get('/sandbox/history', async () => ({
    payments: outside.history().map((entry) => ({
      ...entry,
      amount: entry.amount.toString(),
      at: entry.at.toISOString(),
    })),
  }))
}

function addNetworkRoutes(app: FastifyInstance, network: SandboxNetwork): void {
  app.post('/sandbox/faults', async ({ body }) => {
    const { next, times = 1, delayMs } = read(faultsBody, body)
    network.setFault(next, { times, delayMs })
    return { next, times, delayMs: delayMs ?? null }
  })

  app.post('/sandbox/release', async ({ body }) => {
    const { outcome, paymentHash } = read(releaseBody, body)
    return { released: network.release(outcome, paymentHash) }
  })
}

function showReceipt({ paymentHash, state, kind, amount, preimage, paidAt, tlvRecords }: OutsideReceipt) {
  return {
    paymentHash,
    state,
    paid: state === 'paid',
    kind,
    amount: (amount ?? 0n).toString(),
    preimage: preimage ?? null,
    paidAt: paidAt?.toISOString() ?? null,
    tlvRecords,
  }
}

function read<Shape extends z.ZodType>(shape: Shape, input: unknown): z.infer<Shape> {
  const result = shape.safeParse(input)
  if (result.success) return result.data
  throw new HttpProblem(400, 'malformed_input', firstFault(result.error, input))
}

/**
 * Runs a task that may be refused, and converts refusals to the error format. Any other error is a bug, and is passed
 * on.
 */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OutsideWalletRefusal) throw new HttpProblem(400, error.code, error.message)
    if (error instanceof InvalidInvoice) throw new HttpProblem(400, 'invalid_invoice', error.message)
    if (error instanceof InvalidLnurl) throw new HttpProblem(400, 'invalid_lnurl', error.message)
    if (error instanceof LnurlProblem) throw new HttpProblem(400, 'lnurl_refused', error.message)
    if (error instanceof OutgoingError) {
      throw new HttpProblem(400, 'lnurl_unreachable', `The other side cannot be reached: ${error.message}.`)
    }
    throw error
  }
}
