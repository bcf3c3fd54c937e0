import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'
import { invoiceFor } from './outside.ts'

let world: TippingWorld
let shop: Server | undefined

/** Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
}

afterEach(async () => {
  shop?.closeAllConnections()
  await new Promise<void>((resolve) => (shop ? shop.close(() => resolve()) : resolve()))
  shop = undefined
})

function ask(amount: string, to?: string, member = 'alice') {
  return world.run(world.tipping.withdrawals.ask({ member, amount, to, origin: world.origin() }))
}

function decide(how: 'confirm' | 'cancel', withdrawal: string, member = 'alice') {
  return world.run(world.tipping.withdrawals[how]({ withdrawal, member, origin: world.origin() }))
}

/** Returns a Lightning Address whose host answers every request with this body. */
async function addressThatAnswers(body: string): Promise<string> {
  const server = createServer((_, response) => void response.setHeader('content-type', 'application/json').end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  shop = server
  return `bob@127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a requested withdrawal', () => {
  it('can be cancelled only by its member, and cannot be confirmed afterwards', async () => {
    await begin()
    const { id } = await ask('500')
    await expect(decide('cancel', id, 'bob')).rejects.toMatchObject({ code: 'not-yours' })
    expect(await decide('cancel', id)).toMatchObject({ state: 'cancelled' })
    await expect(decide('confirm', id)).rejects.toMatchObject({ code: 'withdrawal-over' })
    await expect(decide('cancel', id)).rejects.toMatchObject({ code: 'withdrawal-over' })
    expect(world.provider.count('createWithdrawalRequest')).toBe(0)
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('is neither reserved nor sent if it is cancelled during its confirmation', async () => {
    world = await TippingWorld.open({ wallet: 1_000_000n, besideOthers: true })
    await world.fund('alice', 10_000)
    const { id } = await ask('500')
    const { withdrawals } = world.tipping
    const another = (await world.start()).withdrawals
    // So that the next commit is the confirmation's.
    await world.settle()
    const decision = { withdrawal: id, member: 'alice' }
    world.beforeNextCommit = () => another.cancel({ ...decision, origin: world.origin() })
    const confirmed = withdrawals.confirm({ ...decision, origin: world.origin() })
    await expect(world.run(confirmed)).rejects.toMatchObject({ code: 'withdrawal-over' })
    expect(await withdrawals.view(id)).toMatchObject({ state: 'cancelled' })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 10_000_000n, inFlight: 0n })
  })

  it('uses the amount of the invoice if none is entered', async () => {
    await begin()
    const to = invoiceFor(world, 700)
    const asked = await world.run(world.tipping.withdrawals.ask({ member: 'alice', to, origin: world.origin() }))
    expect(asked).toMatchObject({ kind: 'invoice', amount: 700_000n, state: 'asked' })
  })

  it.each([
    ['an invoice without one', () => invoiceFor(world, undefined)],
    ['no destination', () => undefined],
  ])('needs an amount if it has %s', async (_, to) => {
    await begin()
    const command = { member: 'alice', to: to(), origin: world.origin() }
    await expect(world.run(world.tipping.withdrawals.ask(command as never))).rejects.toMatchObject({
      code: 'amount-missing',
    })
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('cannot be cancelled once it is confirmed', async () => {
    await begin()
    const { id } = await ask('500')
    await decide('confirm', id)
    expect(await decide('cancel', id)).toMatchObject({ state: 'offered' })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ inFlight: 510_000n })
  })

  it('shows its state if it is confirmed again, even during a pause', async () => {
    await begin()
    const { id } = await ask('500')
    await decide('confirm', id)
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    expect(await decide('confirm', id)).toMatchObject({ state: 'offered' })
  })

  it('gets its card when it is confirmed, and is first polled 2 seconds later', async () => {
    await begin()
    await world.tipping.close()
    await world.start({ maxConcurrentPayouts: 0, payoutTimeoutMs: 0 })
    const { id } = await ask('500')
    const confirmedAt = world.clock.now()
    const { card } = await decide('confirm', id)
    expect(await world.tipping.cards.get(card ?? '')).toMatchObject({
      ...{ kind: 'withdrawal', record: id, audience: { member: 'alice' } },
    })
    const { token } = await world.database.read.withdrawal.findFirstOrThrow({ where: { id } })
    const job = await world.database.read.pollJob.findFirstOrThrow({ where: { token } })
    expect(job).toMatchObject({ id, kind: 'withdrawal', bornAt: new Date(confirmedAt) })
    expect(job.nextAt).toEqual(new Date(confirmedAt + 2_000))
  })

  it('is reported as over if its id is unknown', async () => {
    await begin()
    for (const how of ['confirm', 'cancel'] as const) {
      await expect(decide(how, 'none')).rejects.toMatchObject({ code: 'withdrawal-over' })
    }
  })

  it('is refused if its amount contains other text besides the word “all”', async () => {
    await begin()
    for (const text of ['allx', 'all of it', 'xall']) {
      await expect(ask(text)).rejects.toMatchObject({ code: 'amount-not-understood' })
    }
    expect(await ask(' ALL ')).toMatchObject({ everything: true })
  })

  it('expires at a time set by the bot if the provider reports none for its code', async () => {
    await begin()
    const { id } = await ask('500')
    const before = world.clock.now()
    await decide('confirm', id)
    const { expiresAt } = await world.tipping.withdrawals.view(id)
    expect((expiresAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(300_000)
  })

  it('shows the node’s fixed price until it is sent', async () => {
    await begin()
    await world.linked('bob')
    const tariff = { base: '3000', partsPerMillion: 2_000 }
    world.provider.told = { node: { state: 'ready', tariff } }
    await world.pass(11_000)
    const asked = await ask('500', invoiceFor(world, 500))
    expect(asked).toMatchObject({ state: 'asked', feeLimit: sats(4), price: sats(4) })
    expect(await decide('confirm', asked.id)).toMatchObject({ state: 'paid', price: undefined })
    // A request for sats that is paid inside the provider costs nothing, so there is no price to tell.
    const origin = world.origin()
    const { id } = await world.run(world.tipping.invoices.create({ member: 'bob', amount: '5000', origin }))
    const { withdrawals, preferences } = world.tipping
    await preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(500) } })
    const request = await world.run(withdrawals.pay({ invoice: id, member: 'alice', origin: world.origin() }))
    expect(request).toMatchObject({ state: 'asked', feeLimit: 0n, price: undefined })
  })
})

describe('a withdrawal code that is shown', () => {
  it('cannot be cancelled by others, or at a provider that cannot cancel codes', async () => {
    await begin()
    // It is not the first one.
    await ask('500')
    const { id } = await ask('500')
    const end = (member: string) =>
      world.run(world.tipping.withdrawals.cancelCode({ withdrawal: id, member, origin: world.origin() }))
    await expect(end('alice')).rejects.toMatchObject({ code: 'withdrawal-over' })
    await decide('confirm', id)
    await expect(end('carol')).rejects.toMatchObject({ code: 'not-yours' })
    await expect(end('alice')).rejects.toMatchObject({ code: 'code-not-cancellable' })
    expect(await world.tipping.withdrawals.view(id)).toMatchObject({ state: 'offered' })
  })
})

describe('a command to withdraw', () => {
  const again = (amount: string, to: string | undefined, member = 'alice') =>
    world.run(world.tipping.withdrawals.ask({ member, amount, to, origin: world.origin('once') }))

  it('makes exactly one withdrawal, however often it is delivered', async () => {
    await begin()
    const first = await again('500', undefined)
    expect((await again('500', '')).id).toBe(first.id)
    await decide('confirm', first.id)
    expect(await again('500', undefined)).toMatchObject({ id: first.id, state: 'offered' })
    await expect(again('501', undefined)).rejects.toMatchObject({ code: 'already-done' })
    await expect(again('500', 'bob@b.invalid')).rejects.toMatchObject({ code: 'already-done' })
    await expect(again('500', undefined, 'bob')).rejects.toMatchObject({ code: 'already-done' })
    const operation = await world.database.read.operation.findFirst({ where: { id: first.id } })
    expect(operation).toMatchObject({ verb: 'withdraw', record: first.id, interaction: 'once' })
  })

  it.each([
    ['9902', { balance: 10_000_000n, needed: 10_002_000n, missing: 2_000n, feeLimit: 100_000n }],
    ['9900', undefined],
    ['9,900', undefined],
  ])('requires a balance that covers the fee limit on top of %s sats', async (amount, facts) => {
    await begin()
    if (facts === undefined) expect(await ask(amount)).toMatchObject({ everything: false, amount: 9_900_000n })
    else await expect(ask(amount)).rejects.toMatchObject({ code: 'insufficient-with-fee', facts })
  })

  it('suggests no smaller amount if the invoice has an amount', async () => {
    await begin()
    const asked = { member: 'alice', amount: undefined, to: invoiceFor(world, 9_902), origin: world.origin() }
    const refused = { code: 'insufficient-for-invoice', facts: { missing: 2_000n } }
    await expect(world.run(world.tipping.withdrawals.ask(asked))).rejects.toMatchObject(refused)
  })

  it('is accepted if the balance exactly covers the amount and the fee limit', async () => {
    await begin()
    await world.fund('carol', 100)
    await expect(ask('91', undefined, 'carol')).rejects.toMatchObject({ facts: { missing: 1_000n } })
    const { id } = await ask('90', undefined, 'carol')
    expect(await decide('confirm', id, 'carol')).toMatchObject({ state: 'offered' })
    expect(await world.tipping.balances.view('carol')).toMatchObject({ available: 0n, inFlight: 100_000n })
  })

  it('can be confirmed only with enough sats, and a refusal states the shortfall', async () => {
    await begin()
    const { id } = await ask('9900')
    await world.run(world.tip('alice', 'bob', '2'))
    const facts = { balance: 9_998_000n, needed: 9_999_000n, missing: 1_000n, feeLimit: 99_000n }
    await expect(decide('confirm', id)).rejects.toMatchObject({ code: 'insufficient-with-fee', facts })
    await world.fund('alice', 1)
    expect(await decide('confirm', id)).toMatchObject({ state: 'offered', amount: 9_900_000n })
  })

  it.each<[string, string, number, bigint]>([
    ['half', '10,001 sats', 10_001, 5_000_000n],
    ['half', 'more than may leave at once', 40_000, 15_000_000n],
    ['all', 'more than may leave at once', 40_000, 15_000_000n],
    ['HALF', 'less than may leave at once', 30, 20_000n],
  ])('withdraws the right amount for “%s” of a balance of %s', async (word, _, balance, amount) => {
    world = await TippingWorld.open({ wallet: 1_000_000n, settings: { minAmount: sats(20), maxAmount: sats(15_000) } })
    const parts = Array.from({ length: Math.floor(balance / 15_000) }, () => 15_000)
    for (const part of [...parts, balance % 15_000]) await world.fund('alice', part)
    const everything = word === 'all'
    expect(await ask(word)).toMatchObject({ amount, everything })
  })

  it.each([
    ['19', 'amount-too-small', { smallest: 20_000n }],
    ['15001', 'amount-too-large', { largest: 15_000_000n }],
  ])('is refused for %s sats, which is out of bounds', async (amount, code, facts) => {
    world = await TippingWorld.open({ wallet: 1_000_000n, settings: { minAmount: sats(20), maxAmount: sats(15_000) } })
    await world.fund('alice', 15_000)
    await expect(ask(amount)).rejects.toMatchObject({ code, facts })
  })

  it.each(['all', 'half'])('is refused for “%s” of a tiny balance, with the sum that is needed', async (word) => {
    world = await TippingWorld.open({ wallet: 1_000_000n })
    await world.fund('alice', 10)
    const facts = { balance: 10_000n, needed: word === 'all' ? 11_000n : 15_000n, feeLimit: 10_000n }
    const code = word === 'all' ? 'too-little-to-withdraw' : 'insufficient-with-fee'
    await expect(ask(word)).rejects.toMatchObject({ code, facts })
  })

  it('is refused for half of a balance below the minimum, with the sum that is needed', async () => {
    world = await TippingWorld.open({ wallet: 1_000_000n })
    await world.fund('alice', 2)
    const facts = { balance: sats(2), needed: sats(11), missing: sats(9), feeLimit: sats(10) }
    await expect(ask('half')).rejects.toMatchObject({ code: 'too-little-to-withdraw', facts })
  })

  it('is refused for less than 1 sat, whatever the minimum is', async () => {
    world = await TippingWorld.open({ wallet: 1_000_000n, settings: { minAmount: msats(1n) } })
    await world.fund('alice', 100)
    await expect(ask('0.5')).rejects.toMatchObject({ name: 'TippingRefusal' })
    expect(await ask('1')).toMatchObject({ amount: 1_000n })
  })
})

describe('an invoice to pay', () => {
  it('is read in each form that wallets use', async () => {
    await begin()
    const invoice = invoiceFor(world, 500)
    for (const to of [
      ` ${invoice.toUpperCase()} `,
      `lightning:${invoice}`,
      `LIGHTNING://${invoice}`,
      `bitcoin:bcrt1qx?lightning=${invoice}`,
    ]) {
      expect(await ask('500', to)).toMatchObject({ kind: 'invoice', state: 'asked' })
    }
    const text = `pay ${invoice}`
    const facts = { text: `${text.slice(0, 59)}…` }
    await expect(ask('500', text)).rejects.toMatchObject({ code: 'destination-not-understood', facts })
  })

  it('must have the requested amount, and a refusal states both amounts', async () => {
    await begin()
    const facts = { asked: 500_000n, invoice: 499_000n }
    await expect(ask('500', invoiceFor(world, 499))).rejects.toMatchObject({ code: 'invoice-amount-differs', facts })
  })

  it.each([
    [60, 'refused'],
    [61, 'asked'],
  ])('is accepted only if it is valid for over a minute (%d seconds left: %s)', async (expiresInSeconds, state) => {
    await begin()
    const asking = ask('500', invoiceFor(world, 500, { expiresInSeconds }))
    if (state === 'asked') expect(await asking).toMatchObject({ state })
    else await expect(asking).rejects.toMatchObject({ code: 'invoice-expired' })
  })

  it('can be used after its withdrawal is cancelled, but not while it is being paid', async () => {
    await begin()
    const invoice = invoiceFor(world, 500)
    const first = await ask('500', invoice)
    expect(await decide('cancel', first.id)).toMatchObject({ state: 'cancelled', endedAt: expect.any(Date) })
    const second = await ask('500', invoice)
    world.provider.outgoing.next = 'processing'
    await decide('confirm', second.id)
    await expect(ask('500', invoice)).rejects.toMatchObject({ code: 'invoice-taken' })
  })

  it('cannot be viewed as a withdrawal under an unknown id', async () => {
    await begin()
    await expect(world.tipping.withdrawals.view('none')).rejects.toMatchObject({ code: 'not-there' })
  })
})

