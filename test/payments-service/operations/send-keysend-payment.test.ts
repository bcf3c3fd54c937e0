import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

/** Checks that nothing was sent and nothing is held. */
async function expectUntouched() {
  expect(world.node.calls).toEqual([])
  expect(await world.balance(project.holder)).toBe(sats(10_000))
  expect(await world.held(project.holder)).toBe(0n)
}

describe('Send Keysend Payment', () => {
  const pubkey = `02${'ab'.repeat(32)}`
  const keysend = (more: object = {}) =>
    world.call(project, 'sendKeysendPayment', { body: { amount: '100000', pubkey, ...more } })

  it('completes and returns the metadata and the records in the callback', async () => {
    const tlvRecords = [{ type: 7_629_169, value: 'c0ffee' }]
    const more = { metadata: { episode: 7 }, tlvRecords, callbackUrl: 'https://example.com/k' }
    const { status, body } = await keysend(more)
    expect(status).toBe(200)
    const { keysendId, paymentId, transaction } = body.data
    expect(transaction).toEqual({
      id: expect.any(String),
      walletId: project.id,
      type: 'KEYSEND_PAYMENT',
      totalAmount: '101000',
      fee: '1000',
      amount: '100000',
      description: '',
      status: 'TRANSACTION_STATUS_COMPLETED',
      confirmedAt: '2030-01-01T00:00:00.000Z',
    })
    expect(world.node.calls).toMatchObject([
      { kind: 'keysend', pubkey, amount: 100_000n, maxFee: sats(10), tlvRecords },
    ])
    expect(await world.callbacks(`payment:${paymentId}`)).toEqual([
      { keysendId, paymentId, transaction, metadata: { episode: 7 }, tlvRecords },
    ])
    const read = await world.call(project, 'retrievePayment', { params: { id: paymentId } })
    expect(read.body.data).toMatchObject({ id: paymentId, status: 'completed', invoice: '', fee: '1000' })
  })

  it('stays processing without a preimage while the node hangs, and survives a kill', async () => {
    world.node.hang()
    const answer = keysend()
    await world.until(() => world.node.calls.length === 1)
    await world.clock.advance(5_000)
    const { body } = await answer
    expect(body.data.transaction).toMatchObject({
      status: 'TRANSACTION_STATUS_PROCESSING',
      totalAmount: '100000',
      confirmedAt: null,
    })
    const id = body.data.paymentId
    const read = await world.call(project, 'retrievePayment', { params: { id } })
    expect(read.body.data).toMatchObject({ status: 'processing', preimage: null })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.kill()
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
  })

  it('returns the amount and the fee limit to the balance if the payment fails', async () => {
    world.node.answer = async () => failed('no route')
    const { body } = await keysend({ callbackUrl: 'https://example.com/k' })
    expect(body.data.transaction.status).toBe('TRANSACTION_STATUS_FAILED')
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(world.node.calls).toMatchObject([{ tlvRecords: [] }])
    expect(await world.callbacks(`payment:${body.data.paymentId}`)).toEqual([
      { ...body.data, metadata: {}, tlvRecords: [] },
    ])
  })

  it.each([
    ['an invalid key', { pubkey: 'abc' }, 400, 'invalid_field'],
    ['a value that is not hex', { tlvRecords: [{ type: 65_536, value: 'xyz' }] }, 400, 'invalid_field'],
    ['a type below the custom types', { tlvRecords: [{ type: 65_535, value: '' }] }, 400, 'invalid_field'],
    [
      'the type of the preimage',
      { tlvRecords: [{ type: 5_482_373_484, value: '00'.repeat(32) }] },
      400,
      'invalid_field',
    ],
    ['two records of one type', { tlvRecords: Array(2).fill({ type: 65_536, value: '' }) }, 400, 'invalid_field'],
    ['a type that is not a whole number', { tlvRecords: [{ type: 65_536.5, value: '' }] }, 400, 'invalid_field'],
    ['an amount over the maximum', { amount: '10000000001' }, 400, 'amount_too_high'],
    ['an invalid amount', { amount: '1e5' }, 400, 'invalid_amount'],
    ['less than a sat', { amount: '999' }, 400, 'amount_too_low'],
    ['more than the wallet can cover', { amount: '10000000' }, 400, 'insufficient_funds'],
  ])('refuses %s', async (_what, more, status, code) => {
    const answer = await keysend(more)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([status, code, expect.stringMatching(/\w/)])
    await expectUntouched()
  })

  it('requires a node that supports keysend, and whole sats if the node has no msats', async () => {
    const all = world.node.capabilities
    world.node.capabilities = { ...all, keysend: false }
    const without = await keysend()
    expect([without.status, without.body.code, without.body.message]).toEqual([
      501,
      'not_offered',
      expect.stringMatching(/keysend/),
    ])
    world.node.capabilities = { ...all, msats: false }
    expect((await keysend({ amount: '1500' })).body.code).toBe('invalid_amount')
    await expectUntouched()
  })

  it('states which record type it refuses and why', async () => {
    const { body } = await keysend({
      tlvRecords: [
        { type: 7_629_169, value: 'c0ffee' },
        { type: 5_482_373_484, value: '' },
      ],
    })
    expect(body.message).toMatch(/tlvRecords.*type.*must not be 5482373484, which carries the preimage/)
  })

  it('refuses metadata that is nested too deeply to be stored', async () => {
    const answer = await world.fetch('/v0/keysend-payment', {
      method: 'POST',
      headers: { apikey: project.apiKey, 'content-type': 'application/json' },
      body: `{"amount":"1000","pubkey":"${pubkey}","metadata":{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_field'])
    await expectUntouched()
  })

  it('refuses our own node’s key', async () => {
    const { pubkey } = await world.node.info()
    const { status, body } = await keysend({ pubkey })
    expect([status, body.code, body.message]).toEqual([
      400,
      'self_payment',
      expect.stringMatching(/this service itself/),
    ])
    await expectUntouched()
  })
})

itKeepsEveryPromise(operations.sendKeysendPayment)
