import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aborted } from '../../../src/lib/clock.ts'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { createAdministration } from '../../../src/payments-service/administration/administration.ts'
import type { Settlement } from '../../../src/payments-service/backends/backend.ts'
import { wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { callbackRows } from '../../../src/payments-service/engine/outbox/record-callback.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { redeemVoucher } from '../../../src/payments-service/vouchers/end-voucher.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { type Neighbour, Neighbours } from './neighbours.ts'

let world: Neighbours
let a: Neighbour
let b: Neighbour

beforeEach(async () => {
  world = await Neighbours.open()
  ;[a, b] = world.all as [Neighbour, Neighbour]
})

afterEach(() => world.close())

/** Creates a user of the service, with a gamertag. */
async function user(gamertag: string): Promise<string> {
  const id = randomUUID()
  await a.service.parts.ledger.commit({
    write: async (tx) => {
      await tx.user.create({ data: { id, gamertag, createdAt: new Date(a.clock.now()) } })
      await tx.name.create({ data: { folded: gamertag, display: gamertag, userId: id } })
    },
  })
  return id
}

/** Requests an invoice of this static charge from one of the services. Resolves to undefined if it returns none. */
async function askFor({ service }: Neighbour, code: string, amount: number): Promise<string | undefined> {
  const { pathname } = decodeLnurl(code, { allowLoopbackHttp: true })
  const answer = await fetch(`${service.url}${pathname}/callback?amount=${amount}`)
  return ((await answer.json()) as { pr?: string }).pr
}

it('one payer’s share of a static charge’s slots is limited across both services', async () => {
  const charge = { minAmount: '1000', maxAmount: '9000', allowedSlots: 8, description: 'x', callbackUrl: '' }
  const created = await world.call(a, 'POST', '/v0/static-charges', charge)
  const code = created.body.data.invoice.request
  const ask = (each: Neighbour, n: number) => askFor(each, code, 5_000 + n)
  const create = world.node.createInvoice.bind(world.node)
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  world.node.createInvoice = async (request) => {
    waiting += 1
    await gate.promise
    return await create(request)
  }
  const asking = [1, 2, 3, 4, 5, 6].map((n) => ask(n % 2 === 0 ? a : b, n))
  await world.until(() => waiting === 6)
  gate.resolve()
  const asked = await Promise.all(asking)
  expect(asked.filter((invoice) => invoice !== undefined)).toHaveLength(2)
  for (const each of [a, b]) expect(await ask(each, 7)).toBeUndefined()
  expect(await world.database.read.invoice.count({ where: { status: 'open' } })).toBe(2)
})

const balanceOf = (id: string) => a.service.parts.ledger.balance(wallet({ kind: 'user', id }))

describe('one Idempotency-Key sent to two services at once', () => {
  const both = (path: string, body: object, key: string) =>
    Promise.all([a, b].map((service) => world.call(service, 'POST', path, body, key)))

  it('causes one payment, and the other service returns its result or “still running”', async () => {
    const bob = await user('bob')
    const body = { gamertag: 'bob', amount: '1000', description: 'x' }
    const answers = (
      await Promise.all(Array.from({ length: 40 }, (_, i) => both('/v0/gamertag/send-payment', body, `key-${i}`)))
    ).flat()
    const others = answers.filter(({ status, body }) => status !== 200 && body.code !== 'still_running')
    expect(others).toEqual([])
    expect(await balanceOf(bob)).toBe(sats(40))
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')
    expect(replayed.length).toBeGreaterThan(0)
  })

  it('causes one payment through the node, and both services return that payment', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000) })
    const answers = await both('/v0/payments', { invoice, description: 'x' }, 'once')
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.data.id).toBe(answers[1]?.body.data.id)
    expect(world.node.calls).toHaveLength(1)
  })

  it('gets the same refusal from both services', async () => {
    await user('bob')
    const body = { gamertag: 'bob', amount: '99000000', description: 'x' }
    const answers = await both('/v0/gamertag/send-payment', body, 'poor')
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'insufficient_funds'],
      [400, 'insufficient_funds'],
    ])
  })

  it('permits only one of two different requests, and the other is refused', async () => {
    const bob = await user('bob')
    const body = { gamertag: 'bob', amount: '1000', description: 'x' }
    const answers = await Promise.all([
      world.call(a, 'POST', '/v0/gamertag/send-payment', body, 'key'),
      world.call(b, 'POST', '/v0/gamertag/send-payment', { ...body, amount: '2000' }, 'key'),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await balanceOf(bob)).toBe(answers[0]?.status === 200 ? sats(1) : sats(2))
  })

  it('gets the payment’s result from both services, not a refusal for lack of funds', async () => {
    const bob = await user('bob')
    const body = { gamertag: 'bob', amount: '9000000', description: 'nearly all of it' }
    const answers = await both('/v0/gamertag/send-payment', body, 'most')
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await balanceOf(bob)).toBe(sats(9_000))
  })
})

