import { createHash, randomBytes } from 'node:crypto'
import { decodeInvoice, encodeInvoice, type Network, publicKey } from '../../../../src/lib/lightning/bolt11.ts'
import { type Msats, msats, sats } from '../../../../src/lib/money/amount.ts'

export interface FakeInvoice {
  readonly hash: string
  readonly preimage: string
  readonly request: string
  readonly value: bigint
  readonly expiresAt: number
  readonly addIndex: bigint
  readonly isKeysend: boolean
  state: 'OPEN' | 'SETTLED' | 'CANCELED'
  paid: bigint
  settleIndex: bigint
  settledAt: number
}

export interface FakePayment {
  readonly hash: string
  readonly amount: bigint
  status: 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED'
  preimage: string
  fee: bigint
  reason: string
}

/** A refusal by lnd before it records a payment: a gRPC code and text. */
export class Refused extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface PaymentOrder {
  readonly request: string | undefined
  readonly dest: string | undefined
  readonly hash: string | undefined
  readonly amount: bigint
  readonly feeLimit: bigint
  readonly preimage: string | undefined
}

/** An unusual course of a payment. */
export type Fate = 'hangs' | 'wrong-preimage' | 'fee-over-limit'

const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')

/** The state and behaviour of an lnd, without its protocol: the invoices and payments, and one outside node. */
export class FakeNetwork {
  network: Network = 'regtest'
  key = randomBytes(32).toString('hex')
  /** Whether invoices settle for less than their amount, which no honest lnd reports. */
  shortChanges = false
  balance = sats(4_900_000) as bigint
  readonly invoices = new Map<string, FakeInvoice>()
  readonly payments = new Map<string, FakePayment>()
  readonly fates: Fate[] = []
  readonly #outsideKey = randomBytes(32).toString('hex')
  readonly #outside = new Map<string, { preimage: string; request: string; received: bigint; canceled: boolean }>()
  readonly #listeners = new Set<(invoice: FakeInvoice) => void>()
  readonly #waiting = new Map<string, Set<() => void>>()
  #settled = 0n

  get pubkey(): string {
    return publicKey(this.key)
  }

