import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../../../src/payments-service/backends/backend.ts'
import { createCoreLightning } from '../../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { ManualClock } from '../../../support/manual-clock.ts'
import { FakeClnrest } from './fake-clnrest.ts'

const maxFee = sats(100)
/**
 * The step by which time passes: long enough for pauses between look-ups, too short for the time limits of requests.
 */
const PAUSES_MS = 1_000

let clock: ManualClock
let node: FakeClnrest
let backend: LightningBackend

function connect(): LightningBackend {
  const options = { url: node.http.url, rune: node.rune, certificate: undefined }
  return createCoreLightning(options, { clock, entropy: systemEntropy })
}

beforeEach(async () => {
  clock = new ManualClock()
  node = new FakeClnrest(clock)
  await node.http.start()
  backend = connect()
})
afterEach(async () => {
  await backend.close()
  await node.http.stop()
})

/** Prepares a payment of 500 sats to the outside node; each call of `pay` requests the same payment. */
function payment(timeoutMs = 20_000) {
  const { invoice, paymentHash } = node.side.outsideInvoice({ amount: sats(500) })
  const request = { invoice, paymentHash, amount: undefined, maxFee, timeoutMs }
  const pay = () => clock.advanceUntil(backend.pay(request), PAUSES_MS)
  return { paymentHash, pay, lookUp: (by = backend) => by.lookUpPayment(paymentHash) }
}

const GAVE_UP = [
  209,
  'Failed after 1 attempts. We got temporary_channel_failure for 443x2x0/1. Then routing failed: …',
] as const

describe('the outcome of an xpay call', () => {
  it.each([
    [215, 'We could not find a usable set of paths: the source has maximum capacity 892948085msat', 'no_liquidity'],
    [220, 'We could not find a usable set of paths: the destination has maximum capacity 799999999msat', 'no_route'],
    [210, 'the solver gave up', 'no_route'],
    [205, 'We could not find a usable set of paths', 'no_route'],
  ])('is known within 2 seconds after code %s and the message “%s”', async (code, words, meaning) => {
    node.nextRefusal = [code, words]
    const { pay, paymentHash } = payment()
    const begun = clock.now()
    expect(await pay()).toMatchObject({ state: 'failed', code: meaning, evidence: expect.stringContaining(words) })
    expect(clock.now() - begun).toBeLessThanOrEqual(2_000)
    expect(node.side.attemptsOf(paymentHash)).toEqual([])
  })

  it('is known within 2 seconds after code 209 if the node’s record shows the failure', async () => {
    node.side.next('refused-by-payee')
    node.carriesNothing = GAVE_UP
    const { pay, lookUp } = payment()
    const begun = clock.now()
    expect(await pay()).toMatchObject({ state: 'failed', code: 'no_route', evidence: expect.stringContaining('209') })
    expect(clock.now() - begun).toBeLessThanOrEqual(2_000)
    expect(await lookUp()).toMatchObject({ state: 'failed' })
  })

  it.each([GAVE_UP, [203, 'the payee refuses'] as const])(
    'is open after code %i while a part of the payment may still be sent',
    async (code, words) => {
      node.side.next('refused-by-payee')
      node.carriesNothing = [code, words]
      let read = 0
      // Before the call, at once after it, and from then on with the part that came late.
      node.http.rewrite = (body, path) => {
        if (path !== '/v1/listpays') return body
        read += 1
        return read < 3 ? body : body.replace('"failed"', '"pending"')
      }
      expect(await payment(5_000).pay()).toMatchObject({ state: 'pending' })
    },
  )

  it.each([-1, -3, 212, 219, 299])('is not proven by code %i alone', async (code) => {
    node.nextRefusal = [code, 'whatever']
    expect(await payment().pay()).toMatchObject({ state: 'unknown' })
  })
})

describe('the fee of a payment', () => {
  const without = (field: string) => {
    node.http.rewrite = (body) => JSON.stringify(JSON.parse(body, (key, value) => (key === field ? undefined : value)))
  }

  it.each(['amount_msat', 'amount_sent_msat'])('is unknown if the answer lacks %s', async (field) => {
    const { pay, lookUp } = payment()
    without(field)
    expect(await pay()).toMatchObject({ state: 'paid', fee: undefined })
    expect(await lookUp()).toMatchObject({ state: 'paid', fee: undefined })
    node.http.next('cut-after', '/xpay')
    expect(await payment().pay()).toMatchObject({ state: 'paid', fee: undefined })
  })

  it('is unknown if the node reports that less was sent than arrived', async () => {
    node.http.rewrite = (body) => body.replace(/"amount_sent_msat":\d+/g, '"amount_sent_msat":1')
    const { pay, lookUp } = payment()
    expect(await pay()).toMatchObject({ state: 'paid', fee: undefined })
    expect(await lookUp()).toMatchObject({ state: 'paid', fee: undefined })
  })
})

describe('a payment whose call broke off', () => {
  it('counts as failed only once the node’s retries must have ended', async () => {
    node.side.next('hang')
    const { pay, lookUp } = payment(3_000)
    const [first] = [pay(), await node.http.reached('/xpay')]
    const at = clock.now()
    await node.http.stop()
    await first
    await node.http.start()
    const again = connect()
    node.side.release('failed')
    const found = await lookUp(again)
    expect(found).toMatchObject({ state: 'pending' })
    const { retriesUntil = 0 } = found as { retriesUntil?: number }
    expect(retriesUntil - at).toBeGreaterThan(80_000)
    expect(retriesUntil - at).toBeLessThanOrEqual(90_000)
    await clock.advance(retriesUntil - clock.now())
    expect(await lookUp(again)).toMatchObject({ state: 'failed' })
    await again.close()
  })
})

describe('a revoked rune', () => {
  it('is reported in the node’s health with the command for a new rune', async () => {
    await backend.health()
    node.isRuneBlacklisted = true
    const reason = expect.stringContaining('does not accept the rune. Make one with lightning-cli createrune')
    expect(await backend.health()).toMatchObject({ state: 'refused', reason })
  })

  it('makes a new payment fail with proof that nothing was sent', async () => {
    node.isRuneBlacklisted = true
    expect(await payment().pay()).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    node.isRuneBlacklisted = false
    node.nextRefusal = [1503, 'Not authorized: Blacklisted rune']
    expect(await payment().pay()).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    expect(node.side.attempts).toEqual([])
  })

  it('proves nothing about an earlier payment', async () => {
    node.http.next('cut-before', '/xpay')
    const { pay } = payment()
    expect(await pay()).toMatchObject({ state: 'unknown' })
    node.isRuneBlacklisted = true
    expect(await pay()).toMatchObject({ state: 'unknown' })
  })

  it('does not make a Bitcoin name count as unknown', async () => {
    node.isRuneBlacklisted = true
    const request = {
      payer: 'project:1',
      to: { name: 'alice@example.com' },
      amount: sats(1),
      note: '',
      timeoutMs: 9_000,
    }
    await expect(backend.fetchInvoice?.(request)).rejects.toThrow('1503')
  })
})
