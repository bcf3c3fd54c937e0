import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import type { OperationName } from '../../../src/payments-api/payments-api.ts'
import { OPERATOR } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project()
})
const refused = (status: number, code: string, message = /\w/) =>
  expect.objectContaining({
    ...{ status, body: expect.objectContaining({ code, message: expect.stringMatching(message) }) },
  })
const call = (name: OperationName, body: object) => world.call(project, name, { body })
const without = (capability: keyof typeof world.node.capabilities) => {
  world.node.capabilities = { ...world.node.capabilities, [capability]: false }
}

describe('a node that moves only whole sats', () => {
  beforeEach(() => without('msats'))

  it('is never asked for an invoice with a fraction of a sat', async () => {
    await world.user('alice')
    const charge = (amount: bigint) => call('createGamertagCharge', { amount: `${amount}`, gamertag: 'alice' })
    expect(await charge(1_500n)).toEqual(refused(400, 'invalid_amount'))
    expect((await charge(2_000n)).status).toBe(200)
  })

  it('is never asked to send a freely chosen amount with a fraction of a sat', async () => {
    const { invoice } = world.node.foreignInvoice()
    expect(await call('sendPayment', { invoice, amount: '1500' })).toEqual(refused(400, 'invalid_amount'))
    const pubkey = `02${'ab'.repeat(32)}`
    expect(await call('sendKeysendPayment', { pubkey, amount: '1500' })).toEqual(refused(400, 'invalid_amount'))
    expect(world.node.calls).toEqual([])
  })

  it('can be asked to pay an invoice whose amount has a fraction of a sat', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: msats(1_500) })
    expect((await call('sendPayment', { invoice })).status).toBe(200)
  })
})

describe('a node that makes no invoices with a description hash', () => {
  it('makes the service offer no reusable codes, since no wallet could pay them', async () => {
    const charge = { minAmount: '1000', maxAmount: '1000', description: 'coffee' }
    const { body } = await call('createStaticCharge', charge)
    await world.user('alice')
    without('descriptionHash')
    expect(await call('createStaticCharge', charge)).toEqual(refused(501, 'not_offered'))
    for (const path of [`/v0/request-static-charges/${body.data.id}`, '/.well-known/lnurlp/alice']) {
      const answer = await fetch(`${world.service.url}${path}/callback?amount=1000`)
      expect(await answer.json()).toEqual({ status: 'ERROR', reason: expect.stringContaining('reusable codes') })
    }
    expect((await call('createGamertagCharge', { amount: '1000', gamertag: 'alice' })).status).toBe(200)
  })
})

describe('a node that sends nothing without an invoice', () => {
  it('makes the service refuse a keysend with 501 not_offered', async () => {
    without('keysend')
    const pubkey = `02${'ab'.repeat(32)}`
    expect(await call('sendKeysendPayment', { pubkey, amount: `${sats(1)}` })).toEqual(refused(501, 'not_offered'))
  })
})

describe('a node that cannot cancel invoices', () => {
  it('is polled about an invoice paid inside the books until the node has closed it', async () => {
    without('cancelInvoice')
    await world.user('alice')
    const { body } = await call('createGamertagCharge', { amount: '1000', gamertag: 'alice', expiresIn: 60 })
    expect((await call('sendPayment', { invoice: body.data.invoiceRequest })).status).toBe(200)
    const isDone = async () => (await world.service.parts.database.read.invoice.findFirst())?.nextLookUpAt === null
    await world.pass(20_000)
    expect([await isDone(), world.node.canceled]).toEqual([false, []])
    world.node.invoices = 'closed'
    await world.pass(60_000)
    expect(await isDone()).toBe(true)
  })
})

describe('a node with its own tariff', () => {
  beforeEach(() => {
    world.node.capabilities = { ...world.node.capabilities, feeLimit: 'tariff' }
    world.node.tariff = (amount) => msats(amount / 250n + 4_000n)
  })

  it('has its tariff shown by Get Wallet before anybody pays', async () => {
    await world.service.parts.nodeWatch.look()
    const tariff = { base: '4000', partsPerMillion: 4_000 }
    expect((await world.call(project, 'getWallet', {})).body.data.node).toEqual({ state: 'ready', tariff })
  })

  it('pays with its tariff as the limit and is not used if the payer’s limit is lower', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    expect(await call('sendPayment', { invoice, maxFee: '7999' })).toEqual(
      refused(501, 'not_offered', /may cost 8 sats: set "maxFee" to at least 8000 msats/),
    )
    expect(world.node.calls).toEqual([])
    expect((await call('sendPayment', { invoice, maxFee: '8000' })).status).toBe(200)
    expect(world.node.calls).toMatchObject([{ maxFee: 8_000n }])
  })

  it('pays with its tariff as the limit even if the payer’s limit is higher', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    expect((await call('sendPayment', { invoice, maxFee: '20000' })).status).toBe(200)
    expect(world.node.calls).toMatchObject([{ maxFee: 8_000n }])
  })
})

