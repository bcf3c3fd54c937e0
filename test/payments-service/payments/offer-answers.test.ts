import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import type { OfferAnswer, OfferRequest } from '../../../src/payments-service/backends/backend.ts'
import { fetchOfferInvoice } from '../../../src/payments-service/payments/fetch-offer-invoice.ts'
import { offerOf } from '../../../src/payments-service/receiving/own-offer.ts'
import { findPayableName } from '../../../src/payments-service/receiving/payable-name.ts'
import type { OfferInvoiceDraft, TlvField } from '../../support/bolt12-texts.ts'
import { bolt12Text, makeOffer, makeOfferInvoice } from '../../support/bolt12-texts.ts'
import { ScriptedNode } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

const MAINNET = '6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000'
const TESTNET = '43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000'

/** A node that can pay offers; the test decides its answer about each. */
class OfferNode extends ScriptedNode {
  /** The requests that the node has received. */
  readonly asked: OfferRequest[] = []
  says: () => OfferAnswer | Promise<OfferAnswer> = () => fetched()

  async fetchInvoice(request: OfferRequest): Promise<OfferAnswer> {
    this.asked.push(request)
    return await this.says()
  }

  async createOffer() {
    return { id: 'ab'.repeat(32), text: makeOffer() }
  }
}

let world: SendingWorld
let node: OfferNode
let project: Project
let asked: OfferRequest[]

beforeEach(async () => {
  world = new SendingWorld({}, (clock) => {
    node = new OfferNode(clock)
    node.capabilities = { ...node.capabilities, offers: true, bitcoinNames: true }
    return node
  })
  await world.start()
  project = await world.project()
  asked = node.asked
})
const answer = (says: OfferNode['says']) => Object.assign(node, { says })
const fetched = (draft: Partial<OfferInvoiceDraft> = {}): OfferAnswer => {
  const createdAt = Math.floor(world.clock.now() / 1_000)
  const about = { network: 'regtest', amount: 5_000n, paymentHash: 'ab'.repeat(32), createdAt } as const
  return { state: 'fetched', invoice: makeOfferInvoice({ ...about, ...draft }) }
}
const fetchInvoice = async (body: object) => {
  const { status, body: said } = await world.call(project, 'fetchOfferInvoice', { body })
  return { status, ...said }
}
const refused = (status: number, code: string, message: RegExp) =>
  expect.objectContaining({ status, code, message: expect.stringMatching(message) })

describe('the node’s answer about an offer’s invoice', () => {
  it('is requested with the payer’s values and a time limit of 15 seconds', async () => {
    const offer = makeOffer()
    const { status, data } = await fetchInvoice({ offer, amount: '5000', note: 'Thanks' })
    expect([status, data.amount]).toEqual([200, '5000'])
    const about = { payer: `project:${project.id}`, amount: 5_000n, note: 'Thanks', timeoutMs: 15_000 }
    expect(asked).toEqual([{ ...about, to: { offer } }])
    await fetchInvoice({ offer: '₿bob@example.com', amount: '5000' })
    expect(asked.at(-1)).toEqual({ ...about, note: '', to: { name: 'bob@example.com' } })
  })

  it.each<[string, OfferAnswer, string, RegExp]>([
    [
      'a name that could not be looked up',
      { state: 'name-unanswered', reason: 'HrnResolutionError' },
      'offer_unanswered',
      /could not be looked up right now\. Nothing was sent/,
    ],
    ['an unknown name', { state: 'unknown-name', reason: '' }, 'invalid_offer', /No offer was found under this/],
    ['an expired offer', { state: 'expired', reason: '' }, 'invoice_expired', /offer has expired/],
    [
      'an unreachable maker',
      { state: 'unreachable', reason: '' },
      'offer_unanswered',
      /does not answer.*Nothing was sent/,
    ],
    [
      'a refusal by the maker',
      { state: 'refused', reason: '' },
      'offer_unanswered',
      /refused to send an invoice.*Nothing was sent/,
    ],
    ['nonsense', { state: 'fetched', invoice: 'lni1qqqq' }, 'offer_unanswered', /it cannot be read.*Nothing was sent/],
  ])('is explained to the payer in the case of %s', async (_, said, code, message) => {
    answer(() => said)
    expect(await fetchInvoice({ offer: makeOffer(), amount: '5000' })).toEqual(refused(400, code, message))
  })

  it.each<[string, Partial<OfferInvoiceDraft>, RegExp]>([
    ['another network', { network: 'bitcoin' }, /another network/],
    ['an amount 1 msat too high', { amount: 5_001n }, /asks for 5\.001 sats, which is not what was agreed on/],
    ['an amount 1 msat too low', { amount: 4_999n }, /asks for 4\.999 sats/],
    ['only a minute until its expiry', { expiresInSeconds: 60 }, /about to expire/],
  ])('is refused if the invoice has %s', async (_, draft, message) => {
    answer(() => fetched(draft))
    const said = await fetchInvoice({ offer: makeOffer(), amount: '5000' })
    expect(said).toEqual(refused(400, 'offer_unanswered', message))
  })

  it('is accepted if the invoice is valid for more than a minute', async () => {
    answer(() => fetched({ expiresInSeconds: 61 }))
    expect(await fetchInvoice({ offer: makeOffer(), amount: '5000' })).toMatchObject({ status: 200 })
  })

  it('is not requested if neither the offer nor the payer states an amount', async () => {
    const said = await fetchInvoice({ offer: '₿bob@example.com' })
    expect(said).toEqual(refused(400, 'amount_required', /leaves the amount to you/))
    expect(asked).toEqual([])
  })

  it('can fail to arrive, and the payer is then told that nothing was sent', async () => {
    answer(() => Promise.reject(new Error('connection lost')))
    const said = await fetchInvoice({ offer: makeOffer(), amount: '5000' })
    expect(said).toEqual(refused(503, 'nothing_sent', /could not ask for the invoice/))
    const why = expect.objectContaining({ message: 'connection lost' })
    expect(world.log).toContainEqual(expect.objectContaining({ err: why, msg: expect.stringMatching(/of an offer/) }))
  })

  it('is not requested from a node that cannot pay offers', async () => {
    Object.assign(world.service.parts.backend, { fetchInvoice: undefined })
    const said = await fetchInvoice({ offer: makeOffer(), amount: '5000' })
    expect(said).toEqual(refused(501, 'not_offered', /offers cannot be paid from here/))
  })
})

