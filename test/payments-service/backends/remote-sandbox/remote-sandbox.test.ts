import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { listen } from '../../../../src/lib/http/http-listen.ts'
import { createHttpServer } from '../../../../src/lib/http/http-server.ts'
import { silentLogger } from '../../../../src/lib/logger.ts'
import { msats, sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../../../src/payments-service/backends/backend.ts'
import {
  createRemoteSandbox,
  type RemoteSandbox,
} from '../../../../src/payments-service/backends/remote-sandbox/remote-sandbox.ts'
import { nodeRoutes } from '../../../../src/payments-service/backends/sandbox/node-routes.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from '../../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { describeBackend, settlements } from '../backend-contract.ts'
import { FakeHttp } from '../nodes/fake-http.ts'

const TOKEN = 'ab'.repeat(32)

/** A sandbox behind HTTP on this machine. */
class Served {
  readonly network: SandboxNetwork
  readonly heard: string[] = []
  url = ''
  #close: () => Promise<void> = async () => undefined

  constructor(network = newNetwork()) {
    this.network = network
  }

  async start(port = 0): Promise<this> {
    const app = createHttpServer({ logger: silentLogger })
    const access = { token: TOKEN, ownUrls: () => [this.url] }
    await app.register(nodeRoutes(this.network.backend, { access, onHello: (serves) => this.heard.push(...serves) }))
    this.url = await listen(app, port)
    this.#close = () => app.close()
    return this
  }

  connect(token = TOKEN): RemoteSandbox {
    return createRemoteSandbox({ url: this.url, token }, { clock: systemClock })
  }

  /** Stops the server; the network continues to exist, as its file would. */
  async stop(): Promise<void> {
    await this.#close()
  }

  async close(): Promise<void> {
    await this.stop()
    await this.network.close()
  }
}

function newNetwork(): SandboxNetwork {
  const fetch = async (): Promise<never> => Promise.reject(new Error('this test fetches nothing'))
  return createSandboxNetwork({ file: ':memory:', clock: systemClock, entropy: systemEntropy, fetch })
}

describeBackend('a sandbox in a process of its own', async () => {
  const served = await new Served().start()
  const backend = served.connect()
  const { outside } = served.network
  return {
    backend,
    peer: {
      pubkey: async () => outside.wallet().pubkey,
      createInvoice: async ({ amount }) => outside.createInvoice({ amount }),
      pay: (invoice, amount) => outside.pay(invoice, amount),
      keysend: (amount) => outside.keysend(amount),
      received: async (paymentHash) => {
        const receipt = outside.lookUp(paymentHash)
        return receipt?.state === 'paid' ? receipt.amount : undefined
      },
    },
    close: async () => {
      await backend.close()
      await served.close()
    },
  }
})

const ask = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }
const maxFee = sats(100)

let served: Served
let backend: RemoteSandbox
beforeEach(async () => {
  served = await new Served().start()
  backend = served.connect()
})
afterEach(async () => {
  await backend.close()
  await served.close()
})

function payment(timeoutMs = 20_000) {
  const { invoice, paymentHash } = served.network.outside.createInvoice({ amount: sats(500) })
  const pay = (by: LightningBackend = backend) => by.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
  const arrived = () => served.network.outside.lookUp(paymentHash)?.state === 'paid'
  return { paymentHash, pay, arrived }
}

describe('several services on one sandbox', () => {
  it('see the same node and pay a payment hash only once', async () => {
    const other = served.connect()
    expect(await other.info()).toEqual(await backend.info())
    const { pay, paymentHash } = payment()
    const [first, second] = await Promise.all([pay(), pay(other)])
    expect(first).toMatchObject({ state: 'paid' })
    expect(second).toEqual(first)
    expect(await other.lookUpPayment(paymentHash)).toEqual(first)
    const { invoice, paymentHash: own } = await backend.createInvoice(ask)
    await served.network.outside.pay(invoice)
    expect(await settlements(other, 1)).toMatchObject([{ paymentHash: own }])
    await other.close()
  })

  it('tell the sandbox where they serve LNURL whenever they check its health', async () => {
    backend.serveAt('http://127.0.0.1:4000', 'https://pay.example.org')
    await backend.health()
    expect(served.heard).toContain('https://pay.example.org')
    served.heard.length = 0
    await backend.health()
    expect(served.heard).toEqual(['http://127.0.0.1:4000', 'https://pay.example.org'])
  })
})

