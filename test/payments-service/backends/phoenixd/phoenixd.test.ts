import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../../../src/lib/clock.ts'
import { decodeInvoice } from '../../../../src/lib/lightning/bolt11.ts'
import { msats, sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend, OddRecord, Settlement } from '../../../../src/payments-service/backends/backend.ts'
import { FINAL_PHOENIXD_FAILURES } from '../../../../src/payments-service/backends/phoenixd/payment-failures.ts'
import { createPhoenixd } from '../../../../src/payments-service/backends/phoenixd/phoenixd.ts'
import { ManualClock } from '../../../support/manual-clock.ts'
import { describeBackend, settlements } from '../backend-contract.ts'
import { FakePhoenixd } from './fake-phoenixd.ts'

function connect(node: FakePhoenixd, clock: Clock, password = node.password): LightningBackend {
  return createPhoenixd({ url: node.http.url, password }, { clock })
}

describeBackend('phoenixd', async () => {
  const node = new FakePhoenixd(systemClock)
  await node.http.start()
  const backend = connect(node, systemClock)
  return {
    backend,
    peer: {
      pubkey: async () => node.side.outsidePubkey,
      createInvoice: async (request) => node.side.outsideInvoice(request),
      pay: async (invoice, amount) => node.side.payFromOutside(invoice, amount),
      keysend: async () => Promise.reject(new Error('phoenixd takes no keysends')),
      received: async (paymentHash) => node.side.receivedOutside(paymentHash),
    },
    close: async () => {
      await backend.close()
      await node.http.stop()
    },
  }
})

const ask = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

let clock: ManualClock
let node: FakePhoenixd
let backend: LightningBackend

beforeEach(async () => {
  clock = new ManualClock()
  node = new FakePhoenixd(clock)
  await node.http.start()
  backend = connect(node, clock)
})
afterEach(async () => {
  await backend.close()
  await node.http.stop()
})

/**
 * The step by which time passes: long enough for pauses between look-ups, too short for the time limits of requests.
 */
const PAUSES_MS = 1_000

/** Prepares a payment of 500 sats to the outside node; each call of `pay` requests the same payment. */
function payment(maxFee = sats(100)) {
  const { invoice, paymentHash } = node.side.outsideInvoice({ amount: sats(500) })
  const timeoutMs = 20_000
  const pay = (by = backend) =>
    clock.advanceUntil(by.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs }), PAUSES_MS)
  return { paymentHash, pay, lookUp: (by = backend) => by.lookUpPayment(paymentHash) }
}
const wasAskedToPay = () => node.http.requests.some(({ path }) => path === '/payinvoice')

describe('the tariff of phoenixd', () => {
  it('is 4 sats and 0.4 %, rounded up', () => {
    expect(backend.tariff(sats(500))).toBe(sats(6))
    expect(backend.tariff(msats(1_001))).toBe(msats(4_005))
  })

  it('is the lowest fee limit with which phoenixd is asked to pay', async () => {
    const { pay } = payment(msats(5_999))
    expect(await pay()).toMatchObject({ state: 'failed', code: 'no_route', reason: expect.stringContaining('0.4 %') })
    expect(wasAskedToPay()).toBe(false)
    expect(await payment(sats(6)).pay()).toMatchObject({ state: 'paid', fee: sats(6) })
  })

  it('may differ from the actual fee, which the record contains', async () => {
    node.side.next('overcharge')
    const outcome = await payment().pay()
    expect(outcome).toEqual({ state: 'paid', preimage: expect.any(String), fee: sats(12) })
  })
})

