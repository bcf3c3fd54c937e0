import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { descriptionHash } from '../../../src/lib/lightning/lnurl-messages.ts'
import { PAYER_DATA_ASKED } from '../../../src/lib/lightning/payer-data.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { readWalletHistory } from '../../../src/payments-service/wallet-page/history.ts'
import { createTranslators } from '../../../src/payments-service/wallet-page/i18n/translator.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { SendingWorld } from '../sending-world.ts'
import { StaticChargeCalls } from '../static-charge-calls.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let project: TestProject
let calls: StaticChargeCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  project = await world.project(sats(0))
  calls = new StaticChargeCalls(world, project)
})
afterEach(() => receiver.close())

describe('a static charge', () => {
  it('credits the project, counts the slot and calls back with the payment', async () => {
    const { json } = await calls.create({ callbackUrl: receiver.url(), successMessage: 'enjoy' })
    const paid = await calls.pay(json.data.invoice.request, 5, 'black, please')
    expect(paid.successAction).toEqual({ tag: 'message', message: 'enjoy' })
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.json).toEqual({
      ...(await calls.get(json.data.id)).json.data,
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

  it('offers the terms of LUD-06, 09 and 12 and an invoice that commits to them', async () => {
    const { json } = await calls.create({ maxAmount: '9000', successMessage: 'enjoy' })
    const { pathname } = decodeLnurl(json.data.invoice.request, { allowLoopbackHttp: true })
    const { json: params } = await world.raw('GET', pathname)
    expect(params).toEqual({
      tag: 'payRequest',
      callback: `${world.url}${pathname}/callback`,
      minSendable: 5_000,
      maxSendable: 9_000,
      metadata: '[["text/plain","a coffee"]]',
      commentAllowed: 255,
      disposable: false,
      payerData: PAYER_DATA_ASKED,
    })
    const { pr, successAction } = await calls.ask(json.data.invoice.request, '7123')
    expect(decodeInvoice(pr)).toMatchObject({ amount: 7_123n, descriptionHash: descriptionHash(params.metadata) })
    expect(successAction).toEqual({ tag: 'message', message: 'enjoy' })
    const withoutWords = (await calls.create()).json.data.invoice
    expect(await calls.ask(withoutWords.request)).not.toHaveProperty('successAction')
  })

  it('reports whether its invoice was paid, with the preimage as proof (LUD-21)', async () => {
    const { json } = await calls.create()
    const { pr, verify } = await calls.ask(json.data.invoice.request)
    const path = new URL(verify).pathname
    expect(verify).toBe(`${world.url}/lnurl/verify/${decodeInvoice(pr).paymentHash}`)
    expect((await world.raw('GET', path)).json).toEqual({ status: 'OK', settled: false, preimage: null, pr })
    const { preimage } = await world.sandbox.outside.pay(pr)
    await calls.slotsTaken(json.data.id, 1)
    expect((await world.raw('GET', path)).json).toEqual({ status: 'OK', settled: true, preimage, pr })
    for (const unknown of ['0'.repeat(64), 'x', '%20', `${decodeInvoice(pr).paymentHash}0`]) {
      const answer = await world.raw('GET', `/lnurl/verify/${unknown}`)
      expect(answer).toMatchObject({ status: 404, json: { status: 'ERROR', reason: expect.stringContaining('Check') } })
    }
  })

  it('reports that an expired, unpaid invoice is not settled (LUD-21)', async () => {
    const { data } = (await calls.create({ allowedSlots: 1, maxAmount: '9000' })).json
    const { pr, verify } = await calls.ask(data.invoice.request)
    await world.clock.advance(121_000)
    await calls.ask(data.invoice.request, '6000')
    const { paymentHash } = decodeInvoice(pr)
    const invoice = await world.service.parts.database.read.invoice.findUniqueOrThrow({ where: { paymentHash } })
    expect(invoice.status).toBe('closed')
    const { json } = await world.raw('GET', new URL(verify).pathname)
    expect(json).toEqual({ status: 'OK', settled: false, preimage: null, pr })
  })

  describe('the payer’s own data (LUD-18)', () => {
    const said = { name: 'Ｃarol “<b>” *of* 🏔', identifier: 'carol@example.com', pubkey: `02${'ab'.repeat(32)}` }
    // As some wallet writes it: the invoice commits to these bytes, whatever is in them.
    const text = `{ "pubkey": "${said.pubkey.toUpperCase()}", "email": "c@example.com",  "identifier":"carol@example.com", "name":${JSON.stringify(said.name)} }`
    const asQuery = (payerData: string) => `&payerdata=${encodeURIComponent(payerData)}`

    it('is covered by the invoice’s hash and is in the list of payments and the callback', async () => {
      const { data } = (await calls.create({ maxAmount: '9000', callbackUrl: receiver.url() })).json
      const { pathname } = decodeLnurl(data.invoice.request, { allowLoopbackHttp: true })
      const { metadata } = (await world.raw('GET', pathname)).json
      const { pr } = await calls.ask(data.invoice.request, '7000', asQuery(text))
      expect(decodeInvoice(pr).descriptionHash).toBe(descriptionHash(metadata + text))
      await world.sandbox.outside.pay(pr)
      await calls.pay(data.invoice.request, 6)
      await calls.slotsTaken(data.id, 2)
      const { payments } = (await project.client.listStaticChargePayments({ id: data.id, after: '0' })).data
      expect(payments.map((payment) => payment.payer)).toEqual([{ ...said, nostr: null }, null])
      await world.until(() => receiver.received.length > 1)
      expect(receiver.received.map(({ json }) => json.payment.payer)).toEqual([{ ...said, nostr: '' }, undefined])
    })

    it.each([
      ['not JSON', 'Carol'],
      ['not an object', '"Carol"'],
      ['a name that is not text', '{"name":7}'],
      ['a name of two lines', '{"name":"Carol\\nDave"}'],
      ['half a character', '{"name":"\\ud800"}'],
      ['a name that is too long', JSON.stringify({ name: 'x'.repeat(65) })],
      ['an invalid public key', '{"pubkey":"02ab"}'],
      ['too long', JSON.stringify({ name: 'Carol', note: 'x'.repeat(1_000) })],
    ])('is refused with an explanation if it is %s', async (_, wrong) => {
      const { request } = (await calls.create()).json.data.invoice
      const answer = await calls.ask(request, '5000', asQuery(wrong))
      expect(answer).toEqual({ status: 'ERROR', reason: expect.stringContaining('at most 1000 characters') })
      // Read as one text, with a comma between them, these two would say something.
      const twice = await calls.ask(request, '5000', `${asQuery('{"name":"Carol"')}${asQuery('"note":"Hi"}')}`)
      expect(twice).toEqual(answer)
    })

    it('is neither requested nor read if slots are counted, since payers share a slot', async () => {
      const { request } = (await calls.create({ allowedSlots: 1 })).json.data.invoice
      const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
      const { json } = await world.raw('GET', pathname)
      expect(json.payerData).toBeUndefined()
      const { pr } = await calls.ask(request, '5000', asQuery(text))
      expect(decodeInvoice(pr).descriptionHash).toBe(descriptionHash(json.metadata))
      expect((await calls.ask(request, '5000')).pr).toBe(pr)
    })

    it('appears on the receiver’s wallet page as the payer’s own claim', async () => {
      const bob = await world.user('Bob')
      const { json } = await world.raw('GET', `/.well-known/lnurlp/bob/callback?amount=5000${asQuery(text)}`)
      await world.sandbox.outside.pay(json.pr)
      await world.until(async () => (await world.balance({ kind: 'user', id: bob })) === 5_000n)
      const { items } = await readWalletHistory(world.service.parts, bob, { limit: 1 }, createTranslators()('en'))
      expect(items[0]?.note).toBe(`from “${said.name} (carol@example.com)”, as the payer says`)
    })
  })

  it('explains errors in LNURL’s format', async () => {
    const { request } = (await calls.create()).json.data.invoice
    for (const amount of ['4999', '5001', '0', '-5000', '5e3', '', 'x']) {
      expect(await calls.ask(request, amount)).toEqual({
        status: 'ERROR',
        reason: expect.stringContaining('exactly 5 test sats'),
      })
    }
    const { request: range } = (await calls.create({ maxAmount: '9000' })).json.data.invoice
    expect((await calls.ask(range, '4999')).reason).toBe('The amount must be from 5 to 9 test sats.')
    const unknown = await world.raw('GET', '/v0/request-static-charges/nothing')
    expect(unknown).toMatchObject({ status: 404, json: { status: 'ERROR' } })
  })

  it.each([
    ['too long', 'x'.repeat(256)],
    ['text that cannot be stored', 'x%00'],
    ['given twice', 'x&comment=y'],
  ])('refuses a comment, and explains why, if it is %s', async (_, comment) => {
    const { request } = (await calls.create()).json.data.invoice
    const reason = 'The comment must be text of at most 255 characters.'
    expect(await calls.ask(request, '5000', `&comment=${comment}`)).toEqual({ status: 'ERROR', reason })
  })

  it('accepts a comment of 255 characters, whatever their length in bytes', async () => {
    const { data } = (await calls.create()).json
    const comment = '🐟'.repeat(255)
    const { pr } = await calls.ask(data.invoice.request, '5000', `&comment=${encodeURIComponent(comment)}`)
    await world.sandbox.outside.pay(pr)
    await calls.slotsTaken(data.id, 1)
    const { payments } = (await project.client.listStaticChargePayments({ id: data.id, after: '0' })).data
    expect(payments[0]?.comment).toBe(comment)
  })

  it('is disabled when its slots are used up and active again once it has more slots', async () => {
    const { data } = (await calls.create({ allowedSlots: 1 })).json
    await calls.pay(data.invoice.request, 5)
    await calls.slotsTaken(data.id, 1)
    expect((await calls.get(data.id)).json.data).toMatchObject({ status: 'disabled' })
    await expect(calls.pay(data.invoice.request, 5)).rejects.toThrow()
    const route = `/v0/request-static-charges/${data.id}`
    expect((await world.raw('GET', route)).json).toEqual({ status: 'ERROR', reason: expect.stringMatching(/accepted/) })
    expect((await calls.update(data.id, { allowedSlots: 2 })).json.data).toMatchObject({ status: 'active', slots: 1 })
    await calls.pay(data.invoice.request, 5)
    await calls.slotsTaken(data.id, 2)
  })

  it('has no valid Lightning Address while its slots are used up', async () => {
    const { data } = (await calls.create({ allowedSlots: 1, identifier: 'lemonade' })).json
    const { client } = await world.project()
    const isValid = async () =>
      (await client.validateLightningAddress({ address: `lemonade@${new URL(world.url).host}` })).data.valid
    expect(await isValid()).toBe(true)
    await calls.pay(data.invoice.request, 5)
    await calls.slotsTaken(data.id, 1)
    expect(await isValid()).toBe(false)
    expect((await world.raw('GET', '/.well-known/lnurlp/lemonade')).json).toMatchObject({ status: 'ERROR' })
  })

  it('returns the open invoice that has its only slot, or an error for another amount', async () => {
    const { data } = (await calls.create({ allowedSlots: 1, maxAmount: '9000' })).json
    const answers = await Promise.all(Array.from({ length: 10 }, () => calls.ask(data.invoice.request)))
    expect(new Set(answers.map((answer) => answer.pr)).size).toBe(1)
    expect(await calls.ask(data.invoice.request, '6000')).toMatchObject({ status: 'ERROR' })
  })

  it('frees the slot of an unpaid invoice once the invoice has expired', async () => {
    const { data } = (await calls.create({ allowedSlots: 1, maxAmount: '9000' })).json
    const { pr } = await calls.ask(data.invoice.request)
    await world.clock.advance(121_000)
    const second = await calls.ask(data.invoice.request, '6000')
    expect(decodeInvoice(second.pr).amount).toBe(6_000n)
    await expect(calls.pay(pr)).rejects.toThrow()
  })
})

describe('a Lightning Address', () => {
  it('leads from an identifier to its static charge', async () => {
    const { data } = (await calls.create({ identifier: 'coffee' })).json
    const host = new URL(world.url).host
    const { json } = await world.raw('GET', '/.well-known/lnurlp/coffee')
    expect(JSON.parse(json.metadata)).toEqual([
      ['text/plain', 'a coffee'],
      ['text/identifier', `coffee@${host}`],
    ])
    await calls.pay(`coffee@${host}`, 5)
    await calls.slotsTaken(data.id, 1)
  })

  it('leads from a gamertag to its user', async () => {
    const bob = await world.user('Bob')
    await calls.pay(`bob@${new URL(world.url).host}`, 21)
    await world.until(async () => (await world.balance({ kind: 'user', id: bob })) === 21_000n)
  })

  it('of a gamertag is in lower case and has no success message', async () => {
    await world.user('Bob')
    const url = `${world.url}/.well-known/lnurlp/bob`
    const address = `bob@${new URL(world.url).host}`
    expect((await world.raw('GET', '/.well-known/lnurlp/BOB')).json).toEqual({
      tag: 'payRequest',
      callback: `${url}/callback`,
      minSendable: 1_000,
      maxSendable: 10_000_000_000,
      metadata: JSON.stringify([
        ['text/plain', 'Payment to Bob (test sats)'],
        ['text/identifier', address],
      ]),
      commentAllowed: 255,
      disposable: false,
      payerData: PAYER_DATA_ASKED,
      allowsNostr: true,
      nostrPubkey: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { json } = await world.raw('GET', '/.well-known/lnurlp/bob/callback?amount=5000')
    const verify = `${world.url}/lnurl/verify/${decodeInvoice(json.pr).paymentHash}`
    expect(json).toEqual({ pr: json.pr, routes: [], disposable: false, verify })
    const { json: verified } = await world.raw('GET', new URL(verify).pathname)
    expect(verified).toEqual({ status: 'OK', settled: false, preimage: null, pr: json.pr })
  })

  it('names its receiver, and says so if payments to it are in test sats', async () => {
    await world.user('Bob')
    const described = ({ metadata }: { metadata: string }) => JSON.parse(metadata)[0]
    const { json } = await world.raw('GET', '/.well-known/lnurlp/bob')
    expect(described(json)).toEqual(['text/plain', 'Payment to Bob (test sats)'])
    const real = new SendingWorld()
    real.node.network = 'bitcoin'
    await real.start()
    await real.user('Bob')
    const { body } = await real.fetch('/.well-known/lnurlp/bob')
    await real.close()
    expect(described(body)).toEqual(['text/plain', 'Payment to Bob'])
  })

  it('can have a user’s new name, in any letter case, but not the former name', async () => {
    const bob = await world.user('bob')
    await world.administration.renameUser(bob, 'bobby')
    expect((await world.raw('GET', '/.well-known/lnurlp/bob')).status).toBe(404)
    expect((await world.raw('GET', '/.well-known/lnurlp/BOBBY')).status).toBe(200)
  })
})
