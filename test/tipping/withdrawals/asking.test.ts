import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { World } from '../world.ts'

let world: World
let shop: Server | undefined

/** alice has 10,000 sats; the operator a float of 1,000. */
async function begin(): Promise<void> {
  world = await World.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
}

afterEach(async () => {
  shop?.closeAllConnections()
  await new Promise<void>((resolve) => (shop ? shop.close(() => resolve()) : resolve()))
  shop = undefined
  await world.close()
})

function ask(amount: string, to?: string, member = 'alice') {
  return world.run(world.tipping.withdrawals.ask({ member, amount, to, origin: world.origin() }))
}

function decide(how: 'confirm' | 'cancel', withdrawal: string, member = 'alice') {
  return world.run(world.tipping.withdrawals[how]({ withdrawal, member, origin: world.origin() }))
}

/** A Lightning Address whose host answers everything with this. */
async function addressThatAnswers(body: string): Promise<string> {
  const server = createServer((_, response) => void response.setHeader('content-type', 'application/json').end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  shop = server
  return `bob@127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a withdrawal that was asked for', () => {
  it('is called off by its member, and by nobody else; then it cannot be confirmed', async () => {
    await begin()
    const { id } = await ask('500')
    await expect(decide('cancel', id, 'bob')).rejects.toMatchObject({ code: 'not-yours' })
    expect(await decide('cancel', id)).toMatchObject({ state: 'cancelled' })
    await expect(decide('confirm', id)).rejects.toMatchObject({ code: 'withdrawal-over' })
    await expect(decide('cancel', id)).rejects.toMatchObject({ code: 'withdrawal-over' })
    expect(world.provider.count('createWithdrawalRequest')).toBe(0)
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('and confirmed is not called off any more', async () => {
    await begin()
    const { id } = await ask('500')
    await decide('confirm', id)
    expect(await decide('cancel', id)).toMatchObject({ state: 'offered' })
    expect(await world.tipping.balance('alice')).toMatchObject({ inFlight: 510_000n })
  })

  it('that nobody knows is over', async () => {
    await begin()
    for (const how of ['confirm', 'cancel'] as const) {
      await expect(decide(how, 'none')).rejects.toMatchObject({ code: 'withdrawal-over' })
    }
  })

  it('comes back unsent when an operator pauses everything between the word and the deed', async () => {
    await begin()
    const { id } = await ask('500')
    const confirming = decide('confirm', id)
    const reserved = async () => (await world.database.read.withdrawal.count({ where: { state: 'reserved' } })) > 0
    while (!(await reserved())) await new Promise((resolve) => setImmediate(resolve))
    await world.tipping.oversight.pause({ operator: 'olga', reason: 'a look' })
    const { state } = await confirming
    // It had left already, or it did not leave at all.
    const sent = world.provider.count('createWithdrawalRequest')
    expect([sent, state]).toEqual(sent === 0 ? [0, 'returned'] : [1, 'offered'])
  })

  it('of a word that only begins like “all” is not understood', async () => {
    await begin()
    for (const text of ['allx', 'all of it', 'xall']) {
      await expect(ask(text)).rejects.toMatchObject({ code: 'amount-not-understood' })
    }
    expect(await ask(' ALL ')).toMatchObject({ everything: true })
  })

  it('by code expires by our own time where the provider names none', async () => {
    await begin()
    const { id } = await ask('500')
    const before = world.clock.now()
    await decide('confirm', id)
    const { expiresAt } = await world.database.read.withdrawal.findFirstOrThrow({ where: { id } })
    expect((expiresAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(300_000)
  })
})

describe('an address', () => {
  it.each([
    ['that says no', '{"status":"ERROR","reason":"Closed today."}', 'address-refused'],
    ['that answers with something else', '{"tag":"login"}', 'address-failed'],
    ['that answers with no JSON', '<html>', 'address-failed'],
    [
      'that takes less',
      '{"tag":"payRequest","callback":"http://127.0.0.1:1/x","minSendable":1,"maxSendable":1000,"metadata":"[[\\"text/plain\\",\\"x\\"]]"}',
      'address-range',
    ],
  ])('%s is told as it is, and nothing moves', async (_, body, code) => {
    await begin()
    await expect(ask('500', await addressThatAnswers(body))).rejects.toMatchObject({ code })
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it.each(['lnurl1notacode', 'a@b@c', '@', 'lnurlp://', 'bob@10.0.0.1:1'])(
    'like %j is refused in words',
    async (to) => {
      await begin()
      await expect(ask('500', to)).rejects.toMatchObject({ name: 'Refusal' })
    },
  )
})

describe('a request for sats', () => {
  it('that is larger than the balance, or that there is not, is refused and nothing is kept', async () => {
    await begin()
    await world.linked('bob')
    const { id } = await world.run(world.tipping.invoice({ member: 'bob', amount: '10001', origin: world.origin() }))
    const pay = (invoice: string) => world.tipping.withdrawals.pay({ invoice, member: 'alice', origin: world.origin() })
    await expect(world.run(pay(id))).rejects.toMatchObject({ code: expect.stringMatching(/^insufficient/) })
    expect(await world.database.read.withdrawal.count()).toBe(0)
    await expect(world.run(pay('none'))).rejects.toMatchObject({ code: 'invoice-expired' })
  })
})

describe('the fee of a payment that has ended', () => {
  it('is shown when it is named, once', async () => {
    await begin()
    const { id } = await ask('500')
    await decide('confirm', id)
    const request = world.provider.outgoing.only('requests')
    world.provider.outgoing.end(request, 'completed', null)
    await world.pass(60_000)
    const revision = async () => {
      const { card } = await world.database.read.withdrawal.findFirstOrThrow({ where: { id } })
      return (await world.database.read.card.findFirstOrThrow({ where: { id: card ?? '' } })).revision
    }
    const before = await revision()
    world.provider.outgoing.price(request, 4_000n)
    await world.pass(120_000)
    expect(await revision()).toBe(before + 1)
    expect(await world.available('alice')).toBe(9_496_000n)
    await world.pass(3_600_000)
    expect(await revision()).toBe(before + 1)
  })
})
