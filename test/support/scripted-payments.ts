import { randomUUID } from 'node:crypto'
import { decodeAnyInvoice } from '../../src/lib/lightning/bolt12.ts'
import { feeLimit, msats } from '../../src/lib/money/amount.ts'
import { ok, refusal, type ScriptedAnswer } from './scripted-answer.ts'
import type { Route, ScriptedProvider } from './scripted-provider.ts'

interface Outgoing {
  readonly id: string
  readonly amount: bigint
  readonly limit: bigint
  readonly body: Record<string, string>
  status: string
  /** The payment's fee, or null until the provider reports it. */
  fee: bigint | null
}

/** The scripted provider's payments and withdrawal requests: outgoing amounts are reserved until their payments end. */
export class ScriptedPayments {
  /** The status in the answer to the next payment. */
  next: 'completed' | 'processing' | 'failed' = 'completed'
  /** The preimage that the provider returns as proof of a payment. */
  preimage: string | null = null
  /** The fee of a payment, in msats. */
  fee = 1_000n
  /** The function that decides the outcome of paying an offer, or undefined if this provider has no such operation. */
  offer: ((body: Record<string, string>) => ScriptedAnswer) | undefined
  readonly payments = new Map<string, Outgoing>()
  readonly requests = new Map<string, Outgoing>()
  readonly #hashes = new Map<string, string>()
  readonly #provider: ScriptedProvider

  constructor(provider: ScriptedProvider) {
    this.#provider = provider
  }

  readonly routes: readonly Route[] = [
    ['decodeCharge', 'POST', /^\/v0\/decode-invoice$/, () => ok({ unit: 'msats', amount: '0' })],
    ['sendPayment', 'POST', /^\/v0\/payments$/, (_, body) => this.#send(body)],
    [
      ...(['fetchOfferInvoice', 'POST', /^\/v0\/offer-invoices$/] as const),
      (_, body) => this.offer?.(body) ?? refusal(404, 'There is no such path.', 'unknown_route'),
    ],
    ['retrievePayment', 'GET', /^\/v0\/payments\/([^/]+)$/, (id) => this.#payment(id)],
    ['createWithdrawalRequest', 'POST', /^\/v0\/withdrawal-requests$/, (_, body) => this.#create(body)],
    ['retrieveWithdrawalRequest', 'GET', /^\/v0\/withdrawal-requests\/([^/]+)$/, (id) => this.#request(id)],
  ]

  /** Ends an outgoing payment, which is then paid at this fee, or returned to the wallet. */
  end(outgoing: Outgoing, status: string, fee: bigint | null = this.fee): void {
    outgoing.status = status
    outgoing.fee = fee
    const paid = status === 'completed'
    this.#provider.wallet += paid ? (fee === null ? 0n : outgoing.limit - fee) : outgoing.amount + outgoing.limit
  }

  /** Sets the fee of a payment afterwards. */
  price(outgoing: Outgoing, fee: bigint): void {
    outgoing.fee = fee
    this.#provider.wallet += outgoing.limit - fee
  }

  only(kind: 'payments' | 'requests'): Outgoing {
    const [one, ...more] = this[kind].values()
    if (one === undefined || more.length > 0) throw new Error(`there are ${this[kind].size} ${kind}`)
    return one
  }

  /** Returns an invoice's payment hash, cached because decoding takes long and a long list has many invoices. */
  #hashOf(invoice: string): string {
    const hash = this.#hashes.get(invoice) ?? decodeAnyInvoice(invoice).paymentHash
    this.#hashes.set(invoice, hash)
    return hash
  }

  #send(body: Record<string, string>): ScriptedAnswer {
    const { amount: carried, paymentHash } = decodeAnyInvoice(body.invoice ?? '')
    const same = [...this.payments.values()].find(
      (one) => one.status !== 'failed' && this.#hashOf(one.body.invoice ?? '') === paymentHash,
    )
    if (same) return refusal(409, 'This invoice has been paid already.', 'already_paid')
    const stored = this.#keep(body, carried ?? BigInt(body.amount ?? ''))
    if (!('id' in stored)) return stored
    this.payments.set(stored.id, stored)
    if (this.next !== 'processing') this.end(stored, this.next)
    return this.#payment(stored.id)
  }

  #create(body: Record<string, string>): ScriptedAnswer {
    const stored = this.#keep(body, BigInt(body.amount ?? ''))
    if (!('id' in stored)) return stored
    stored.status = 'pending'
    this.requests.set(stored.id, stored)
    return this.#request(stored.id)
  }

  #keep(body: Record<string, string>, amount: bigint): Outgoing | ScriptedAnswer {
    if (body.maxFee !== undefined && !this.#provider.abilities.replays) {
      return refusal(400, 'The body has no field "maxFee".')
    }
    const limit = body.maxFee === undefined ? feeLimit(msats(amount), 1) : BigInt(body.maxFee)
    if (amount + limit > this.#provider.wallet) {
      return refusal(400, 'The wallet cannot cover this.', 'insufficient_funds')
    }
    this.#provider.wallet -= amount + limit
    return { id: randomUUID(), amount, limit, body, status: 'processing', fee: null }
  }

  #payment(id: string): ScriptedAnswer {
    const one = this.payments.get(id)
    if (!one) return refusal(404, 'There is no such payment.', 'not_found')
    const { status, fee, amount, body } = one
    const confirmedAt = status === 'completed' ? new Date().toISOString() : null
    return ok({
      ...{ id, status, confirmedAt, unit: 'msats', description: '', preimage: this.preimage },
      ...{ amount: amount.toString(), fee: (fee ?? 0n).toString(), invoice: body.invoice },
      ...{ internalId: body.internalId ?? '', processedAt: new Date().toISOString() },
    })
  }

  #request(id: string): ScriptedAnswer {
    const one = this.requests.get(id)
    if (!one) return refusal(404, 'There is no such withdrawal request.', 'not_found')
    const { status, fee, amount, body } = one
    const code = `lnurl1${id}`
    return ok({
      ...{ id, status, unit: 'msats', amount: amount.toString(), fee: fee?.toString() ?? null },
      ...{ createdAt: new Date().toISOString(), expiresAt: null, internalId: body.internalId ?? '' },
      ...{ description: '', callbackUrl: body.callbackUrl ?? '' },
      invoice: { request: code, fastRequest: code, uri: `lightning:${code}`, fastUri: `lightning:${code}` },
    })
  }
}