describe('a node that cannot limit its fees', () => {
  beforeEach(() => {
    world.node.capabilities = { ...world.node.capabilities, feeLimit: 'none' }
  })

  it('is not used for a payment whose fee limit is below the default limit', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    expect(await call('sendPayment', { invoice, maxFee: '9999' })).toEqual(refused(501, 'not_offered'))
    expect((await call('sendPayment', { invoice })).status).toBe(200)
    expect(world.node.calls).toMatchObject([{ maxFee: 10_000n }])
  })

  it('is used for a payment whose fee limit exceeds the default limit', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    expect((await call('sendPayment', { invoice, maxFee: '20000' })).status).toBe(200)
    expect(world.node.calls).toMatchObject([{ maxFee: 20_000n }])
  })

  it('if it reports no fee, costs the payer the fee limit, which the operator keeps', async () => {
    world.node.answer = async ({ paymentHash }) => ({
      state: 'paid',
      preimage: world.node.preimageOf(paymentHash),
      fee: undefined,
    })
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    const { data } = (await call('sendPayment', { invoice })).body
    expect(data).toMatchObject({ status: 'completed', fee: '10000' })
    const noted = { level: 'warn', payment: data.id, msg: expect.stringMatching(/charged the fee limit/) }
    expect(world.log).toContainEqual(expect.objectContaining(noted))
    // Nothing is given back without proof that the node did not take it.
    expect(await world.balance(project.holder)).toBe(sats(8_990))
    const { ledger, database } = world.service.parts
    expect(await ledger.balance(OPERATOR)).toBe(10_000n)
    expect(await database.read.routingFee.findMany({ orderBy: { kind: 'asc' } })).toEqual([
      { kind: 'absorbed', total: 0n, payments: 0 },
      { kind: 'charged', total: 10_000n, payments: 1 },
      { kind: 'untold', total: 10_000n, payments: 1 },
    ])
  })
})

describe('a node with its own bounds', () => {
  it('is never asked to send or receive an amount outside those bounds', async () => {
    const range = { smallest: sats(2), largest: sats(50) }
    world.node.capabilities = { ...world.node.capabilities, sendable: range, receivable: range }
    await world.user('alice')
    const charge = (amount: string) => call('createGamertagCharge', { amount, gamertag: 'alice' })
    expect(await charge('1000')).toEqual(refused(400, 'amount_too_low'))
    expect(await charge('51000')).toEqual(refused(400, 'amount_too_high'))
    const send = (amount: bigint) =>
      call('sendPayment', { invoice: world.node.foreignInvoice({ amount: msats(amount) }).invoice })
    expect(await send(1_999n)).toEqual(refused(400, 'amount_too_low'))
    expect(await send(50_001n)).toEqual(refused(400, 'amount_too_high'))
    expect(await call('sendKeysendPayment', { pubkey: `02${'ab'.repeat(32)}`, amount: '51000' })).toEqual(
      refused(400, 'amount_too_high'),
    )
    const keysend = { pubkey: `02${'ab'.repeat(32)}`, amount: '1999' }
    expect(await call('sendKeysendPayment', keysend)).toEqual(refused(400, 'amount_too_low'))
    expect(world.node.calls).toEqual([])
  })
})

describe('a node without liquidity', () => {
  it('makes the payment fail, and the operator is alerted', async () => {
    world.node.answer = async () => failed('too little on our side', 'no_liquidity')
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    expect((await call('sendPayment', { invoice })).body.data).toMatchObject({ status: 'failed' })
    expect(world.alerts()).toEqual(['no_liquidity'])
    expect(world.heard).toMatchObject([{ text: expect.stringMatching(/Open a channel, or move sats to this side/) }])
  })

  it('causes one alert of each kind per hour in the channel; the log has all alerts', async () => {
    const fail = async () => {
      world.node.answer = async () => failed('too little on our side', 'no_liquidity')
      await call('sendPayment', { invoice: world.node.foreignInvoice({ amount: sats(1_000) }).invoice })
    }
    await fail()
    await fail()
    const { invoice, preimage } = world.node.foreignInvoice({ amount: sats(1_000) })
    world.node.answer = async () => ({ state: 'paid', preimage, fee: sats(99) })
    await call('sendPayment', { invoice })
    expect(world.alerts()).toEqual(['no_liquidity', 'no_liquidity', 'fee_over_limit'])
    expect(world.heard.map(({ alert }) => alert)).toEqual(['no_liquidity', 'fee_over_limit'])
    await world.clock.advance(3_600_000)
    await fail()
    expect(world.heard.filter(({ alert }) => alert === 'no_liquidity')).toHaveLength(2)
  })
})
