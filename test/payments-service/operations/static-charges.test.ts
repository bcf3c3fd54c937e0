import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/amount.ts'
import { decodeInvoice } from '../../../src/lib/bolt11.ts'
import { decodeLnurl } from '../../../src/lib/lnurl.ts'
import { descriptionHash } from '../../../src/lib/lnurl-messages.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  project = await world.project(sats(0))
})
afterEach(async () => {
  await world.close()
  await receiver.close()
})

const PATH = '/v0/static-charges'
const FIXED = { minAmount: '5000', maxAmount: '5000', description: 'a coffee' }
const create = (body: object = {}) => world.raw('POST', PATH, { apiKey: project.apiKey, body: { ...FIXED, ...body } })
const update = (id: string, body: object, apiKey = project.apiKey) =>
  world.raw('PATCH', `${PATH}/${id}`, { apiKey, body })
const read = async (id: string) => (await world.raw('GET', `${PATH}/${id}`, { apiKey: project.apiKey })).json.data
const pay = (request: string, amount?: number, comment?: string) =>
  world.sandbox.outside.pay(request, amount === undefined ? undefined : sats(amount), comment)
const slotsTaken = (id: string, slots: number) => world.until(async () => (await read(id)).slots === slots)

/** What a wallet gets at the second step of LNURL-pay. */
async function ask(request: string, amount = '5000', more = '') {
  const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
  return (await world.raw('GET', `${pathname}/callback?amount=${amount}${more}`)).json
}

describe('Create Static Charge', () => {
  it('200: shows every field, with a code that leads to our door', async () => {
    const answer = await create({ internalId: 'table 4', successMessage: 'enjoy' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['message', 'data'])
    const { id, invoice } = answer.json.data
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      unit: 'msats',
      slots: 0,
      minAmount: '5000',
      maxAmount: '5000',
      createdAt: new Date(world.clock.now()).toISOString(),
      expiresAt: null,
      internalId: 'table 4',
      description: 'a coffee',
      callbackUrl: '',
      allowedSlots: 2_147_483_647,
      successMessage: 'enjoy',
      status: 'active',
      invoice: { request: expect.stringMatching(/^lnurl1/), uri: `lightning:${invoice.request}` },
    })
    expect(String(decodeLnurl(invoice.request, { allowLoopbackHttp: true }))).toBe(
      `${world.url}/v0/request-static-charges/${id}`,
    )
  })

  it('400: refuses a maximum below the minimum, long success messages, and odd slots', async () => {
    expectRefusal(await create({ maxAmount: '4999' }), 400, 'invalid_amount')
    expectRefusal(await create({ successMessage: 'x'.repeat(145) }), 400, 'invalid_field')
    expect((await create({ successMessage: 'x'.repeat(144) })).status).toBe(200)
    for (const allowedSlots of [0, -1, 1.5, '1', 2_147_483_648]) {
      expectRefusal(await create({ allowedSlots }), 400, 'invalid_field')
    }
  })

  it('409 identifier_taken: for the name of a gamertag or of another charge, in any case', async () => {
    await world.user('Alice')
    expectRefusal(await create({ identifier: 'alice' }), 409, 'identifier_taken')
    expect((await create({ identifier: 'coffee' })).status).toBe(200)
    expectRefusal(await create({ identifier: 'coffee' }), 409, 'identifier_taken')
    await expect(world.administration.createUser('COFFEE')).rejects.toThrow('taken')
    expectRefusal(await create({ identifier: 'Coffee' }), 400, 'invalid_field')
  })
})