describe('an offer or name that is checked before the node is called', () => {
  /** Creates an offer for the chains with these genesis hashes or, if none is given, for an unknown chain. */
  const elsewhere = (...chains: string[]) => {
    const fields: TlvField[] = [
      [2, chains.length === 0 ? new Uint8Array(32).fill(7) : Buffer.from(chains.join(''), 'hex')],
      [10, Buffer.from('a test')],
      [22, new Uint8Array(33).fill(2)],
    ]
    return bolt12Text('lno', fields)
  }

  it.each<[string, () => string, string | undefined, string, RegExp]>([
    [
      'a text that is not an offer',
      () => 'lnbc1abc',
      '5000',
      'invalid_offer',
      /neither a BOLT12 offer .* nor a Bitcoin name/,
    ],
    ['a damaged offer', () => `lno1${'q'.repeat(9)}b`, '5000', 'invalid_offer', /\w/],
    ['another network', () => makeOffer({ network: 'bitcoin' }), '5000', 'wrong_network', /bitcoin, but .* on regtest/],
    [
      'two other networks',
      () => elsewhere(MAINNET, TESTNET),
      '5000',
      'wrong_network',
      /network bitcoin, testnet, but .* on regtest/,
    ],
    [
      'an unknown network',
      () => elsewhere(),
      '5000',
      'wrong_network',
      /This offer is for another network, but .* on regtest/,
    ],
    ['an expired offer', () => makeOffer({ expiresAt: 1 }), '5000', 'invoice_expired', /offer has expired/],
    [
      'another currency',
      () => makeOffer({ amount: 5n, currency: 'EUR' }),
      '5000',
      'invalid_offer',
      /a currency other than bitcoin/,
    ],
    ['a price by quantity', () => makeOffer({ quantity: true }), '5000', 'invalid_offer', /items by quantity/],
    ['no amount', () => makeOffer(), undefined, 'amount_required', /leaves the amount to you/],
    ['another amount', () => makeOffer({ amount: 5_000n }), '6000', 'amount_not_allowed', /exactly 5 sats/],
    ['an amount that is too high', () => makeOffer(), '10000000001', 'amount_too_high', /The largest amount here is/],
    ['an amount too low for the node', () => makeOffer(), '1999', 'amount_too_low', /cannot send less than 2 sats/],
  ])('is refused in the case of %s', async (_, offer, amount, code, message) => {
    node.capabilities = { ...node.capabilities, sendable: { smallest: sats(2) } }
    const said = await fetchInvoice({ offer: offer(), ...(amount !== undefined && { amount }) })
    expect(said).toEqual(refused(400, code, message))
    expect(asked).toEqual([])
  })

  it('is accepted if the payer states the offer’s own amount', async () => {
    const said = await fetchInvoice({ offer: makeOffer({ amount: 5_000n }), amount: '5000' })
    expect(said).toMatchObject({ status: 200, data: { amount: '5000' } })
  })

  it.each([
    ...['bob', 'b!ob@example.com', '!bob@example.com', 'bob@example.com!', '@example.com', 'bob@example'],
    ...['bob@exam_ple.com', 'bob@.com', 'bob@example.', 'bob@example.c_m', `${'b'.repeat(65)}@example.com`],
  ])('is refused if it is the impossible name ₿%s', async (name) => {
    const said = await fetchInvoice({ offer: `₿${name}`, amount: '5000' })
    expect(said).toEqual(refused(400, 'invalid_offer', name.includes('@') ? /not a Bitcoin name/ : /neither/))
    expect(asked).toEqual([])
  })

  it.each(['BOB@example.com', `${'b'.repeat(64)}@example.com`, 'b.o_b-1@pay.sats.example.com', 'b@e.c'])(
    'is accepted if it is the payable name ₿%s',
    async (name) => {
      expect(await fetchInvoice({ offer: `₿${name}`, amount: '5000' })).toMatchObject({ status: 200 })
      expect(asked).toMatchObject([{ to: { name } }])
    },
  )

  it('is refused if the node cannot pay offers', async () => {
    node.capabilities = { ...node.capabilities, offers: false, bitcoinNames: false }
    const offer = await fetchInvoice({ offer: makeOffer(), amount: '5000' })
    expect(offer).toEqual(refused(501, 'not_offered', /offers cannot be paid from here/))
    const name = await fetchInvoice({ offer: '₿bob@example.com', amount: '5000' })
    expect(name).toEqual(
      refused(501, 'not_offered', /₿bob@example\.com is a Bitcoin name.*try bob@example\.com, without/),
    )
  })
})