describe('an address to withdraw to', () => {
  it.each([
    ['refuses', '{"status":"ERROR","reason":"Closed today."}', 'address-refused'],
    ['gives another kind of answer', '{"answer":42}', 'address-failed'],
    ['does not answer with JSON', '<html>', 'address-failed'],
    [
      'accepts only less',
      '{"tag":"payRequest","callback":"http://127.0.0.1:1/x","minSendable":1,"maxSendable":1000,"metadata":"[[\\"text/plain\\",\\"x\\"]]"}',
      'address-range',
    ],
    [
      'requires the payer’s identity (LUD-18)',
      '{"tag":"payRequest","callback":"http://127.0.0.1:1/x","minSendable":1,"maxSendable":1000000000,"metadata":"[[\\"text/plain\\",\\"x\\"]]","payerData":{"name":{"mandatory":true}}}',
      'address-asks-who',
    ],
  ])('is refused with an explanation if its host %s', async (_, body, code) => {
    await begin()
    const address = await addressThatAnswers(body)
    await expect(ask('500', address)).rejects.toMatchObject({ code, facts: { address } })
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it.each(['lnurl1notacode', 'a@b@c', '@', 'lnurlp://', 'bob@10.0.0.1:1'])(
    'is refused with an explanation if it is %j',
    async (to) => {
      await begin()
      await expect(ask('500', to)).rejects.toMatchObject({ name: 'TippingRefusal' })
    },
  )
})

describe('a request for sats', () => {
  it('cannot be paid if it exceeds the balance or does not exist, and reserves nothing', async () => {
    await begin()
    await world.linked('bob')
    const { id } = await world.run(
      world.tipping.invoices.create({ member: 'bob', amount: '10001', origin: world.origin() }),
    )
    const pay = (invoice: string) => world.tipping.withdrawals.pay({ invoice, member: 'alice', origin: world.origin() })
    await expect(world.run(pay(id))).rejects.toMatchObject({ code: expect.stringMatching(/^insufficient/) })
    expect(await world.database.read.withdrawal.count()).toBe(0)
    await expect(world.run(pay('none'))).rejects.toMatchObject({ code: 'invoice-expired' })
  })
})

describe('the fee of a payment that has ended', () => {
  it('is shown when it becomes known, and the card is redrawn only once', async () => {
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