describe('a payment through phoenixd', () => {
  it('counts as paid if the answer breaks off but the record shows success', async () => {
    node.http.next('cut-after', '/payinvoice')
    expect(await payment().pay()).toMatchObject({ state: 'paid', fee: sats(6) })
  })

  it('is unknown after an answer in HTML and is looked up after an endless answer', async () => {
    node.http.next('html', '/payinvoice')
    const { pay, lookUp } = payment()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    expect(await lookUp()).toEqual({ state: 'absent' })
    node.http.next('oversized', '/payinvoice')
    expect(await payment().pay()).toMatchObject({ state: 'paid', fee: sats(6) })
  })

  it('is reported with the preimage that the node states, even if that is wrong', async () => {
    node.side.next('wrong-preimage')
    expect(await payment().pay()).toMatchObject({ state: 'paid', preimage: '11'.repeat(32) })
  })

  it('is paid or unknown, but never failed, if its record cannot be read', async () => {
    const { pay, paymentHash } = payment()
    const [outcome] = [pay(), await node.http.reached(paymentHash)]
    node.http.next('cut-before', paymentHash)
    node.http.next('cut-before', paymentHash)
    expect((await outcome).state).toMatch(/paid|unknown/)
  })

  it('is unknown if the connection breaks and pending while its HTLC is open', async () => {
    node.side.next('hang')
    const { pay, lookUp, paymentHash } = payment()
    const [first] = [pay(), await node.http.reached('/payinvoice')]
    await node.http.stop()
    expect(await first).toMatchObject({ state: 'unknown' })
    await node.http.start()
    const again = connect(node, clock)
    expect(await lookUp(again)).toMatchObject({ state: 'pending' })
    const [second] = [pay(again), await node.http.reached(paymentHash)]
    node.side.release('complete')
    expect(await second).toMatchObject({ state: 'paid' })
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
    await again.close()
  })

  it('counts as failed once phoenixd’s record of it is completed but unpaid', async () => {
    node.side.next('hang')
    const { pay, lookUp } = payment()
    const [first] = [pay(), await node.http.reached('/payinvoice')]
    await clock.advance(20_000)
    expect(await first).toMatchObject({ state: 'unknown' })
    node.side.release('failed')
    expect(await lookUp()).toMatchObject({ state: 'failed' })
  })

  it.each([...FINAL_PHOENIXD_FAILURES])(
    'is proven to have failed by its record and the reason “%s”',
    async (reason, { code }) => {
      node.reason = reason
      node.side.next('refused-by-payee')
      expect(await payment().pay()).toMatchObject({
        state: 'failed',
        code,
        evidence: expect.stringContaining('completed'),
      })
    },
  )

  it.each(['this invoice has already been paid', 'an unknown error occurred', 'something new'])(
    'is unknown after the reason “%s”, which proves nothing',
    async (reason) => {
      node.reason = reason
      node.side.next('no-path')
      const { pay, lookUp } = payment()
      expect(await pay()).toMatchObject({ state: 'unknown', evidence: expect.stringContaining(reason) })
      expect(await lookUp()).toEqual({ state: 'absent' })
    },
  )

  it('is unknown with an old phoenixd, which records every ended payment as paid', async () => {
    node.side.next('refused-by-payee')
    node.doesMistakeEndForPayment = true
    const { pay, lookUp } = payment()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    await expect(lookUp()).rejects.toThrow('no preimage')
  })

  it('is sent only in whole sats if the invoice states no amount', async () => {
    const { invoice, paymentHash } = node.side.outsideInvoice({})
    const request = { invoice, paymentHash, maxFee: sats(100), timeoutMs: 5_000 }
    expect(await backend.pay({ ...request, amount: msats(1_500) })).toMatchObject({ code: 'refused_by_node' })
    expect(wasAskedToPay()).toBe(false)
    expect(await backend.pay({ ...request, amount: sats(2) })).toMatchObject({ state: 'paid' })
  })

  it('fails with the code no_liquidity if our node’s liquidity is too low', async () => {
    node.side.balance = sats(100)
    node.reason = 'not enough funds in wallet to afford payment'
    expect(await payment().pay()).toMatchObject({ state: 'failed', code: 'no_liquidity' })
  })

  it('is not considered absent if phoenixd does not know the API route', async () => {
    node.isOutdated = true
    await expect(payment().lookUp()).rejects.toThrow('404')
  })

  it('fails if the password does not permit sending, and the health says so', async () => {
    const limited = connect(node, clock, node.limitedPassword)
    expect(await limited.health()).toMatchObject({ state: 'refused', reason: expect.stringContaining('limited') })
    const { pay } = payment()
    expect(await pay(limited)).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    expect(node.side.attempts).toEqual([])
    await limited.close()
  })
})

