import type { Reply } from './network.ts'
import type { Server, SimulatedRequest } from './simulated-http.ts'

/** Matches the paths of requests that send money, for which a wrong amount in the answer would be noticed. */
const SENDS = /^\/v0\/(gamertag\/send-payment|payments|withdrawal-requests)$/
const WALLET = '/v0/wallet'
const PAYMENTS = /^\/v0\/(payments|withdrawal-requests)(\/|$)/

/** The path of a feature that other providers do not offer. */
const PROOF = '/v0/gamertag/prove'
const NO_SUCH_PATH: Reply = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ success: false, message: 'There is no such path.', code: 'unknown_route' }),
}

const NOT_NOW: Reply = {
  status: 503,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ success: false, message: 'Not now.', code: 'unavailable' }),
}

type Data = Record<string, unknown>

/** A provider such as others might run: it forgets keys and makes false statements. */
export class FaultyProvider {
  /** How often the provider had forgotten everything when it first saw each key. */
  readonly #firstSeen = new Map<string, number>()
  #forgotten = 0
  /** Whether the provider remembers keys and replays their answers. */
  replays = true
  /** Whether the provider reports the wallet's balance. */
  tellsWallet = true
  #losses = 0
  #lies = 0
  #withheld = 0
  #lied = () => {}
  #lie = (amount: bigint) => amount
  #silent = () => {}

  /** Forgets everything that the provider stored for keys, so that they are new to it. */
  forget(): void {
    this.#forgotten += 1
  }

  /** Loses the answers to the next few requests that send something. */
  loseAnswers(count: number): void {
    this.#losses = count
  }

  /** Replaces the amounts in the next `count` answers by those that `lie` returns; calls `told` for each. */
  lieAboutAmounts(count: number, lie: (amount: bigint) => bigint, told: () => void): void {
    this.#lies = count
    this.#lie = lie
    this.#lied = told
  }

  withholdFees(count: number, told: () => void): void {
    this.#withheld = count
    this.#silent = told
  }

  /** Ends all faults except the forgetting of keys: from now on, every answer arrives and is true. */
  calm(): void {
    this.tellsWallet = true
    this.#losses = 0
    this.#lies = 0
    this.#withheld = 0
  }

  /** Returns this provider as a server in front of `server`, which is honest. */
  inFrontOf(server: Server): Server {
    return async (request) => {
      // Members link gamertags that others had before, and nobody here asks for proof.
      if (request.url.pathname === PROOF) return NO_SUCH_PATH
      if (request.url.pathname === WALLET && !this.tellsWallet) return NOT_NOW
      const reply = await server(this.#asItKnows(request))
      const { pathname } = request.url
      if (this.#losses > 0 && request.method === 'POST' && SENDS.test(pathname)) {
        this.#losses -= 1
        return new Promise(() => undefined)
      }
      return reply.status === 200 ? this.#asItSays(request, pathname, reply) : reply
    }
  }

  #asItKnows(request: SimulatedRequest): SimulatedRequest {
    const key = request.headers['idempotency-key']
    if (key === undefined) return request
    // By the next request, it has forgotten everything that it does not store.
    if (!this.replays) this.#forgotten += 1
    const first = this.#firstSeen.get(key)
    if (first === undefined) this.#firstSeen.set(key, this.#forgotten)
    if (first === undefined || first === this.#forgotten) return request
    return { ...request, headers: { ...request.headers, 'idempotency-key': `${key}~${this.#forgotten}` } }
  }

  #asItSays({ method }: SimulatedRequest, path: string, reply: Reply): Reply {
    if (this.#lies > 0 && (method === 'POST' ? SENDS : PAYMENTS).test(path)) {
      return this.#changed(reply, (data) => {
        if (typeof data.amount !== 'string') return false
        data.amount = String(this.#lie(BigInt(data.amount)))
        this.#lies -= 1
        this.#lied()
        return true
      })
    }
    if (this.#withheld > 0 && PAYMENTS.test(path)) {
      return this.#changed(reply, (data) => {
        // A free payment is no loss, even for somebody who overlooks it.
        if (typeof data.fee !== 'string' || data.fee === '0') return false
        data.fee = null
        this.#withheld -= 1
        this.#silent()
        return true
      })
    }
    return reply
  }

  #changed(reply: Reply, change: (data: Data) => boolean): Reply {
    const body = JSON.parse(reply.body) as { data?: Data }
    if (body.data === undefined || !change(body.data)) return reply
    return { ...reply, body: JSON.stringify(body) }
  }
}