describe('paying a static charge', () => {
  it('credits the project, counts the slot, tells the caller with the payment', async () => {
    const { json } = await create({ callbackUrl: receiver.url(), successMessage: 'enjoy' })
    const paid = await pay(json.data.invoice.request, 5, 'black, please')
    expect(paid.successAction).toEqual({ tag: 'message', message: 'enjoy' })
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.json).toEqual({
      ...(await read(json.data.id)),
      slots: 1,
      payment: {
        id: expect.any(String),
        amount: '5000',
        comment: 'black, please',
        settledAt: expect.stringMatching(/Z$/),
      },
    })
    expect(await world.balance({ kind: 'project', id: project.projectId })).toBe(5_000n)
  })

  it('offers what LUD-06, 09 and 12 say, and an invoice that commits to it', async () => {
    const { json } = await create({ maxAmount: '9000', successMessage: 'enjoy' })
    const { pathname } = decodeLnurl(json.data.invoice.request, { allowLoopbackHttp: true })
    const { json: params } = await world.raw('GET', pathname)
    expect(params).toEqual({
      tag: 'payRequest',
      callback: `${world.url}${pathname}/callback`,
      minSendable: 5_000,
      maxSendable: 9_000,
      metadata: '[["text/plain","a coffee"]]',
      commentAllowed: 255,
    })
    const { pr, successAction } = await ask(json.data.invoice.request, '7123')
    expect(decodeInvoice(pr)).toMatchObject({ amount: 7_123n, descriptionHash: descriptionHash(params.metadata) })
    expect(successAction).toEqual({ tag: 'message', message: 'enjoy' })
  })

  it('says in the words of LNURL what is wrong', async () => {
    const { request } = (await create()).json.data.invoice
    for (const amount of ['4999', '5001', '0', '-5000', '5e3', '', 'x']) {
      expect(await ask(request, amount)).toEqual({ status: 'ERROR', reason: expect.stringContaining('5000') })
    }
    expect(await ask(request, '5000', `&comment=${'x'.repeat(256)}`)).toMatchObject({ status: 'ERROR' })
    const unknown = await world.raw('GET', '/v0/request-static-charges/nothing')
    expect(unknown).toMatchObject({ status: 404, json: { status: 'ERROR' } })
  })

  it('is disabled when its slots are used up, and active again when they are raised', async () => {
    const { data } = (await create({ allowedSlots: 1 })).json
    await pay(data.invoice.request, 5)
    await slotsTaken(data.id, 1)
    expect(await read(data.id)).toMatchObject({ status: 'disabled' })
    await expect(pay(data.invoice.request, 5)).rejects.toThrow()
    expect((await update(data.id, { allowedSlots: 2 })).json.data).toMatchObject({ status: 'active', slots: 1 })
    await pay(data.invoice.request, 5)
    await slotsTaken(data.id, 2)
  })

  it('never hands out more open invoices than slots: the same one again, or none', async () => {
    const { data } = (await create({ allowedSlots: 1, maxAmount: '9000' })).json
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(data.invoice.request)))
    expect(new Set(answers.map((answer) => answer.pr)).size).toBe(1)
    expect(await ask(data.invoice.request, '6000')).toMatchObject({ status: 'ERROR' })
  })

  it('frees the slot of an invoice that was never paid when it can no longer be', async () => {
    const { data } = (await create({ allowedSlots: 1, maxAmount: '9000' })).json
    const { pr } = await ask(data.invoice.request)
    await world.clock.advance(121_000)
    const second = await ask(data.invoice.request, '6000')
    expect(decodeInvoice(second.pr).amount).toBe(6_000n)
    await expect(pay(pr)).rejects.toThrow()
  })
})

describe('Update Static Charge', () => {
  it('200: changes what is given and keeps the code', async () => {
    const { data } = (await create()).json
    const answer = await update(data.id, { maxAmount: '9000', description: 'a cake', internalId: 'x' })
    expect(answer.json).toEqual({
      message: expect.any(String),
      data: { ...data, maxAmount: '9000', description: 'a cake', internalId: 'x' },
    })
    expect(await read(data.id)).toEqual(answer.json.data)
    expect((await update(data.id, {})).json.data).toEqual(answer.json.data)
  })

  it('disables a charge whose slots are lowered to what was taken', async () => {
    const { data } = (await create()).json
    expect((await update(data.id, { allowedSlots: 0 })).json.data).toMatchObject({ status: 'disabled', slots: 0 })
    expect(await ask(data.invoice.request)).toMatchObject({ status: 'ERROR' })
  })

  it('400, 404: refuses amounts that cross, and charges of others', async () => {
    const { data } = (await create()).json
    expectRefusal(await update(data.id, { minAmount: '6000' }), 400, 'invalid_amount')
    expectRefusal(await update(data.id, { identifier: 'mine' }), 400, 'unknown_field')
    expectRefusal(await update('nothing', {}), 404, 'not_found')
    const other = await world.project()
    expectRefusal(await update(data.id, {}, other.apiKey), 404, 'not_found')
    expect(await read(data.id)).toEqual(data)
  })
})

describe('Lightning Addresses', () => {
  it('an identifier leads to its static charge', async () => {
    const { data } = (await create({ identifier: 'coffee' })).json
    const host = new URL(world.url).host
    const { json } = await world.raw('GET', '/.well-known/lnurlp/coffee')
    expect(JSON.parse(json.metadata)).toEqual([
      ['text/plain', 'a coffee'],
      ['text/identifier', `coffee@${host}`],
    ])
    await pay(`coffee@${host}`, 5)
    await slotsTaken(data.id, 1)
  })

  it('a gamertag leads to its user', async () => {
    const bob = await world.user('Bob')
    await pay(`bob@${new URL(world.url).host}`, 21)
    await world.until(async () => (await world.balance({ kind: 'user', id: bob })) === 21_000n)
  })

  it('a name that nobody has, or had, leads nowhere', async () => {
    const bob = await world.user('bob')
    await world.administration.renameUser(bob, 'bobby')
    expect((await world.raw('GET', '/.well-known/lnurlp/bob')).status).toBe(404)
    expect((await world.raw('GET', '/.well-known/lnurlp/BOBBY')).status).toBe(200)
  })
})
