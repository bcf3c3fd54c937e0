import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import {
  callbacks,
  isCallbackSecret,
  newCallbackSecret,
  progressOf,
  readCallback,
  signCallback,
  verifyCallback,
} from '../../src/payments-api/payments-api.ts'
import { ManualClock } from '../support/manual-clock.ts'

const old = newCallbackSecret(systemEntropy)
const fresh = newCallbackSecret(systemEntropy)
const body = '{"id":"c1","amount":"1000","description":"⚡"}'

let clock: ManualClock

beforeEach(() => {
  clock = new ManualClock()
})

const sign = (secrets: readonly string[] = [fresh]) => signCallback({ id: 'msg_1', body, secrets, clock })
const verify = (headers: Record<string, string>, secrets: readonly string[] = [fresh], text = body) =>
  verifyCallback({ headers, body: text, secrets, clock })

describe('the signature of a callback', () => {
  it('follows the Standard Webhooks convention', () => {
    const headers = sign()
    const timestamp = Math.floor(clock.now() / 1_000)
    const key = Buffer.from(fresh.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
    expect(headers).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${expected}`,
    })
  })

  it('can be verified with another library', () => {
    clock = new ManualClock(Date.now())
    expect(new Webhook(fresh).verify(body, { ...sign() })).toEqual(JSON.parse(body))
  })

  it('is accepted if the sender and the receiver share at least one secret', () => {
    expect(verify({ ...sign([old]) }, [fresh, old])).toEqual({ genuine: true, id: 'msg_1' })
    expect(verify({ ...sign([old, fresh]) }, [fresh])).toEqual({ genuine: true, id: 'msg_1' })
    expect(verify({ ...sign([old]) }, [fresh])).toEqual({ genuine: false, reason: 'forged' })
    expect(verify({ ...sign() }, [])).toEqual({ genuine: false, reason: 'forged' })
  })

  it.each([
    ['a different body', {}, `${body} `],
    ['a different id', { 'webhook-id': 'msg_2' }, body],
    ['a different time', { 'webhook-timestamp': '1893456001' }, body],
    ['a fractional time', { 'webhook-timestamp': '1893456000.5' }, body],
    ['an empty signature', { 'webhook-signature': 'v1,' }, body],
    ['rubbish', { 'webhook-signature': 'v2,AAAA v1 ,, \u0000' }, body],
  ])('is refused with %s', (_, change, text) => {
    expect(verify({ ...sign(), ...change }, [fresh], text)).toEqual({ genuine: false, reason: 'forged' })
  })

  it('is reported as missing if any of its headers is missing', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const headers: Record<string, string> = { ...sign() }
      delete headers[name]
      expect(verify(headers)).toEqual({ genuine: false, reason: 'unsigned' })
    }
  })

  it('expires after 5 minutes and is refused if its time is over 5 minutes ahead', () => {
    const headers = { ...sign() }
    clock.jump(300_000)
    expect(verify(headers)).toMatchObject({ genuine: true })
    clock.jump(1_000)
    expect(verify(headers)).toEqual({ genuine: false, reason: 'stale' })
    clock.jump(-602_000)
    expect(verify(headers)).toEqual({ genuine: false, reason: 'stale' })
  })

  it('needs a secret that is neither empty nor malformed', () => {
    expect(isCallbackSecret(fresh)).toBe(true)
    for (const secret of ['', 'whsec_', 'not base64!']) expect(isCallbackSecret(secret)).toBe(false)
  })
})

describe('the body of a callback', () => {
  const staticCharge = {
    id: 's1',
    unit: 'msats',
    slots: 1,
    minAmount: '1000',
    maxAmount: '1000',
    createdAt: '2030-01-01T00:00:00.000Z',
    expiresAt: null,
    internalId: '',
    description: '',
    callbackUrl: '',
    allowedSlots: 1,
    successMessage: '',
    status: 'disabled',
    invoice: { request: 'LNURL1', uri: 'lightning:LNURL1' },
    payment: { id: 'p1', amount: '1000', comment: 'hi', settledAt: '2030-01-01T00:00:00.000Z' },
  }

  it('is the resource itself, which for a static charge includes the new payment', () => {
    expect(callbacks.staticCharge.wire.safeParse(staticCharge).success).toBe(true)
    expect(readCallback('staticCharge', staticCharge)).toMatchObject({ slots: 1, payment: { id: 'p1', amount: 1000n } })
    expect(readCallback('staticCharge', { ...staticCharge, payment: undefined })).toMatchObject({ payment: null })
  })

  it('includes the data that the sender of a keysend attached', () => {
    const keysend = {
      keysendId: 'k1',
      paymentId: 'p1',
      transaction: { id: 't1', totalAmount: '1010', fee: '10', amount: '1000', status: 'TRANSACTION_STATUS_COMPLETED' },
      metadata: { order: 7 },
      tlvRecords: [{ type: 65_536, value: 'c0ffee' }],
    }
    expect(readCallback('keysend', keysend)).toMatchObject({
      metadata: { order: 7 },
      tlvRecords: [{ type: 65_536, value: 'c0ffee' }],
      transaction: { fee: 10n },
    })
  })

  it('is read as undefined if it is not of the expected kind', () => {
    for (const other of [null, 'text', {}, { ...staticCharge, minAmount: 1000 }, { data: staticCharge }]) {
      expect(readCallback('staticCharge', other)).toBeUndefined()
    }
  })
})

describe('the function progressOf', () => {
  it('understands the states of every resource and treats unknown states as open', () => {
    expect(['settled', 'completed', 'CHARGE_COMPLETED', 'TRANSACTION_STATUS_COMPLETED'].map(progressOf)).toEqual(
      Array(4).fill('completed'),
    )
    expect(['failed', 'TRANSACTION_STATUS_FAILED'].map(progressOf)).toEqual(['failed', 'failed'])
    expect(['expired', 'CHARGE_EXPIRED'].map(progressOf)).toEqual(['expired', 'expired'])
    expect(['error', 'cancelled', '', 'constructor', 'COMPLETED?'].map(progressOf)).toEqual(Array(5).fill('open'))
  })
})