describe('a payment to us through phoenixd', () => {
  it('has the amount that arrived, which may be less than the amount of the invoice', async () => {
    const { invoice, paymentHash } = await backend.createInvoice(ask)
    node.side.payFromOutside(invoice, sats(1_000), { received: sats(400) })
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled', received: sats(400) })
    expect(await settlements(backend, 1)).toMatchObject([{ paymentHash, received: sats(400) }])
  })

  it('has an invoice with the given description hash, or else with the shortened text', async () => {
    const text = 'metadata '.repeat(100)
    const hash = createHash('sha256').update(text).digest('hex')
    const hashed = await backend.createInvoice({ ...ask, description: { text, hash } })
    expect(decodeInvoice(hashed.invoice).descriptionHash).toBe(hash)
    const plain = await backend.createInvoice({ ...ask, description: { text } })
    expect(decodeInvoice(plain.invoice).description).toBe(`${text.slice(0, 127)}…`)
  })

  it('cannot be requested with a fraction of a sat', async () => {
    await expect(backend.createInvoice({ ...ask, amount: msats(1_500) })).rejects.toThrow('whole sats')
    expect(node.side.invoices).toEqual([])
  })

  it('works whether or not its preimage is known from the start', async () => {
    const { preimage, paymentHash } = await backend.createInvoice(ask)
    expect(preimage).toBe(node.side.invoice(paymentHash)?.preimage)
    const [making] = [backend.createInvoice(ask), await node.http.reached('/createinvoice')]
    node.http.next('cut-before')
    expect(await making).not.toHaveProperty('preimage')
  })

  it('remains possible for 10 minutes after its invoice expires', async () => {
    const { paymentHash } = await backend.createInvoice(ask)
    await clock.advance(600_000 + 599_999)
    expect(await backend.lookUpInvoice(paymentHash)).toEqual({ state: 'open' })
    await clock.advance(1)
    expect(await backend.lookUpInvoice(paymentHash)).toEqual({ state: 'closed' })
  })

  it('is found at the end of a long list among payments of the same millisecond', async () => {
    node.side.spacingMs = 0
    for (let made = 0; made < 105; made += 1) {
      const own = node.side.addInvoice({ amount: sats(1), description: '', expiresInSeconds: 600 })
      node.side.payFromOutside(own.invoice)
    }
    const all = await settlements(backend, 105)
    expect(new Set(all.map(({ paymentHash }) => paymentHash)).size).toBe(105)
    expect(await settlements(backend, 5, all[99]?.cursor)).toEqual(all.slice(100))
  })

  it('is found even if it is recorded late with an earlier time than other payments', async () => {
    const [late, early] = [await backend.createInvoice(ask), await backend.createInvoice(ask)]
    const stop = new AbortController()
    const stream = backend.settledInvoices(undefined, stop.signal)[Symbol.asyncIterator]()
    const lateAt = clock.now()
    await clock.advance(5_000)
    node.side.payFromOutside(early.invoice)
    expect((await stream.next()).value?.paymentHash).toBe(early.paymentHash)
    const next = stream.next().then(({ value }) => value?.paymentHash)
    node.side.payFromOutside(late.invoice)
    const own = node.side.invoice(late.paymentHash)
    if (own?.settled !== undefined) own.settled = { ...own.settled, at: lateAt }
    const readThrice = async () => {
      for (let read = 0; read < 3; read += 1) await node.http.reached('/payments/incoming')
      return 'not found'
    }
    expect(await clock.advanceUntil(Promise.race([next, readThrice()]), 2_000)).toBe(late.paymentHash)
    stop.abort()
  })
})

