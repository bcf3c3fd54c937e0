import { makeZapRequest, validateZapRequest } from 'nostr-tools/nip57'
import { type Event, finalizeEvent, generateSecretKey, getPublicKey, verifyEvent } from 'nostr-tools/pure'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { descriptionHash } from '../../../src/lib/lightning/lnurl-messages.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { readZapRequest } from '../../../src/payments-service/engine/zaps/zap-request.ts'
import { readWalletHistory } from '../../../src/payments-service/wallet-page/history.ts'
import { createTranslators } from '../../../src/payments-service/wallet-page/i18n/translator.ts'
import { openSilentHost } from '../../support/silent-host.ts'
import { TestRelay } from '../backends/nwc/wallet-over-relay.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { StaticChargeCalls } from '../static-charge-calls.ts'

const zapper = generateSecretKey()
const receiver = getPublicKey(generateSecretKey())
const HOUR_MS = 3_600_000

/** Returns a signed zap request, made by nostr-tools; `change` alters it before it is signed, `forge` afterwards. */
function zapRequest(
  relays: readonly string[],
  { change = (event: Event) => event, forge = (event: Event) => event, amount = 21_000 } = {},
): string {
  const template = makeZapRequest({ pubkey: receiver, amount, comment: 'great post', relays: [...relays] })
  const event = { ...template, created_at: 1_893_456_000 } as Event
  return JSON.stringify(forge(finalizeEvent(change(event), zapper)))
}

const tagged = (...tag: string[]) => ({ change: (event: Event) => ({ ...event, tags: [...event.tags, tag] }) })

let world: ServiceWorld
let relay: TestRelay
let project: TestProject
let calls: StaticChargeCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  relay = await new TestRelay().start()
  project = await world.project(sats(0))
  calls = new StaticChargeCalls(world, project)
})
afterEach(() => relay.stop())

async function address(name = 'tips') {
  const { data } = (await calls.create({ minAmount: '1000', maxAmount: '90000', identifier: name })).json
  return { id: data.id as string, params: (await world.raw('GET', `/.well-known/lnurlp/${name}`)).json }
}

async function ask(callback: string, request: string | string[], amount = 21_000) {
  const { pathname } = new URL(callback)
  const zaps = [request].flat().map((each) => `&nostr=${encodeURIComponent(each)}`)
  return (await world.raw('GET', `${pathname}?amount=${amount}${zaps.join('')}`)).json
}

const receipts = () => relay.received.filter(({ kind }) => kind === 9_735)
const isReceipt = ({ kind }: { kind: number }) => kind === 9_735