describe('an ordinary invoice at a node that can pay offers', () => {
  it('is paid as usual', async () => {
    const { invoice } = node.foreignInvoice({ amount: sats(5) })
    const { status, body } = await world.call(project, 'sendPayment', { body: { invoice } })
    expect([status, body.data.status]).toEqual([200, 'completed'])
  })
})

describe('our own offer', () => {
  /** Creates a static charge of this project, with an offer made by our node. */
  async function own(who: Project = project) {
    node.capabilities = { ...node.capabilities, ownOffers: true }
    const body = { minAmount: '1000', maxAmount: '100000', description: 'Mine' }
    const { id } = (await world.call(who, 'createStaticCharge', { body })).body.data
    return (await world.call(who, 'getStaticCharge', { params: { id } })).body.data as { id: string; offer: string }
  }

  beforeEach(async () => {
    await world.service.parts.nodeWatch.look()
  })

  it('is paid through our own invoice with the charge’s text and the payer’s note', async () => {
    const { id, offer } = await own(await world.project(msats(0)))
    const { status, data } = await fetchInvoice({ offer, amount: '5000', note: 'Thanks' })
    expect([status, data]).toMatchObject([200, { amount: '5000', network: 'regtest', description: 'Mine' }])
    const { read } = world.service.parts.database
    const row = await read.invoice.findUniqueOrThrow({ where: { paymentHash: data.paymentHash } })
    expect(row).toMatchObject({ resourceId: id, request: data.invoice, comment: 'Thanks', amount: 5_000n })
    expect(asked).toEqual([])
  })

  it('keeps its open invoices separate for each payer', async () => {
    const { offer } = await own(await world.project(msats(0)))
    const { parts } = world.service
    for (const id of [project.id, project.id, 'another']) {
      await fetchOfferInvoice(parts, { payer: { kind: 'project', id }, to: offer, amount: sats(5), note: '' })
    }
    const rows = await parts.database.read.invoice.findMany({ orderBy: { createdAt: 'asc' } })
    expect([rows.length, new Set(rows.map(({ payer }) => payer)).size]).toEqual([3, 2])
  })

  it('requires an amount', async () => {
    const { offer } = await own(await world.project(msats(0)))
    expect(await fetchInvoice({ offer })).toEqual(refused(400, 'amount_required', /leaves the amount/))
  })

  it('is refused if it would credit the payer', async () => {
    const { offer } = await own()
    expect(await fetchInvoice({ offer, amount: '5000' })).toEqual(refused(400, 'self_payment', /your own/))
  })

  it('can be paid by a user whose id equals the id of the payee project', async () => {
    const { offer } = await own()
    const payer = { kind: 'user', id: project.id } as const
    const wanted = { payer, to: offer, amount: sats(5), note: '' }
    expect((await fetchOfferInvoice(world.service.parts, wanted)).amount).toBe(5_000n)
  })

  it('yields no invoice while the node cannot make invoices, and nothing is sent', async () => {
    const { offer } = await own(await world.project(msats(0)))
    node.createInvoice = () => Promise.reject(new Error('connection lost'))
    const said = await fetchInvoice({ offer, amount: '5000' })
    expect(said).toEqual(refused(503, 'nothing_sent', /nothing happened/))
  })

  it('yields advice instead of an invoice while 1,000 of its invoices are open', async () => {
    node.capabilities = { ...node.capabilities, ownOffers: true }
    const { id } = await world.user('alice')
    const { parts } = world.service
    const name = await findPayableName(parts, 'alice')
    if (name === undefined) throw new Error('nobody has this name')
    const offer = await offerOf(parts, name)
    const { invoice } = (await fetchInvoice({ offer, amount: '5000' })).data
    const { read } = parts.database
    const row = await read.invoice.findUniqueOrThrow({ where: { request: invoice } })
    const rest = Array.from({ length: 999 }, (_, i) => {
      return { ...row, request: `${invoice}${i}`, paymentHash: String(i).padStart(64, '0'), resourceId: id }
    })
    await parts.ledger.commit({ write: (tx) => tx.invoice.createMany({ data: rest }) })
    const said = await fetchInvoice({ offer, amount: '5000' })
    expect(said).toEqual(refused(400, 'offer_unanswered', /too many are open already.*Ask the receiver/))
  })
})
