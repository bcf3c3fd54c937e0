import { z } from 'zod'
import type { InvoiceRequest, KeysendRequest, PayRequest } from '../backend.ts'
import { isOdd, readRow } from '../node-answers.ts'
import type { NodeHttp, NodeRequest } from '../node-http.ts'
import {
  balancesAnswer,
  canceledAnswer,
  createdInvoice,
  helloAnswer,
  invoiceStatus,
  paymentLookUp,
  paymentOutcome,
  settlementLine,
  toWire,
} from '../sandbox/node-wire.ts'

/** The error of a request that the sandbox refused in its error format, without doing anything. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal'
  readonly status: number
  /** The error's code, such as `missing_token`. */
  readonly code: string

  constructor(what: string, status: number, code: string, message: string) {
    super(`${what}: ${message} (${status} ${code})`)
    this.status = status
    this.code = code
  }
}

/** The error of an unreadable answer, which may not come from a sandbox. Such an answer proves nothing. */
export class SandboxUnreadable extends Error {
  override readonly name = 'SandboxUnreadable'
}

const ANSWER_TIMEOUT_MS = 10_000

/**
 * A sandbox in its own process, over HTTP (`sandbox/node-routes.ts`). Every method throws SandboxRefusal for a refusal,
 * SandboxUnreadable for an unreadable answer, and FetchFailed (lib/http/outgoing-error.ts) if no whole answer came.
 */
export class RemoteSandboxApi {
  readonly #http: NodeHttp
  readonly #headers: Readonly<Record<string, string>>

  constructor(http: NodeHttp, token: string) {
    this.#http = http
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }

  hello(serves: readonly string[], timeoutMs = ANSWER_TIMEOUT_MS) {
    return this.#ask(helloAnswer, 'POST', '/node/hello', { serves }, timeoutMs)
  }

  balances() {
    return this.#ask(balancesAnswer, 'GET', '/node/balances')
  }

  createInvoice(request: InvoiceRequest) {
    return this.#ask(createdInvoice, 'POST', '/node/invoices', request)
  }

  /** Looks up an invoice. Throws SandboxRefusal with status 404 for a hash that the node has never seen. */
  lookUpInvoice(paymentHash: string) {
    return this.#ask(invoiceStatus, 'GET', `/node/invoices/${paymentHash}`)
  }

  cancelInvoice(paymentHash: string) {
    return this.#ask(canceledAnswer, 'POST', `/node/invoices/${paymentHash}/cancel`, {})
  }

  pay(request: PayRequest) {
    return this.#ask(paymentOutcome, 'POST', '/node/payments', request, request.timeoutMs)
  }

  keysend(request: KeysendRequest) {
    return this.#ask(paymentOutcome, 'POST', '/node/keysends', request, request.timeoutMs)
  }

  lookUpPayment(paymentHash: string) {
    return this.#ask(paymentLookUp, 'GET', `/node/payments/${paymentHash}`)
  }

  /**
   * Yields settlements after a cursor as they arrive, until the sandbox ends the stream, the time is over, or the
   * signal aborts.
   */
  async *settlements(after: string | undefined, limits: { timeoutMs: number; signal: AbortSignal }) {
    const path = `/node/settlements${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`
    for await (const { status, body } of this.#http.lines({ method: 'GET', path, headers: this.#headers, ...limits })) {
      const line = this.#read(z.unknown(), path, status, body)
      const one = readRow('/node/settlements', line, settlementLine)
      yield isOdd(one) ? one : one.read
    }
  }

  async close(): Promise<void> {
    await this.#http.close()
  }

  async #ask<Shape extends z.ZodType>(
    shape: Shape,
    method: NodeRequest['method'],
    path: string,
    body?: object,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<z.output<Shape>> {
    const sent = body === undefined ? {} : { body: toWire(body) }
    const answer = await this.#http.ask({ method, path, headers: this.#headers, timeoutMs, ...sent })
    return this.#read(shape, path, answer.status, answer.body)
  }

  #read<Shape extends z.ZodType>(shape: Shape, path: string, status: number, body: string): z.output<Shape> {
    const answer = parse(body)
    if (status === 200) {
      const read = shape.safeParse(answer)
      if (read.success) return read.data
    }
    const { code, message } = (answer ?? {}) as { code?: unknown; message?: unknown }
    if (status >= 400 && status < 500 && typeof code === 'string') {
      throw new SandboxRefusal(path, status, code, String(message))
    }
    throw new SandboxUnreadable(`${path}: status ${status}, but not the answer of a sandbox: ${body.slice(0, 200)}`)
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