  get outsidePubkey(): string {
    return publicKey(this.#outsideKey)
  }

  get inFlight(): bigint {
    const open = [...this.payments.values()].filter((payment) => payment.status === 'IN_FLIGHT')
    return open.reduce((sum, { amount, fee }) => sum + amount + fee, 0n)
  }

  addInvoice(draft: {
    value: bigint
    memo: string
    descriptionHash?: string
    expiry: number
    preimage: string
  }): FakeInvoice {
    const hash = sha256(draft.preimage)
    if (this.invoices.has(hash)) throw new Refused(2, 'invoice with payment hash already exists')
    const now = Math.floor(Date.now() / 1000) * 1000
    const { descriptionHash } = draft
    const request = encodeInvoice({
      network: this.network,
      ...(draft.value > 0n && { amount: msats(draft.value) }),
      ...(descriptionHash === undefined ? { description: draft.memo } : { descriptionHash }),
      paymentHash: hash,
      paymentSecret: randomBytes(32).toString('hex'),
      createdAt: new Date(now),
      expiresInSeconds: draft.expiry,
      privateKey: this.key,
    })
    const expiresAt = now + draft.expiry * 1000
    return this.#record({ hash, preimage: draft.preimage, request, value: draft.value, expiresAt, isKeysend: false })
  }

  findInvoice(hash: string): FakeInvoice {
    const found = this.invoices.get(hash)
    if (found === undefined) throw new Refused(5, 'unable to locate invoice')
    if (found.state === 'OPEN' && Date.now() >= found.expiresAt) found.state = 'CANCELED'
    return found
  }

  cancelInvoice(hash: string): void {
    if (!this.invoices.has(hash)) throw new Refused(2, 'unable to locate invoice')
    const invoice = this.findInvoice(hash)
    if (invoice.state === 'SETTLED') throw new Refused(2, 'invoice already settled')
    invoice.state = 'CANCELED'
  }

  /** Makes the outside node pay one of our invoices. */
  receive(request: string, amount?: bigint): { preimage: string } {
    const { paymentHash } = decodeInvoice(request)
    const invoice = this.findInvoice(paymentHash)
    if (invoice.state !== 'OPEN') throw new Error('INCORRECT_PAYMENT_DETAILS')
    const value = amount ?? invoice.value
    this.#settle(invoice, this.shortChanges ? value - 1_000n : value)
    return { preimage: invoice.preimage }
  }

  receiveKeysend(amount: bigint): { paymentHash: string } {
    const preimage = randomBytes(32).toString('hex')
    const hash = sha256(preimage)
    const about = { hash, preimage, request: '', value: amount, expiresAt: Date.now() + 3_600_000, isKeysend: true }
    this.#settle(this.#record(about), amount)
    return { paymentHash: hash }
  }

  onSettled(listener: (invoice: FakeInvoice) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  outsideInvoice(amount?: Msats, expiry = 3_600): { invoice: string; paymentHash: string } {
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = sha256(preimage)
    const invoice = encodeInvoice({
      network: this.network,
      ...(amount !== undefined && { amount }),
      description: '',
      paymentHash,
      paymentSecret: randomBytes(32).toString('hex'),
      createdAt: new Date(Math.floor(Date.now() / 1000) * 1000 - (expiry < 0 ? 3_600_000 : 0)),
      expiresInSeconds: Math.abs(expiry),
      privateKey: this.#outsideKey,
    })
    this.#outside.set(paymentHash, { preimage, request: invoice, received: 0n, canceled: false })
    return { invoice, paymentHash }
  }

  cancelOutside(hash: string): void {
    const invoice = this.#outside.get(hash)
    if (invoice !== undefined) invoice.canceled = true
  }

  outsideReceived(hash: string): bigint | undefined {
    return this.#outside.get(hash)?.received || undefined
  }

  /**
   * Sends a payment as lnd does: checks it, records it, then tries it. Throws Refused if a check fails, before
   * recording anything.
   */
  send(order: PaymentOrder): FakePayment {
    const { hash, amount, payee } = this.#readOrder(order)
    const earlier = this.payments.get(hash)
    if (earlier?.status === 'SUCCEEDED') throw new Refused(6, 'invoice is already paid')
    if (earlier?.status === 'IN_FLIGHT') throw new Refused(6, 'payment is in transition')
    const fee = 1_000n + amount / 1_000_000n
    const payment: FakePayment = { hash, amount, status: 'IN_FLIGHT', preimage: '', fee: 0n, reason: 'NONE' }
    this.payments.set(hash, payment)
    const outside = this.#outside.get(hash)
    if (payee !== this.outsidePubkey || fee > order.feeLimit || amount < 1_000n) return this.#fail(payment, 'NO_ROUTE')
    if (amount + fee > this.balance) return this.#fail(payment, 'INSUFFICIENT_BALANCE')
    if (order.request !== undefined && (outside === undefined || outside.canceled)) {
      return this.#fail(payment, 'INCORRECT_PAYMENT_DETAILS')
    }
    payment.fee = fee
    this.balance -= amount + fee
    if (order.preimage !== undefined)
      this.#outside.set(hash, { preimage: order.preimage, request: '', received: 0n, canceled: false })
    const fate = this.fates.shift()
    if (fate === 'hangs') return payment
    return this.#succeed(payment, fate, order.feeLimit)
  }

  /** Returns at most `most` payments as lnd lists them if asked for `reversed` order without incomplete payments. */
  sent(most: number) {
    const paid = [...this.payments.values()].filter(({ status }) => status === 'SUCCEEDED').reverse()
    return paid.slice(0, most).map(({ hash, amount, fee }) => ({
      ...{ payment_hash: hash, value_msat: `${amount}`, fee_msat: `${fee}` },
      creation_time_ns: `${Date.now()}000000`,
    }))
  }

  /** Ends a hanging payment. */
  release(hash: string, end: 'settle' | 'cancel'): void {
    const payment = this.payments.get(hash)
    if (payment?.status !== 'IN_FLIGHT') throw new Error('nothing hangs under this hash')
    if (end === 'settle') this.#succeed(payment)
    else {
      this.balance += payment.amount + payment.fee
      payment.fee = 0n
      this.#fail(payment, 'INCORRECT_PAYMENT_DETAILS')
    }
    for (const tell of this.#waiting.get(hash) ?? []) tell()
    this.#waiting.delete(hash)
  }

  onEnd(hash: string, tell: () => void): void {
    const waiting = this.#waiting.get(hash) ?? new Set()
    this.#waiting.set(hash, waiting.add(tell))
  }

  #readOrder(order: PaymentOrder): { hash: string; amount: bigint; payee: string } {
    if (order.request === undefined) {
      if (order.dest === this.pubkey) throw new Refused(2, 'self-payments not allowed')
      return { hash: order.hash ?? '', amount: order.amount, payee: order.dest ?? '' }
    }
    const invoice = this.#decode(order.request)
    if (Date.now() >= invoice.expiresAt.getTime()) throw new Refused(2, 'invoice expired. Valid until …')
    if (invoice.payee === this.pubkey) throw new Refused(2, 'self-payments not allowed')
    if (invoice.amount !== undefined && order.amount > 0n) {
      throw new Refused(2, 'amount must not be specified when paying a non-zero amount invoice')
    }
    const amount = invoice.amount ?? order.amount
    if (amount === 0n) throw new Refused(2, 'amount must be specified when paying a zero amount invoice')
    return { hash: invoice.paymentHash, amount, payee: invoice.payee }
  }

  #decode(request: string) {
    try {
      return decodeInvoice(request)
    } catch {
      throw new Refused(2, 'failed converting data to bytes: invalid character not part of charset: 98')
    }
  }

  #fail(payment: FakePayment, reason: string): FakePayment {
    return Object.assign(payment, { status: 'FAILED', reason })
  }

  #succeed(payment: FakePayment, fate?: Fate, feeLimit = 0n): FakePayment {
    const outside = this.#outside.get(payment.hash)
    if (outside !== undefined) outside.received = payment.amount
    const preimage = fate === 'wrong-preimage' ? '11'.repeat(32) : (outside?.preimage ?? '')
    const fee = fate === 'fee-over-limit' ? feeLimit + 5_000n : payment.fee
    return Object.assign(payment, { status: 'SUCCEEDED', preimage, fee, reason: 'NONE' })
  }

  #record(
    about: Pick<FakeInvoice, 'hash' | 'preimage' | 'request' | 'value' | 'expiresAt' | 'isKeysend'>,
  ): FakeInvoice {
    const addIndex = BigInt(this.invoices.size + 1)
    const invoice: FakeInvoice = { ...about, addIndex, state: 'OPEN', paid: 0n, settleIndex: 0n, settledAt: 0 }
    this.invoices.set(about.hash, invoice)
    return invoice
  }

  #settle(invoice: FakeInvoice, paid: bigint): void {
    this.#settled += 1n
    const settledAt = Math.floor(Date.now() / 1000)
    Object.assign(invoice, { state: 'SETTLED', paid, settleIndex: this.#settled, settledAt })
    this.balance += paid
    for (const tell of [...this.#listeners]) tell(invoice)
  }
}
