import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '../../src/lib/lightning/bolt11.ts'
import { encodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { ScriptedAddresses } from './scripted-addresses.ts'
import { ok, refusal, type ScriptedAnswer } from './scripted-answer.ts'
import { ScriptedPayments } from './scripted-payments.ts'
import { ScriptedUsers } from './scripted-users.ts'
import { ScriptedVouchers } from './scripted-vouchers.ts'
import { answerStrangely, type StrangeAnswer } from './strange-answer.ts'

/** A fault of the provider on one request. `act-…` carries the request out first. */
export type Fault =
  | 'hang'
  | 'act-then-hang'
  | 'error'
  | 'act-then-error'
  | 'reset'
  | 'act-then-reset'
  | 'html'
  /** An answer that no program should send, after the request has been carried out. */
  | StrangeAnswer
  /** Pays, loses its stored keys, and fails. */
  | 'act-forget-then-error'
  | 'nothing-sent'
  | { readonly refuse: number; readonly message: string; readonly code?: string; readonly replayed?: boolean }
  /** Runs a function, for a change elsewhere, before the request is carried out. */
  | { readonly before: () => unknown }
  /** Answers with other values; `after` runs once the answer is fixed. */
  | { readonly answer: Record<string, unknown>; readonly after?: () => void }

export interface ProviderAbilities {
  /** Whether the provider replays the answer to an Idempotency-Key, and supports `receiverId`. */
  replays: boolean
  /** Whether charges have an id, by which they can be read. */
  readonly readsCharges: boolean
}

interface StaticCharge {
  readonly id: string
  readonly amount: string
  callbackUrl: string
  slots: number
  allowedSlots: number
}

interface Charge {
  readonly id: string
  readonly body: Record<string, unknown>
  readonly owner: string
  status: string
}

export type Route = readonly [
  operation: string,
  method: string,
  path: RegExp,
  handler: (id: string, body: Record<string, string>) => ScriptedAnswer,
]
const UNIT = { unit: 'msats' }

/**
 * A provider of the payments interface that stores its accounts in memory, uses real HTTP on loopback, and misbehaves
 * on demand. Its users are paid from one project's wallet.
 */
export class ScriptedProvider {
  readonly abilities: ProviderAbilities
  readonly calls: { operation: string; key: string | undefined; body: Record<string, string> }[] = []
  /** The number of requests that will never be answered. */
  hanging = 0
  wallet = 0n
  told: { network?: Network | undefined; node?: object | undefined } = {} // with Get Wallet; a provider need not
  now = () => Date.now()
  readonly received = new Map<string, bigint>()
  codeOf = (id: string) => `lnurl1${id}`
  readonly charges = new Map<string, StaticCharge>()
  readonly invoices = new Map<string, Charge>()
  /** The payments of invoices and codes. */
  readonly outgoing = new ScriptedPayments(this)
  readonly vouchers = new ScriptedVouchers(this)
  readonly addresses = new ScriptedAddresses(this)
  readonly users = new ScriptedUsers(this)
  readonly #users = new Map<string, string>()
  readonly #transactions = new Map<string, Record<string, unknown>>()
  readonly #answers = new Map<string, ScriptedAnswer>()
  readonly #faults = new Map<string, Fault[]>()
  #server: Server | undefined
  #port = 0

  constructor(abilities: Partial<ProviderAbilities> = {}) {
    this.abilities = { replays: true, readsCharges: true, ...abilities }
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async down(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  user(gamertag: string): string {
    const id = randomUUID()
    this.#users.set(id, gamertag)
    return id
  }

  rename(userId: string, gamertag: string): void {
    this.#users.set(userId, gamertag)
  }

  /** Sets the faults of an operation's next calls, one for each call. */
  misbehave(operation: string, ...faults: Fault[]): void {
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), ...faults])
  }

  /** Forgets all answers stored under keys. */
  forgetKeys(): void {
    this.#answers.clear()
  }

  stopMisbehaving(operation: string): void {
    this.#faults.delete(operation)
  }

  count(operation: string): number {
    return this.calls.filter((call) => call.operation === operation).length
  }

  /** Resolves when an operation has been called at least this often. */
  async asked(operation: string, times = 1): Promise<void> {
    while (this.count(operation) < times) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Pays a static charge from outside. */
  payCharge(id: string): void {
    const charge = this.charges.get(id)
    if (!charge) throw new Error(`no charge ${id}`)
    charge.slots += 1
    this.wallet += BigInt(charge.amount)
  }

  chargeOf(request: string): StaticCharge {
    const charge = [...this.charges.values()].find((one) => request.endsWith(one.id))
    if (!charge) throw new Error(`no charge ${request}`)
    return charge
  }

  invoiceOf(request: string): Charge {
    const charge = [...this.invoices.values()].find((one) => one.body.invoiceRequest === request)
    if (!charge) throw new Error(`no invoice ${request}`)
    return charge
  }

  idOf(gamertag: string): string | undefined {
    return [...this.#users].find(([, name]) => name.toLowerCase() === gamertag.toLowerCase())?.[0]
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += chunk
    const path = (request.url ?? '').replace(/\?.*/, '')
    const route = this.#routes.find(([, method, pattern]) => method === request.method && pattern.test(path))
    if (!route) {
      send(response, refusal(404, 'There is no such path.', 'unknown_route'))
      return
    }
    const [operation, , pattern, handler] = route
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, string>)
    const key = request.headers['idempotency-key'] as string | undefined
    this.calls.push({ operation, key, body })
    const id = decodeURIComponent(pattern.exec(path)?.[1] ?? '')
    const forget = () => void this.#answers.delete(key ?? '')
    await this.#respond(request, response, operation, () => this.#once(key, text, () => handler(id, body)), forget)
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    operation: string,
    act: () => ScriptedAnswer & { replayed?: boolean },
    forget: () => void,
  ): Promise<void> {
    const fault = this.#faults.get(operation)?.shift()
    if (fault === 'act-forget-then-error') {
      act()
      forget()
      this.#fail(request, response, 'error', act)
    } else if (typeof fault === 'string') this.#fail(request, response, fault, act)
    else if (fault !== undefined && 'refuse' in fault) {
      send(response, { ...refusal(fault.refuse, fault.message, fault.code), replayed: fault.replayed ?? false })
    } else {
      if (fault !== undefined && 'before' in fault) await fault.before()
      // What is read says so once; what was done is replayed as it was answered.
      const answer = request.method === 'GET' ? structuredClone(act()) : act()
      if (fault !== undefined && 'answer' in fault) {
        Object.assign(answer.body.data as object, fault.answer)
        fault.after?.()
      }
      send(response, answer)
    }
  }

  #fail(request: IncomingMessage, response: ServerResponse, fault: Fault & string, act: () => ScriptedAnswer): void {
    if (fault.startsWith('act-then-')) act()
    switch (fault) {
      case 'hang':
      case 'act-then-hang':
        this.hanging += 1
        request.socket.once('close', () => {
          this.hanging -= 1
        })
        break
      case 'error':
      case 'act-then-error':
        send(response, refusal(500, 'Something went wrong.', 'internal'))
        break
      case 'reset':
      case 'act-then-reset':
        request.socket.resetAndDestroy()
        break
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>')
        break
      case 'nothing-sent':
        send(response, refusal(503, 'The node could not be reached.', 'nothing_sent'))
        break
      case 'act-forget-then-error':
        break
      default:
        answerStrangely(fault as StrangeAnswer, request, response)
    }
  }

  #once(key: string | undefined, text: string, act: () => ScriptedAnswer): ScriptedAnswer & { replayed?: boolean } {
    if (!this.abilities.replays || key === undefined) return act()
    const stored = this.#answers.get(key)
    const hash = createHash('sha256').update(text).digest('hex')
    if (stored) {
      if (stored.body.hash !== hash)
        return refusal(409, 'This key stands for another request.', 'idempotency_key_reused')
      return { ...stored, replayed: true }
    }
    const answer = act()
    this.#answers.set(key, { ...answer, body: { ...answer.body, hash } })
    return answer
  }

  readonly #routes: readonly Route[] = [
    ['getWallet', 'GET', /^\/v0\/wallet$/, () => ok({ ...UNIT, balance: `${this.wallet}`, ...this.told })],
    ['getGamertagByUserId', 'GET', /^\/v0\/gamertag\/user-id\/([^/]+)$/, (id) => this.#gamertag(id)],
    ['getIdByGamertag', 'GET', /^\/v0\/user-id\/gamertag\/([^/]+)$/, (gamertag) => this.#id(gamertag)],
    ['payToGamertag', 'POST', /^\/v0\/gamertag\/send-payment$/, (_, body) => this.#pay(body)],
    ['getGamertagPayment', 'GET', /^\/v0\/gamertag\/transaction\/([^/]+)$/, (id) => this.#transaction(id)],
    ['createStaticCharge', 'POST', /^\/v0\/static-charges$/, (_, body) => this.#createStatic(body)],
    ['getStaticCharge', 'GET', /^\/v0\/static-charges\/([^/]+)$/, (id) => this.#static(id)],
    ['updateStaticCharge', 'PATCH', /^\/v0\/static-charges\/([^/]+)$/, (id, body) => this.#updateStatic(id, body)],
    ['createGamertagCharge', 'POST', /^\/v0\/gamertag\/charges$/, (_, body) => this.#createCharge(body)],
    ...[...this.outgoing.routes, ...this.vouchers.routes, ...this.addresses.routes, ...this.users.routes],
    ['getGamertagCharge', 'GET', /^\/v0\/gamertag\/charges\/([^/]+)$/, (id) => this.#charge(id)],
  ]

  #gamertag(id: string): ScriptedAnswer {
    const gamertag = this.#users.get(id)
    return gamertag === undefined ? refusal(404, 'There is no such user.', 'user_not_found') : ok({ gamertag })
  }

  #id(gamertag: string): ScriptedAnswer {
    const id = this.idOf(gamertag)
    return id === undefined ? refusal(404, 'Nobody has this gamertag.', 'gamertag_not_found') : ok({ id })
  }

  #pay(body: Record<string, string>): ScriptedAnswer {
    const amount = BigInt(body.amount ?? '')
    const receiverId = this.idOf(body.gamertag ?? '')
    if (body.receiverId !== undefined && !this.abilities.replays) {
      return refusal(400, 'The body has no field "receiverId".')
    }
    if (receiverId === undefined) return refusal(404, 'Nobody has this gamertag.', 'gamertag_not_found')
    if (body.receiverId !== undefined && body.receiverId !== receiverId) {
      return refusal(409, 'The gamertag belongs to another user by now.', 'receiver_mismatch')
    }
    if (amount > this.wallet) return refusal(400, 'The wallet cannot cover this.', 'insufficient_funds')
    this.wallet -= amount
    this.received.set(receiverId, (this.received.get(receiverId) ?? 0n) + amount)
    const at = new Date().toISOString()
    const [id, transactionId] = [randomUUID(), randomUUID()]
    const about = { receiverId, amount: amount.toString(), comment: body.description ?? '' }
    const transaction = { ...about, id: transactionId, fee: '0', unit: 'msats', processedAt: at, confirmedAt: at }
    this.#transactions.set(transactionId, { ...transaction, status: 'TRANSACTION_STATUS_COMPLETED' })
    return ok({ ...about, id, status: 'settled', transactionId, settledAt: at })
  }

  #transaction(id: string): ScriptedAnswer {
    const transaction = this.#transactions.get(id)
    return transaction ? ok(transaction) : refusal(404, 'There is no such transaction.', 'not_found')
  }

  #createStatic(body: Record<string, string>): ScriptedAnswer {
    if (body.identifier !== undefined) return this.addresses.create(body)
    const charge = {
      id: randomUUID(),
      amount: body.minAmount ?? '',
      callbackUrl: body.callbackUrl ?? '',
      slots: 0,
      allowedSlots: Number(body.allowedSlots),
    }
    this.charges.set(charge.id, charge)
    return this.#static(charge.id)
  }

  #updateStatic(id: string, body: Record<string, unknown>): ScriptedAnswer {
    const charge = this.charges.get(id)
    if (charge) charge.allowedSlots = Number(body.allowedSlots)
    return this.#static(id)
  }

  #static(id: string): ScriptedAnswer {
    const charge = this.charges.get(id)
    if (!charge) return this.addresses.read(id)
    const { slots, amount, callbackUrl, allowedSlots } = charge
    return ok({
      id,
      ...UNIT,
      slots,
      minAmount: amount,
      maxAmount: amount,
      createdAt: new Date().toISOString(),
      expiresAt: null,
      internalId: '',
      description: '',
      callbackUrl,
      allowedSlots,
      successMessage: '',
      status: slots >= allowedSlots ? 'disabled' : 'active',
      invoice: { request: this.codeOf(id), uri: '' },
    })
  }

  #createCharge(body: Record<string, unknown>): ScriptedAnswer {
    const owner = this.idOf(String(body.gamertag))
    if (owner === undefined) return refusal(404, 'Nobody has this gamertag.', 'gamertag_not_found')
    const id = randomUUID()
    const createdAt = new Date(this.now())
    const expiresInSeconds = Number(body.expiresIn)
    const { description = '', internalId = '', callbackUrl = '' } = body
    const invoiceRequest = encodeInvoice({
      network: 'regtest',
      amount: msats(BigInt(String(body.amount))),
      description: String(description),
      paymentHash: hash(id),
      paymentSecret: hash(`secret ${id}`),
      createdAt,
      expiresInSeconds,
      privateKey: hash('node'),
    })
    const fields = {
      ...UNIT,
      amount: body.amount,
      createdAt: createdAt.toISOString(),
      internalId,
      callbackUrl,
      description,
      invoiceRequest,
      invoiceExpiresAt: null,
      invoiceDescriptionHash: null,
    }
    this.invoices.set(id, { id, body: fields, owner, status: 'CHARGE_PENDING' })
    return ok({ ...fields, status: 'CHARGE_PENDING', ...(this.abilities.readsCharges ? { id } : {}) })
  }

  #charge(id: string): ScriptedAnswer {
    const charge = this.invoices.get(id)
    if (!charge || !this.abilities.readsCharges) return refusal(404, 'There is no such path.', 'unknown_route')
    const { body, status } = charge
    const confirmedAt = status === 'CHARGE_COMPLETED' ? new Date().toISOString() : null
    return ok({ ...body, id, status, confirmedAt, invoice: { request: body.invoiceRequest } })
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function send(response: ServerResponse, { status, body, replayed }: ScriptedAnswer & { replayed?: boolean }): void {
  const headers = { 'content-type': 'application/json', ...(replayed ? { 'idempotency-replayed': 'true' } : {}) }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
