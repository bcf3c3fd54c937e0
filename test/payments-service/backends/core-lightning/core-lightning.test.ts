import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../src/lib/clock.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { msats, sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../../../src/payments-service/backends/backend.ts'
import { createCoreLightning } from '../../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { ONE_CERTIFICATE, OTHER_CERTIFICATE } from '../../../support/certificates.ts'
import { ManualClock } from '../../../support/manual-clock.ts'
import { describeBackend, settlements } from '../backend-contract.ts'
import { FakeClnrest } from './fake-clnrest.ts'

function connect(
  node: FakeClnrest,
  clock: Clock,
  change: { rune?: string; certificate?: string } = {},
): LightningBackend {
  const options = { url: node.http.url, rune: node.rune, certificate: undefined, ...change }
  return createCoreLightning(options, { clock, entropy: systemEntropy })
}

describeBackend('Core Lightning', async () => {
  const node = new FakeClnrest(systemClock)
  await node.http.start()
  const backend = connect(node, systemClock)
  return {
    backend,
    peer: {
      pubkey: async () => node.side.outsidePubkey,
      createInvoice: async (request) => node.side.outsideInvoice(request),
      pay: async (invoice, amount) => node.side.payFromOutside(invoice, amount),
      keysend: async (amount) => node.receiveKeysend(amount),
      received: async (paymentHash) => node.side.receivedOutside(paymentHash),
    },
    close: async () => {
      await backend.close()
      await node.http.stop()
    },
  }
})

const maxFee = sats(100)
const ask = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

let clock: ManualClock
let node: FakeClnrest
let backend: LightningBackend

beforeEach(async () => {
  clock = new ManualClock()
  node = new FakeClnrest(clock)
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
function payment(timeoutMs = 20_000) {
  const { invoice, paymentHash } = node.side.outsideInvoice({ amount: sats(500) })
  const pay = (by = backend) =>
    clock.advanceUntil(by.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs }), PAUSES_MS)
  return { invoice, paymentHash, pay, lookUp: (by = backend) => by.lookUpPayment(paymentHash) }
}

describe('a payment through Core Lightning', () => {
  it('counts as paid if the answer breaks off but the record shows success', async () => {
    node.http.next('cut-after', '/xpay')
    const { pay, paymentHash } = payment()
    expect(await pay()).toMatchObject({ state: 'paid', fee: msats(1_500) })
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
  })

  it('is unknown if the connection breaks before the node has read the request', async () => {
    node.http.next('cut-before', '/xpay')
    const { pay, lookUp } = payment()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    expect(await lookUp()).toEqual({ state: 'absent' })
  })

  it('is unknown if the node does not answer in time, and is found by a look-up', async () => {
    node.http.next('hang', '/xpay')
    const { pay, lookUp } = payment(5_000)
    const [outcome] = [pay(), await node.http.reached('/xpay')]
    await clock.advance(5_000)
    expect(await outcome).toMatchObject({ state: 'unknown' })
    expect(await lookUp()).toMatchObject({ state: 'paid' })
  })

  it('is unknown after an answer in HTML and is looked up after an endless answer', async () => {
    node.http.next('html', '/xpay')
    expect(await payment().pay()).toMatchObject({ state: 'unknown' })
    node.http.next('oversized', '/xpay')
    expect(await payment().pay()).toMatchObject({ state: 'paid' })
  })

  it('is still pending after a restart of the node while its HTLC is open', async () => {
    node.side.next('hang')
    const { pay, lookUp, paymentHash } = payment(3_000)
    const [first] = [pay(), await node.http.reached('/xpay')]
    await node.http.stop()
    expect(await first).toMatchObject({ state: 'unknown' })
    node.isPeerAway = true
    await node.http.start()
    const again = connect(node, clock)
    expect((await pay(again)).state).toMatch(/pending|unknown/)
    expect(await lookUp(again)).toMatchObject({ state: 'pending' })
    node.side.release('complete')
    expect(await lookUp(again)).toMatchObject({ state: 'paid' })
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
    await again.close()
  })

  it('is unknown if a repeat fails, since the first call may have succeeded', async () => {
    node.http.next('cut-before', '/xpay')
    const { pay } = payment()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    node.isPeerAway = true
    expect(await pay()).toMatchObject({ state: 'unknown', evidence: expect.stringContaining('no known end') })
  })

  it('is awaited only up to its caller’s time limit while its HTLC is open', async () => {
    node.side.next('hang')
    const { pay, paymentHash, lookUp } = payment()
    const [first] = [pay(), await node.http.reached('/xpay')]
    await clock.advance(20_000)
    expect(await first).toMatchObject({ state: 'unknown' })
    expect(await lookUp()).toMatchObject({ state: 'pending' })
    const [second] = [pay(), await node.http.reached('/listpays')]
    node.side.release('complete')
    expect(await second).toMatchObject({ state: 'paid' })
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
  })

  it('fails at once in the sending process and after 90 s in others if it is refused', async () => {
    node.side.next('refused-by-payee')
    const { pay, lookUp } = payment()
    expect(await pay()).toMatchObject({ state: 'failed', code: 'refused_by_payee' })
    expect(await lookUp()).toMatchObject({ state: 'failed' })
    const other = connect(node, clock)
    expect(await lookUp(other)).toMatchObject({ state: 'pending' })
    await clock.advance(90_000)
    expect(await lookUp(other)).toMatchObject({ state: 'failed' })
    await other.close()
  })

  it('can be retried after it has failed', async () => {
    node.side.next('no-path')
    const { pay } = payment()
    expect(await pay()).toMatchObject({ state: 'failed', code: 'no_route' })
    expect(await pay()).toMatchObject({ state: 'paid' })
  })

  it('fails with the code no_liquidity if our node’s liquidity is too low', async () => {
    node.side.balance = sats(100)
    expect(await payment().pay()).toMatchObject({ state: 'failed', code: 'no_liquidity' })
  })

  it('fails if its fee limit is too low, with evidence that nothing was sent', async () => {
    const { invoice, paymentHash } = node.side.outsideInvoice({ amount: sats(500) })
    const request = { invoice, paymentHash, amount: undefined, maxFee: msats(1_499), timeoutMs: 5_000 }
    expect(await backend.pay(request)).toMatchObject({
      ...{ state: 'failed', code: 'no_route' },
      evidence:
        'ClnError: xpay: Failed: Could not find route without excessive cost (code 206); then the node has no record of it',
    })
    expect(await backend.pay({ ...request, maxFee: msats(1_500) })).toMatchObject({ state: 'paid', fee: 1_500n })
  })

  it('fails without calling xpay if its hash differs from the hash of the invoice', async () => {
    const { invoice } = node.side.outsideInvoice({ amount: sats(500) })
    const request = { invoice, paymentHash: '22'.repeat(32), amount: undefined, maxFee, timeoutMs: 5_000 }
    expect(await backend.pay(request)).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    expect(node.http.requests.some(({ path }) => path === '/v1/xpay')).toBe(false)
  })

  it('is reported with the preimage and fee from the node, even if they are wrong', async () => {
    node.side.next('wrong-preimage', 'overcharge')
    expect(await payment().pay()).toMatchObject({ state: 'paid', preimage: '11'.repeat(32) })
    expect(await payment().pay()).toMatchObject({ state: 'paid', fee: msats(101_500) })
  })
})

describe('the receiving Core Lightning backend', () => {
  it('accepts the text of a description only if it matches the given hash', async () => {
    const text = 'metadata '.repeat(100)
    const hash = createHash('sha256').update(text).digest('hex')
    await backend.createInvoice({ ...ask, description: { text, hash } })
    const wrong = backend.createInvoice({ ...ask, description: { text, hash: '00'.repeat(32) } })
    await expect(wrong).rejects.toThrow('not the hash of the text')
  })

  it('distinguishes a keysend from an invoice', async () => {
    const { paymentHash } = node.receiveKeysend(sats(3))
    expect(await settlements(backend, 1)).toMatchObject([{ paymentHash, received: sats(3), keysend: true }])
  })

  it('reports the received amount, not the requested one', async () => {
    const { invoice, paymentHash } = await backend.createInvoice(ask)
    node.side.payFromOutside(invoice, sats(1_000), { received: sats(990) })
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled', received: sats(990) })
    expect(await settlements(backend, 1)).toMatchObject([{ cursor: '1', received: sats(990), keysend: false }])
  })

  it('waits while no payment arrives and throws if the node goes away', async () => {
    const [coming] = [settlements(backend, 1), await node.http.reached('/waitanyinvoice')]
    const again = node.http.reached('/waitanyinvoice')
    await clock.advance(30_000)
    await again
    const { invoice, paymentHash } = await backend.createInvoice(ask)
    node.side.payFromOutside(invoice)
    expect(await coming).toMatchObject([{ paymentHash }])
    const ended = settlements(backend, 1, '1').then(
      () => 'an end',
      () => 'an error',
    )
    await node.http.reached('/waitanyinvoice')
    await node.http.stop()
    expect(await ended).toBe('an error')
  })

  it('reports an expired invoice as closed and can still cancel it', async () => {
    const { paymentHash } = await backend.createInvoice(ask)
    await clock.advance(600_000)
    expect(await backend.lookUpInvoice(paymentHash)).toEqual({ state: 'closed' })
    expect(await backend.cancelInvoice(paymentHash)).toBe('canceled')
  })
})

describe('the balances of Core Lightning', () => {
  it('count a pending payment as in flight, neither as ours nor as lost', async () => {
    const before = await backend.balances()
    expect(before).toMatchObject({ settled: sats(10_000_000), inFlight: 0n, spendable: sats(10_000_000) })
    node.side.next('hang')
    const [outcome] = [payment().pay(), await node.http.reached('/xpay')]
    await clock.advance(20_000)
    await outcome
    expect(await backend.balances()).toMatchObject({
      settled: msats(before.settled - sats(500) - 1_500n),
      inFlight: msats(sats(500) + 1_500n),
    })
    node.side.release('failed')
    expect(await backend.balances()).toEqual(before)
  })
})

describe('the state of Core Lightning', () => {
  it('is ready if the node answers, and syncing while the node is behind the chain', async () => {
    expect(await backend.health()).toEqual({ state: 'ready', height: 448 })
    node.isSyncing = true
    expect(await backend.health()).toMatchObject({ state: 'syncing', reason: expect.stringContaining('latest blocks') })
  })

  it('names the rights that the rune lacks and the command for a new rune', async () => {
    node.methods = node.methods.filter((method) => !['xpay', 'invoice'].includes(method))
    const { reason } = (await backend.health()) as { reason: string }
    expect(reason).toContain('may not call invoice, xpay')
    expect(reason).toContain(`lightning-cli createrune restrictions='[["method=getinfo",`)
    expect(await payment().pay()).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    expect(node.side.attempts).toEqual([])
  })

  it('is determined by testing the rune’s rights, without any invoice or payment', async () => {
    await backend.health()
    expect([node.side.invoices, node.side.attempts]).toEqual([[], []])
  })

  it('comes with advice about an invalid rune', async () => {
    const other = connect(node, clock, { rune: 'abc' })
    expect(await other.health()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('CORE_LIGHTNING_RUNE_FILE'),
    })
    await other.close()
  })

  it('is starting if clnrest answers but lightningd does not', async () => {
    node.isLightningdDead = true
    expect(await backend.health()).toMatchObject({
      state: 'starting',
      reason: expect.stringContaining('Start lightningd'),
    })
    expect(await payment().pay()).toMatchObject({ state: 'unknown' })
  })

  it('is away if nothing answers or if a program other than Core Lightning answers', async () => {
    node.http.next('html')
    expect(await backend.health()).toMatchObject({
      state: 'away',
      reason: expect.stringContaining('CORE_LIGHTNING_REST_URL'),
    })
    node.http.next('hang')
    const [waiting] = [backend.health(), await node.http.reached('/getinfo')]
    await clock.advance(5_000)
    expect(await waiting).toMatchObject({ state: 'away' })
    await node.http.stop()
    expect(await backend.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('Start lightningd') })
  })

  it('is accepted only from a server with the given certificate', async () => {
    const pinned = new FakeClnrest(clock, ONE_CERTIFICATE)
    await pinned.http.start()
    const good = connect(pinned, clock, { certificate: ONE_CERTIFICATE.cert })
    expect(await good.health()).toMatchObject({ state: 'ready' })
    for (const certificate of [OTHER_CERTIFICATE.cert, undefined]) {
      const bad = connect(pinned, clock, certificate === undefined ? {} : { certificate })
      const reason = expect.stringContaining('CORE_LIGHTNING_CA_FILE')
      expect(await bad.health()).toMatchObject({ state: 'refused', reason })
      await bad.close()
    }
    expect(pinned.http.requests.length).toBeGreaterThan(0)
    await good.close()
    await pinned.http.stop()
  })

  it('cannot include an unknown network, and the error names that network', async () => {
    Object.assign(node.side, { network: 'liquid' })
    await expect(backend.info()).rejects.toThrow('"liquid"')
  })
})