describe('wrong voucher codes', () => {
  const codeOf = async () =>
    (await world.call(a, 'POST', '/v1/create-voucher', { amount: '10000', description: 'x' })).body.data.code as string

  function guess({ service: { parts } }: Neighbour, id: string, code: string) {
    const by = { redeemer: { kind: 'user', id }, guesser: { user: id }, code } as const
    const told = redeemVoucher(parts, by, (change) => parts.ledger.commit(change))
    return told.then(
      () => 'redeemed',
      (error) => error.code as string,
    )
  }

  it('are counted across all services, including one that starts later', async () => {
    const mallory = await user('mallory')
    for (let i = 0; i < 10; i += 1) {
      expect(await guess(i % 2 === 0 ? a : b, mallory, 'AAAAAAAA')).toBe('voucher_not_found')
    }
    const code = await codeOf()
    for (const service of [a, b, await world.join()]) {
      expect(await guess(service, mallory, code)).toBe('too_many_wrong_codes')
    }
    await world.pass(600_000, [a], 20_000)
    expect(await guess(a, mallory, code)).toBe('redeemed')
  })

  it('lock out their guesser, even if a right code is sent at the same time', async () => {
    const mallory = await user('mallory')
    const code = await codeOf()
    const tried = Array.from({ length: 40 }, (_, i) =>
      guess(i % 2 === 0 ? a : b, mallory, i === 38 ? code : 'AAAAAAAA'),
    )
    const told = await Promise.all(tried)
    expect(told.filter((answer) => answer === 'voucher_not_found')).toHaveLength(10)
    expect(told[38]).toBe('too_many_wrong_codes')
    expect(await balanceOf(mallory)).toBe(0n)
  })
})

describe('the settlements of two services', () => {
  const settlementOf = (paymentHash: string, cursor: string): Settlement => ({
    cursor,
    paymentHash,
    received: msats(5_000),
    preimage: '00'.repeat(32),
    settledAt: new Date(a.clock.now()),
    keysend: false,
  })
  const cursor = async () => (await world.database.read.cursor.findUnique({ where: { backend: 'node' } }))?.value

  async function charge(): Promise<string> {
    const body = { gamertag: 'bob', amount: '5000', description: 'x', internalId: 'i', expiresIn: 600 }
    await world.call(a, 'POST', '/v0/gamertag/charges', body)
    return (await world.database.read.invoice.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })).paymentHash
  }

  it('are read by a single service, and by another one after that service is gone', async () => {
    const opened: string[] = []
    const watch = ({ name, service }: Neighbour) => {
      service.parts.backend.settledInvoices = async function* (_cursor, signal) {
        opened.push(name)
        await aborted(signal)
        yield* []
      }
    }
    const [c, d] = [await world.join(), await world.join()]
    for (const each of [c, d]) watch(each)
    await world.pass(20_000)
    expect(opened).toEqual([])
    for (const each of [a, b]) await each.clock.advanceUntil(each.service.close())
    await world.pass(10_000, [c, d])
    expect(opened).toHaveLength(1)
    const first = opened[0] === 'c' ? c : d
    await world.pass(60_000, [first === c ? d : c])
    expect(new Set(opened).size).toBe(2)
  })

  it('are credited only by the service that has the job of reading them', async () => {
    const bob = await user('bob')
    const hash = await charge()
    await expect(creditSettlement(b.service.parts, settlementOf(hash, '7:x'))).rejects.toThrow(/settlements/)
    expect([await balanceOf(bob), await cursor()]).toEqual([0n, undefined])
    await creditSettlement(a.service.parts, settlementOf(hash, '7:x'))
    expect([await balanceOf(bob), await cursor()]).toEqual([sats(5), '7:x'])
  })

  it('move the cursor only forward, even when an old settlement is delivered again', async () => {
    await user('bob')
    const [one, two] = [await charge(), await charge()]
    await creditSettlement(a.service.parts, settlementOf(one, `9:${one}`))
    await creditSettlement(a.service.parts, settlementOf(two, `10:${two}`))
    await creditSettlement(a.service.parts, settlementOf(one, `9:${one}`))
    expect(await cursor()).toBe(`10:${two}`)
  })
})

