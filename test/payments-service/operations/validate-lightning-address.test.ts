import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject
let server: Server
let answer: RequestListener
let asked: string[]

const GOOD = {
  tag: 'payRequest',
  callback: 'https://example.com/pay',
  minSendable: 1_000,
  maxSendable: 5_000_000,
  metadata: '[["text/plain","Pay me"]]',
}

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(msats(0))
  asked = []
  answer = (_request, response) => response.end(JSON.stringify(GOOD))
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const validate = (address: string, by: ServiceWorld = world, apiKey = project.apiKey) =>
  by.raw('GET', `/v0/ln-address/validate/${encodeURIComponent(address)}`, { apiKey })
const there = (name = 'alice') => `${name}@127.0.0.1:${(server.address() as AddressInfo).port}`
const NOT_VALID = { success: true, data: { valid: false } }

describe('Validate Lightning Address', () => {
  it('shows the host’s answer in the fields of the interface', async () => {
    answer = (_request, response) =>
      response.end(
        JSON.stringify({
          ...GOOD,
          commentAllowed: 140,
          payerData: { name: { mandatory: true }, identifier: { mandatory: false }, pubkey: { mandatory: false } },
          disposable: false,
          nostrPubkey: 'ab',
        }),
      )
    const { status, json } = await validate(there())
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      data: {
        valid: true,
        metadata: {
          ...GOOD,
          commentAllowed: 140,
          payerData: { name: { mandatory: true }, identifier: { mandatory: false } },
          disposable: false,
        },
      },
    })
    expect(asked).toEqual(['/.well-known/lnurlp/alice'])
  })

  it('fills missing fields with the defaults of LNURL', async () => {
    const { json } = await validate(there())
    expect(json.data.metadata).toEqual({ ...GOOD, commentAllowed: 0, disposable: true })
  })

  it.each([
    ['an error', { status: 'ERROR', reason: 'no such user' }],
    ['another kind of code', { ...GOOD, tag: 'withdrawRequest' }],
    ['a minimum above the maximum', { ...GOOD, minSendable: 9_000_000 }],
    ['metadata without a description', { ...GOOD, metadata: '[]' }],
    ['a callback that is not a URL', { ...GOOD, callback: 'javascript:alert(1)' }],
    ['a list', []],
  ])('an address that answers with %s is not valid', async (_what, body) => {
    answer = (_request, response) => response.end(JSON.stringify(body))
    expect((await validate(there())).json).toEqual(NOT_VALID)
  })

  it('an address whose answer is HTML, too long or broken off is not valid', async () => {
    const answers: RequestListener[] = [
      (_request, response) => response.end('<html>'),
      (_request, response) => response.end(`${JSON.stringify(GOOD)}${' '.repeat(210_000)}`),
      (_request, response) => response.destroy(),
    ]
    for (const next of answers) {
      answer = next
      expect((await validate(there())).json).toEqual(NOT_VALID)
    }
  })

  it('an address that never answers is reported as not valid after 5 seconds', async () => {
    answer = () => undefined
    const waiting = validate(there())
    await world.until(() => asked.length === 1)
    await world.clock.advance(5_000)
    expect((await waiting).json).toEqual(NOT_VALID)
  })

  it.each(['alice', 'alice@', '@example.com', 'al ice@example.com', 'alice@exa mple.com', '💸@example.com', 'a@b@c.d'])(
    'the malformed address "%s" is reported as not valid without a request',
    async (address) => {
      expect((await validate(address)).json).toEqual(NOT_VALID)
      expect(asked).toEqual([])
    },
  )

  it('never contacts a private address while loopback is forbidden (fault 19)', async () => {
    const strict = await ServiceWorld.open({ settings: { outgoingAllowLoopback: false } })
    const { apiKey } = await strict.project(msats(0))
    for (const address of [there(), 'alice@10.0.0.1', 'alice@169.254.169.254', 'alice@localhost', 'alice@[::1]']) {
      expect((await validate(address, strict, apiKey)).json).toEqual(NOT_VALID)
    }
    expect(asked).toEqual([])
    await strict.close()
  })

  it('an address on our own host is answered from the books', async () => {
    await world.user('Alice')
    const host = new URL(world.url).host
    const { json } = await validate(`alice@${host}`)
    expect(json.data).toMatchObject({
      valid: true,
      metadata: { tag: 'payRequest', callback: `${world.url}/.well-known/lnurlp/alice/callback` },
    })
    expect((await validate(`nobody@${host}`)).json).toEqual(NOT_VALID)
  })

  it('an address on our own host is valid even while loopback is forbidden', async () => {
    const strict = await ServiceWorld.open({
      settings: { outgoingAllowLoopback: false, publicUrl: 'https://pay.example.org' },
    })
    const { apiKey } = await strict.project(msats(0))
    await strict.user('bob')
    expect((await validate('bob@pay.example.org', strict, apiKey)).json.data.valid).toBe(true)
    await strict.close()
  })
})

itKeepsEveryPromise(operations.validateLightningAddress)