describe('a zap (NIP-57)', () => {
  it('to a Lightning Address leads to a published receipt and names its sender', async () => {
    const { id, params } = await address()
    expect(params).toMatchObject({ allowsNostr: true, nostrPubkey: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const request = zapRequest([relay.url], tagged('lnurl', encodeLnurl(`${world.url}/.well-known/lnurlp/tips`)))
    expect(validateZapRequest(request)).toBeNull()
    const { pr } = await ask(params.callback, request)
    expect(decodeInvoice(pr)).toMatchObject({ amount: 21_000n, descriptionHash: descriptionHash(request) })
    expect(receipts()).toEqual([])
    const published = relay.reached(isReceipt)
    await world.sandbox.outside.pay(pr)
    await published
    const [receipt] = receipts()
    expect(verifyEvent(receipt as Event)).toBe(true)
    expect(receipt).toMatchObject({ pubkey: params.nostrPubkey, content: '' })
    expect(receipt?.tags).toEqual([
      ['p', receiver],
      ['P', getPublicKey(zapper)],
      ['bolt11', pr],
      ['description', request],
    ])
    await calls.slotsTaken(id, 1)
    const [payment] = (await project.client.listStaticChargePayments({ id, after: '0' })).data.payments
    expect(payment).toMatchObject({ comment: 'great post', payer: { nostr: getPublicKey(zapper), name: null } })
    await world.until(async () => (await world.service.parts.database.read.zapReceipt.count()) === 0)
    const before = params.nostrPubkey
    await world.restart()
    expect((await world.raw('GET', '/.well-known/lnurlp/tips')).json.nostrPubkey).toBe(before)
  })

  it('names its sender to the owner of a gamertag', async () => {
    const bob = await world.user('Bob')
    const { json } = await world.raw('GET', '/.well-known/lnurlp/bob')
    const published = relay.reached(isReceipt)
    await world.sandbox.outside.pay((await ask(json.callback, zapRequest([relay.url]))).pr)
    await published
    const { items } = await readWalletHistory(world.service.parts, bob, { limit: 1 }, createTranslators()('en'))
    expect(items[0]?.note).toMatch(/^great post · zapped by npub1[a-z0-9]{58}$/)
  })

  it('results in a shortened comment without forbidden characters', async () => {
    const { id, params } = await address()
    const content = `great\0 post \ud800${'🐟'.repeat(300)}`
    const request = zapRequest([relay.url], { change: (event) => ({ ...event, content }) })
    await world.sandbox.outside.pay((await ask(params.callback, request)).pr)
    await calls.slotsTaken(id, 1)
    const [payment] = (await project.client.listStaticChargePayments({ id, after: '0' })).data.payments
    expect(payment?.comment).toBe(`great post \ufffd${'🐟'.repeat(243)}`)
  })

  it('leads to one published receipt when its relay returns, even after a restart', async () => {
    const { id, params } = await address()
    await relay.stop()
    await world.sandbox.outside.pay((await ask(params.callback, zapRequest([relay.url]))).pr)
    await calls.slotsTaken(id, 1)
    const waiting = () => world.service.parts.database.read.zapReceipt.findFirst()
    await world.until(async () => (await waiting())?.attempts === 1)
    await world.clock.advance(10_000)
    await world.until(async () => (await waiting())?.attempts === 2)
    await world.stop()
    await relay.start()
    world.clock.jump(HOUR_MS)
    const published = relay.reached(isReceipt)
    await world.start()
    await published
    await world.until(async () => (await waiting()) === null)
    expect(receipts()).toHaveLength(1)
  })

  it('gives up on a relay that is unreachable for a day, and delays no other relay', async () => {
    const { id, params } = await address()
    const away = await new TestRelay().start()
    await away.stop()
    const published = relay.reached(isReceipt)
    await world.sandbox.outside.pay((await ask(params.callback, zapRequest([away.url, relay.url]))).pr)
    await published
    await calls.slotsTaken(id, 1)
    const waiting = () => world.service.parts.database.read.zapReceipt.findMany()
    const attempts = async () => (await waiting()).map((each) => each.attempts)
    await world.until(async () => `${await attempts()}` === '1')
    const rounds: string[] = []
    for (const pauseMs of [10_000, 60_000, 600_000, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]) {
      const before = `${await attempts()}`
      rounds.push(before)
      world.clock.jump(pauseMs)
      await world.until(async () => {
        await world.clock.advance(1_000)
        return `${await attempts()}` !== before
      })
    }
    expect(rounds).toEqual(['1', '2', '3', '4', '5', '6'])
    await world.until(async () => (await waiting()).length === 0)
  })

  it('reaches its relays immediately while other relays are silent', async () => {
    const { params } = await address()
    const silent = await Promise.all([1, 2, 3].map(() => openSilentHost(10)))
    const mute = silent.map(({ host }) => `ws://${host}`)
    try {
      const first = relay.reached(isReceipt)
      await world.sandbox.outside.pay((await ask(params.callback, zapRequest([...mute, relay.url]))).pr)
      await first
      const second = relay.reached(isReceipt)
      await world.sandbox.outside.pay((await ask(params.callback, zapRequest([relay.url, ...mute]))).pr)
      // No time has passed on the clock, so nobody has given up the silent ones.
      await second
      expect(receipts()).toHaveLength(2)
      const waiting = await world.service.parts.database.read.zapReceipt.findMany({ where: { relay: { in: mute } } })
      expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0, 0])
    } finally {
      for (const host of silent) await host.close()
    }
  })

  it.each([
    ['given twice', (url: string) => [zapRequest([url]), zapRequest([url])], 'The zap request must be given once.'],
    ['unreadable', () => 'zap', 'must be an event of kind 9734'],
    ['too long', (url: string) => zapRequest([url], tagged('x', 'x'.repeat(4_000))), 'at most 4000 characters'],
    ['another kind of event', (url: string) => zapRequest([url], { change: (e) => ({ ...e, kind: 1 }) }), 'kind 9734'],
    [
      'changed after it was signed',
      (url: string) => zapRequest([url], { forge: (e) => ({ ...e, content: 'x' }) }),
      'a signature that does not match',
    ],
    ['for two receivers', (url: string) => zapRequest([url], tagged('p', receiver)), 'one receiver in a p tag'],
    [
      'of two events',
      (url: string) =>
        zapRequest([url], { change: (e) => ({ ...e, tags: [...e.tags, ['e', receiver], ['e', receiver]] }) }),
      'one event in an e tag',
    ],
    [
      'of a broken coordinate',
      (url: string) => zapRequest([url], tagged('a', '30023:me')),
      'names no event in its a tag',
    ],
    ['for less than its invoice', (url: string) => zapRequest([url], { amount: 20_999 }), 'is for another amount'],
    ['for more than its invoice', (url: string) => zapRequest([url], { amount: 21_001 }), 'is for another amount'],
    ['for a thousand times its invoice', (url: string) => zapRequest([url], { amount: 21_000_000 }), 'another amount'],
    ['for two different amounts', (url: string) => zapRequest([url], tagged('amount', '21001')), 'another amount'],
    [
      'for another address',
      (url: string) => zapRequest([url], tagged('lnurl', encodeLnurl(`${world.url}/.well-known/lnurlp/bob`))),
      'is for another receiver',
    ],
    ['with an invalid code', (url: string) => zapRequest([url], tagged('lnurl', 'tips')), 'is for another receiver'],
    ['for another service', (url: string) => zapRequest([url], tagged('P', receiver)), 'names another service'],
    ['without a relay', () => zapRequest([]), 'must name a relay'],
    [
      'without a permitted relay',
      () => zapRequest(['wss://10.0.0.1', 'http://127.0.0.1:1', 'wss://relay.example.com']),
      'must name a relay',
    ],
  ])('is refused with an explanation if it is %s', async (_, make, words) => {
    const { params } = await address()
    const answer = await ask(params.callback, make(relay.url))
    expect(answer).toEqual({ status: 'ERROR', reason: expect.stringContaining(words) })
    expect(await world.service.parts.database.read.invoice.count()).toBe(0)
  })

  it('is not offered by codes without an address or with counted slots', async () => {
    const code = (await calls.create()).json.data
    const few = (await calls.create({ allowedSlots: 5, identifier: 'few' })).json.data
    for (const { id } of [code, few]) {
      const { json } = await world.raw('GET', `/v0/request-static-charges/${id}`)
      expect(json.allowsNostr).toBeUndefined()
      const { pr } = await ask(json.callback, zapRequest([relay.url], { amount: 5_000 }), 5_000)
      expect(decodeInvoice(pr).descriptionHash).toBe(descriptionHash(json.metadata))
    }
  })

  it('of test sats is offered only while addresses on this machine are allowed', async () => {
    const { params } = await address()
    expect(params.allowsNostr).toBe(true)
    await world.restart({ outgoingAllowLoopback: false })
    const { json } = await world.raw('GET', '/.well-known/lnurlp/tips')
    expect(json.allowsNostr).toBeUndefined()
    expect(await ask(json.callback, zapRequest([relay.url]))).toMatchObject({
      reason: 'The zap request is not taken here.',
    })
  })
})

describe('the relays of a zap', () => {
  const target = { amount: msats(21_000), lnurls: [], pubkey: receiver, relays: 'public' } as const

  it('are the first five different public relays over TLS', () => {
    const good = Array.from({ length: 7 }, (_, i) => `wss://relay-${i}.example.com`)
    const bad = [
      'ws://relay.example.com',
      'wss://127.0.0.1',
      'wss://[fd00::1]',
      'wss://localhost',
      'wss://a:b@x.example',
      'wss://x.example:22',
      'https://x.example',
      '',
    ]
    const read = readZapRequest(zapRequest([...bad, ...good.slice(0, 1), ...good]), target)
    expect(read).toMatchObject({ relays: good.slice(0, 5) })
  })

  it('are refused for real sats if they are on this machine', () => {
    expect(readZapRequest(zapRequest([relay.url]), target)).toContain('on the public Internet (wss)')
  })
})