describe('assignments from suspense', () => {
  const tellings = ({ log }: Neighbour) => log.filter(({ alert }) => alert === 'suspense_given').length
  const receipt = () => world.database.read.unclaimedReceipt.findFirstOrThrow()

  /** Runs an operator's command, as a separate process would. */
  async function give(): Promise<void> {
    const { parts } = a.service
    const arrived = { paymentHash: 'cd'.repeat(32), received: msats(7_000), preimage: '00'.repeat(32) }
    const at = { cursor: '', settledAt: new Date(a.clock.now()), keysend: true }
    await creditSettlement(parts, { ...arrived, ...at })
    const operators = createAdministration({ ...parts, sandbox: false })
    const { id } = await receipt()
    await operators.giveSuspense({ receiptId: id, to: 'operator', reason: 'mine', by: 'ops' })
  }

  it('are reported once, by only one of the services', async () => {
    await give()
    await world.pass(180_000)
    expect([tellings(a), tellings(b)]).toEqual([1, 0])
    expect((await receipt()).toldAt).not.toBeNull()
  })

  it('are reported again by the other service if the first report was not recorded', async () => {
    await give()
    await world.pass(57_500)
    a.disk.full = true
    await world.pass(2_500)
    expect([tellings(a), (await receipt()).toldAt]).toEqual([1, null])
    await world.pass(120_000, [b])
    expect(tellings(b)).toBe(1)
    expect((await receipt()).toldAt).not.toBeNull()
    a.disk.full = false
  })
})

describe('the callbacks of two services', () => {
  let receiver: CallbackReceiver
  beforeEach(async () => {
    receiver = await CallbackReceiver.open()
  })
  afterEach(() => receiver.close())

  async function tell({ service }: Neighbour, number: number, resource: string) {
    const about = { projectId: world.project.id, resource, url: receiver.url(), kind: 'charge' } as const
    await service.parts.ledger.commit({ rows: callbackRows(service.parts, { ...about, body: { number } as never }) })
  }
  const waiting = () => world.database.read.callback.count({ where: { deliveredAt: null } })
  const numbersOf = (resource: string) =>
    receiver.received.filter(({ json }) => json.number.startsWith(resource)).map(({ json }) => json.number)

  it('are delivered once and in order per resource, whichever service wrote them', async () => {
    for (let number = 0; number < 12; number += 1) {
      for (const resource of ['x', 'y', 'z'])
        await tell(number % 2 === 0 ? a : b, `${resource}${number}` as never, resource)
    }
    for (const { service } of [a, b]) service.parts.ledger.commit({ write: async () => undefined })
    await world.until(async () => {
      for (const { clock } of world.all) await clock.advance(31_000)
      return (await waiting()) === 0
    })
    for (const resource of ['x', 'y', 'z'])
      expect(numbersOf(resource)).toEqual(Array.from({ length: 12 }, (_, number) => `${resource}${number}`))
  })

  it('are delivered by another service only after their own service has died', async () => {
    receiver.answer = ({ json }) => (json.number === 'x1' ? undefined : 204)
    await tell(a, 'x1' as never, 'x')
    await tell(a, 'x2' as never, 'x')
    await world.until(() => receiver.received.length === 1)
    // The other one looks for what is to be delivered, and delivers what is its own.
    await tell(b, 'y1' as never, 'y')
    await world.until(() => receiver.received.length === 2)
    await world.pass(20_000, [b])
    expect(numbersOf('x')).toEqual(['x1'])
    receiver.answer = () => 204
    await world.pass(70_000, [b])
    await world.until(async () => (await waiting()) === 0)
    expect(numbersOf('x')).toEqual(['x1', 'x1', 'x2'])
  })
})