describe('a payment through a remote sandbox', () => {
  it('is pending while it hangs and ends when it is released', async () => {
    served.network.setFault('hang')
    const { pay, paymentHash, arrived } = payment(1_500)
    expect(await pay()).toMatchObject({ state: 'pending' })
    expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    expect(await backend.balances()).toMatchObject({ inFlight: sats(500) + msats(1_500) })
    served.network.release('settle')
    expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid' })
    expect(arrived()).toBe(true)
  })

  it('is unknown while the sandbox is away and can be looked up afterwards', async () => {
    const { pay, paymentHash } = payment()
    const { port } = new URL(served.url)
    await served.stop()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    await expect(backend.lookUpPayment(paymentHash)).rejects.toThrow()
    await served.start(Number(port))
    expect(await backend.lookUpPayment(paymentHash)).toEqual({ state: 'absent' })
    expect(await pay()).toMatchObject({ state: 'paid' })
  })

  it('is unknown after a refusal, since an earlier call may still be open', async () => {
    const stranger = served.connect('cd'.repeat(32))
    const { pay } = payment()
    expect(await pay(stranger)).toMatchObject({ state: 'unknown', evidence: expect.stringContaining('missing_token') })
    await stranger.close()
  })

  it.each(['cut-before', 'cut-after', 'html', 'oversized'] as const)(
    'is unknown if the answer about it is invalid (%s)',
    async (fault) => {
      const answer = { state: 'paid', preimage: '12'.repeat(32), fee: '0' }
      const fake = new FakeHttp(async () => ({ status: 200, body: JSON.stringify(answer) }))
      await fake.start()
      const liar = createRemoteSandbox({ url: fake.url, token: TOKEN }, { clock: systemClock })
      fake.next(fault)
      expect(await payment().pay(liar)).toMatchObject({ state: 'unknown' })
      await liar.close()
      await fake.stop()
    },
  )
})

describe('the stream of settlements', () => {
  it('breaks when the sandbox stops and resumes later from its cursor', async () => {
    const { invoice } = await backend.createInvoice(ask)
    await served.network.outside.pay(invoice)
    const [first] = await settlements(backend, 1)
    const broken = expect(settlements(backend, 1, first?.cursor)).rejects.toThrow()
    const { port } = new URL(served.url)
    await served.stop()
    await broken
    await served.start(Number(port))
    const later = await backend.createInvoice(ask)
    await served.network.outside.pay(later.invoice)
    expect(await settlements(backend, 1, first?.cursor)).toMatchObject([{ paymentHash: later.paymentHash }])
  })
})

describe('the health of a sandbox', () => {
  it.each([
    ['a wrong token', () => served.connect('cd'.repeat(32)), 'refused', /SANDBOX_TOKEN_FILE/],
    ['no sandbox', () => connect('http://127.0.0.1:9'), 'away', /npm run sandbox/],
  ] as const)('is reported with a remedy if there is %s', async (_, make, state, reason) => {
    const other = make()
    expect(await other.health()).toMatchObject({ state, reason: expect.stringMatching(reason) })
    await expect(other.info()).rejects.toThrow()
    await other.close()
  })

  it('is reported as away if another program answers', async () => {
    const fake = new FakeHttp(async () => ({ status: 404, body: '<h1>Not found</h1>', type: 'text/html' }))
    await fake.start()
    const other = connect(fake.url)
    expect(await other.health()).toMatchObject({ state: 'away', reason: expect.stringMatching(/is not a sandbox/) })
    await other.close()
    await fake.stop()
  })

  it('is reported as refused if the sandbox does not know the host name', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const fake = new FakeHttp(async ({ path }) => {
      const host = { ...headers, host: 'sandbox.example' }
      const answer = await hello(new URL(path, served.url), host)
      return { status: answer.status, body: answer.body }
    })
    await fake.start()
    const other = connect(fake.url)
    expect(await other.health()).toMatchObject({ state: 'refused', reason: expect.stringMatching(/SANDBOX_URL=/) })
    await other.close()
    await fake.stop()
  })
})

function connect(url: string): RemoteSandbox {
  return createRemoteSandbox({ url, token: TOKEN }, { clock: systemClock })
}

/** Calls the sandbox with other headers, such as Host, which `fetch` would set itself. */
async function hello(url: URL, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    asked.on('error', reject)
    asked.end('{"serves":[]}')
  })
}
