import { z } from 'zod'
import {
  msatsNumber as amountMsat,
  hex32,
  MAX_SECONDS,
  nodeKey,
  orLeftOut,
  toldPreimage,
  wrongFields,
} from '../node-answers.ts'
import type { NodeHttp } from '../node-http.ts'

const getinfo = z.object({
  id: nodeKey,
  alias: z.string().default(''),
  network: z.string(),
  blockheight: z.int().nonnegative(),
  warning_bitcoind_sync: z.string().optional(),
  warning_lightningd_sync: z.string().optional(),
})

const listpeerchannels = z.object({
  channels: z.array(
    z.object({
      state: z.string(),
      peer_connected: z.boolean(),
      to_us_msat: amountMsat.optional(),
      spendable_msat: amountMsat.optional(),
      receivable_msat: amountMsat.optional(),
      htlcs: z.array(z.object({ direction: z.enum(['in', 'out']), amount_msat: amountMsat })).default([]),
    }),
  ),
})

const invoice = z.object({
  status: z.enum(['unpaid', 'paid', 'expired']),
  label: z.string(),
  payment_hash: hex32,
  pay_index: z.int().positive().optional(),
  amount_received_msat: amountMsat.optional(),
  paid_at: orLeftOut(z.int().nonnegative().max(MAX_SECONDS)),
  payment_preimage: toldPreimage,
  // In an invoice that lightningd made for a payer of our offer.
  bolt12: z.string().optional(),
  local_offer_id: hex32.optional(),
  invreq_payer_note: orLeftOut(z.string()),
})

const pay = z.object({
  status: z.enum(['pending', 'complete', 'failed']),
  created_at: z.number(),
  completed_at: z.number().optional(),
  preimage: toldPreimage,
  amount_msat: orLeftOut(amountMsat),
  amount_sent_msat: orLeftOut(amountMsat),
})

/** The methods that the backend calls, with the required form of each answer. */
const METHODS = {
  getinfo,
  listpeerchannels,
  invoice: z.object({ bolt11: z.string(), payment_hash: hex32, expires_at: z.int() }),
  listinvoices: z.object({ invoices: z.array(invoice) }),
  delinvoice: z.object({ status: z.string() }),
  /** The invoice, which is parsed separately (`clnInvoice`), so that an unreadable invoice does not block the next. */
  waitanyinvoice: z.unknown(),
  xpay: z.object({
    payment_preimage: toldPreimage,
    amount_msat: orLeftOut(amountMsat),
    amount_sent_msat: orLeftOut(amountMsat),
  }),
  /** The payments, each of which is parsed separately (`clnPay`). */
  listpays: z.object({ pays: z.array(z.unknown()) }),
  fetchinvoice: z.object({ invoice: z.string() }),
  fetchbip353: z.object({ instructions: z.array(z.object({ offer: z.string().optional() })) }),
  offer: z.object({ offer_id: hex32, bolt12: z.string().startsWith('lno1'), single_use: z.literal(false) }),
} as const

/** The methods that are needed only for offers. A rune or a lightningd without them supports everything else. */
export const OFFER_METHODS = ['fetchinvoice', 'fetchbip353', 'offer'] as const satisfies ClnMethod[]

export type ClnMethod = keyof typeof METHODS
export type ClnAnswer<Method extends ClnMethod> = z.output<(typeof METHODS)[Method]>
export type ClnInvoice = z.output<typeof invoice>
export type ClnPay = z.output<typeof pay>
export { invoice as clnInvoice, pay as clnPay }

const ALL_METHODS = Object.keys(METHODS) as ClnMethod[]
/** The methods that the rune must permit. */
export const CLN_METHODS = ALL_METHODS.filter((name) => !(OFFER_METHODS as readonly string[]).includes(name))

/** The command that makes a rune with exactly the rights that the backend needs. */
export const CREATE_RUNE = `lightning-cli createrune restrictions='[[${ALL_METHODS.map((name) => `"method=${name}"`).join(',')}]]'`

/**
 * The errors of a call that the rune does not permit: the rune is missing, lacks the right, or was revoked by
 * `blacklistrune`. clnrest checks the rune before it calls the method.
 */
export const RUNE_REFUSALS: readonly number[] = [1501, 1502, 1503]

/**
 * The error of a call that Core Lightning refused. `code` is Core Lightning's own error code; null if clnrest could not
 * reach lightningd.
 */
export class ClnError extends Error {
  override readonly name = 'ClnError'
  readonly code: number | null
  /** The node's own words. */
  readonly words: string
  readonly data: unknown

  constructor(method: string, code: number | null, message: string, data: unknown) {
    super(`${method}: ${message} (code ${code ?? 'none'})`)
    this.code = code
    this.words = message
    this.data = data
  }
}

/** The error of an unreadable answer, which may not come from clnrest. Such an answer proves nothing. */
export class ClnUnreadable extends Error {
  override readonly name = 'ClnUnreadable'
}

export interface ClnCall {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const failure = z.object({ code: z.int().nullable(), message: z.string(), data: z.unknown().optional() })

/**
 * Core Lightning's RPC over clnrest (docs.corelightning.org, "clnrest" and the page of each method). Amounts are JSON
 * numbers in msats, and the HTTP status 201 means success. In an error, only the code has a meaning: the HTTP status is
 * 401 if lightningd is not running, and 500 for any refusal.
 */
export class Clnrest {
  readonly #http: NodeHttp
  readonly #rune: string

  constructor(http: NodeHttp, rune: string) {
    this.#http = http
    this.#rune = rune
  }

  /**
   * Calls a method and checks its answer. Throws ClnError for a refusal, ClnUnreadable for an unreadable answer, and
   * what the HTTP client throws.
   */
  async call<Method extends ClnMethod>(
    method: Method,
    params: Readonly<Record<string, unknown>>,
    { timeoutMs, signal }: ClnCall,
  ): Promise<ClnAnswer<Method>> {
    const { status, body } = await this.#http.ask({
      method: 'POST',
      path: `/v1/${method}`,
      headers: { rune: this.#rune, 'content-type': 'application/json' },
      body: JSON.stringify(params),
      timeoutMs,
      ...(signal !== undefined && { signal }),
    })
    const json = parse(body)
    if (status === 201) {
      const answer = METHODS[method].safeParse(json)
      if (answer.success) return answer.data as ClnAnswer<Method>
      throw new ClnUnreadable(`${method}: the answer is not as documented: ${wrongFields(answer.error)}`)
    }
    const refusal = failure.safeParse(json)
    if (!refusal.success) throw new ClnUnreadable(`${method}: HTTP ${status} without an error of Core Lightning`)
    const { code, message, data } = refusal.data
    throw new ClnError(method, code, message, data)
  }

  close(): Promise<void> {
    return this.#http.close()
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