describe('phoenixd’s own messages about arrivals', () => {
  const arrived = (paymentHash: string) => ({ type: 'payment_received', timestamp: 1, amountSat: 1_000, paymentHash })
  let stop: AbortController
  let stream: AsyncIterator<Settlement | OddRecord>
  beforeEach(() => {
    stop = new AbortController()
    stream = backend.settledInvoices(undefined, stop.signal)[Symbol.asyncIterator]()
  })
  afterEach(async () => {
    stop.abort()
    await stream.next()
  })

  /** Begins to wait for the next settlement; resolves when the list of payments is being read. */
  async function begin() {
    const read = node.http.reached('/payments/incoming')
    const next = stream.next().then(({ value }) => value?.paymentHash as string)
    await read
    return { next }
  }

  it('make the backend read the list immediately', async () => {
    const own = await backend.createInvoice(ask)
    const listened = node.heard()
    const { next } = await begin()
    await listened
    node.side.payFromOutside(own.invoice)
    node.tell(arrived(own.paymentHash))
    expect(await next).toBe(own.paymentHash)
  })

  it('prove nothing unless phoenixd lists the payment too', async () => {
    const [unpaid, paid] = [await backend.createInvoice(ask), await backend.createInvoice(ask)]
    const listened = node.heard()
    const { next } = await begin()
    await listened
    for (const message of [arrived(unpaid.paymentHash), 'no JSON', '{}']) {
      const read = node.http.reached('/payments/incoming')
      node.tell(message)
      await read
    }
    node.side.payFromOutside(paid.invoice)
    node.tell('')
    expect(await next).toBe(paid.paymentHash)
  })

  it('resume after a broken connection, and missed payments are found in the list', async () => {
    const [first, second] = [await backend.createInvoice(ask), await backend.createInvoice(ask)]
    const listened = node.heard()
    const { next } = await begin()
    await listened
    for (const client of node.listeners.clients) client.terminate()
    const again = node.heard()
    node.side.payFromOutside(first.invoice)
    await clock.advanceUntil(again, 1_000)
    expect(await clock.advanceUntil(next, 2_000)).toBe(first.paymentHash)
    const later = stream.next().then(({ value }) => value?.paymentHash)
    node.side.payFromOutside(second.invoice)
    node.tell(arrived(second.paymentHash))
    expect(await later).toBe(second.paymentHash)
  })

  it('are not needed if phoenixd does not offer them', async () => {
    node.tellsArrivals = false
    const own = await backend.createInvoice(ask)
    const { next } = await begin()
    node.side.payFromOutside(own.invoice)
    expect(await clock.advanceUntil(next, 2_000)).toBe(own.paymentHash)
  })
})

describe('the state of phoenixd', () => {
  it('is ready without a channel, since the first payment opens one', async () => {
    node.channel = undefined
    expect(await backend.health()).toEqual({ state: 'ready', height: 900_000 })
  })

  it('is starting while its channel is offline', async () => {
    node.channel = 'Offline'
    expect(await backend.health()).toMatchObject({
      state: 'starting',
      reason: expect.stringContaining('Wait a minute'),
    })
  })

  it('comes with an explanation of a wrong password, another program or silence', async () => {
    const wrong = connect(node, clock, 'wrong')
    expect(await wrong.health()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('PHOENIXD_PASSWORD_FILE'),
    })
    await wrong.close()
    node.http.next('html')
    expect(await backend.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('PHOENIXD_URL') })
    node.http.next('hang')
    const [waiting] = [backend.health(), await node.http.reached('/getinfo')]
    await clock.advance(5_000)
    expect(await waiting).toMatchObject({ state: 'away' })
    await node.http.stop()
    expect(await backend.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('Start it') })
  })

  it.each([
    ['mainnet', 'bitcoin'],
    ['testnet3', 'testnet'],
  ])('includes the network %s under the name %s', async (chain, network) => {
    node.chain = chain
    expect(await backend.info()).toMatchObject({ network })
  })
})
