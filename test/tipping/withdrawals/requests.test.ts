import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'
import { invoiceFor } from './outside.ts'

let world: TippingWorld

/**
 * Opens a world in which alice has 10,000 sats, bob and carol have gamertag wallets, and payments above 500 sats need a
 * confirmation.
 */
async function begin(options: WorldOptions = {}): Promise<void> {
  const settings = { confirmAbove: sats(500), ...options.settings }
  world = await TippingWorld.open({ wallet: 1_000_000n, ...options, settings })
  await world.fund('alice', 10_000)
  for (const member of ['bob', 'carol']) await world.linked(member)
  world.provider.outgoing.fee = 0n
}

async function request(amount: string, member = 'bob', minutes?: number): Promise<string> {
  const command = { member, amount, expiresInMinutes: minutes, origin: world.origin() }
  return (await world.run(world.tipping.invoices.create(command))).id
}

function pay(invoice: string, interaction?: string, member = 'alice') {
  return world.run(world.tipping.withdrawals.pay({ invoice, member, origin: world.origin(interaction) }))
}

function decide(how: 'confirm' | 'cancel', withdrawal: string) {
  return world.run(world.tipping.withdrawals[how]({ withdrawal, member: 'alice', origin: world.origin() }))
}

describe('a request for sats', () => {
  it.each([
    ['500', 'paid'],
    ['501', 'asked'],
  ])('needs a confirmation above the limit (%s sats: %s after one press)', async (amount, state) => {
    await begin()
    const id = await request(amount)
    const pressed = await pay(id)
    expect(pressed).toMatchObject({ state, kind: 'pay', payee: 'bob', everything: false, feeLimit: 0n })
    expect(world.provider.count('sendPayment')).toBe(state === 'paid' ? 1 : 0)
    expect((await pay(id)).id).toBe(pressed.id)
    expect(await decide('confirm', pressed.id)).toMatchObject({ state: 'paid' })
    expect(world.provider.outgoing.only('payments').body).toMatchObject({ maxFee: '1' })
  })

  it('is paid with one press up to the server’s limit', async () => {
    await begin()
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(600) } })
    expect(await pay(await request('600'))).toMatchObject({ state: 'paid' })
    expect(await pay(await request('601'))).toMatchObject({ state: 'asked' })
  })

  it('pays the member who made it, even when several members have requests', async () => {
    await begin()
    const [ofCarol, ofBob] = [await request('100', 'carol'), await request('200', 'bob')]
    expect(await pay(ofBob)).toMatchObject({ payee: 'bob', amount: 200_000n })
    expect(await pay(ofCarol)).toMatchObject({ payee: 'carol', amount: 100_000n })
    const code = await world.tipping.withdrawals.ask({ member: 'alice', amount: '5', origin: world.origin() })
    expect(code).toMatchObject({ kind: 'request', payee: undefined })
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['was cancelled', (id) => decide('cancel', id)],
    [
      'was returned',
      async (id) => {
        world.provider.outgoing.next = 'failed'
        expect(await decide('confirm', id)).toMatchObject({ state: 'returned', because: 'failed' })
        world.provider.outgoing.next = 'completed'
      },
    ],
  ])('can be paid again if its payment %s', async (_, end) => {
    await begin()
    const invoice = await request('501')
    const first = await pay(invoice)
    await end(first.id)
    const second = await pay(invoice)
    expect(second.id).not.toBe(first.id)
    expect(await decide('confirm', second.id)).toMatchObject({ state: 'paid' })
    expect(await world.available('alice')).toBe(9_499_000n)
  })

  it('is paid once even if the press is redelivered', async () => {
    await begin()
    const [one, two] = [await request('100'), await request('100')]
    const first = await pay(one, 'press')
    expect(await pay(one, 'press')).toMatchObject({ id: first.id })
    await expect(pay(two, 'press')).rejects.toMatchObject({ code: 'already-done' })
    await expect(pay(one, 'press', 'dave')).rejects.toMatchObject({ code: 'already-done' })
    expect(await world.database.read.operation.findFirst({ where: { id: first.id } })).toMatchObject({ verb: 'pay' })
  })

  it.each<[string, WorldOptions, () => Promise<unknown>]>([
    ['a provider that cannot recognize repeated keys', { replays: false }, async () => undefined],
    ['a provider other than the one that made it', {}, () => world.restart({ apiKey: 'another' })],
  ])('reserves a fee if it is paid through %s', async (_, options, change) => {
    await begin(options)
    const invoice = await request('501')
    await change()
    expect(await pay(invoice)).toMatchObject({ feeLimit: 10_000n })
  })

  it('is not paid with sats that were given away before the confirmation', async () => {
    await begin()
    const { id } = await pay(await request('501'))
    await world.run(world.tip('alice', 'carol', '9500'))
    const facts = { balance: sats(500), needed: sats(501), missing: sats(1), feeLimit: 0n }
    await expect(decide('confirm', id)).rejects.toMatchObject({ code: 'insufficient-for-invoice', facts })
    expect(await world.available('alice')).toBe(sats(500))
  })

  it.each(['100', '501'])('is not paid if it has already been paid or is about to expire (%s sats)', async (amount) => {
    await begin()
    const [soon, paid] = [await request(amount, 'bob', 2), await request(amount)]
    world.provider.invoices.forEach((charge) => {
      if (charge.body.internalId === paid) charge.status = 'CHARGE_COMPLETED'
    })
    await world.pass(61_000)
    for (const id of [soon, paid]) await expect(pay(id)).rejects.toMatchObject({ code: 'invoice-expired' })
    expect(await world.database.read.withdrawal.count()).toBe(0)
  })

  it('is not paid if the book cannot be written, and can be paid afterwards', async () => {
    await begin()
    const id = await request('501')
    world.failCommits = 1
    await expect(pay(id)).rejects.toThrow('the books could not be written')
    expect(await pay(id)).toMatchObject({ state: 'asked' })
  })

  it('is not paid during a pause, or by a member with too many open payments', async () => {
    await begin()
    const [invoice, larger] = [await request('100'), await request('501')]
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    for (const id of [invoice, larger]) {
      await expect(pay(id)).rejects.toMatchObject({ code: 'outgoing-paused-by-operator' })
    }
    await world.tipping.administration.resume({ operator: 'olga' })
    world.provider.outgoing.next = 'processing'
    for (let i = 0; i < 3; i += 1) {
      const to = invoiceFor(world, 100)
      const asked = await world.tipping.withdrawals.ask({ member: 'alice', amount: '100', to, origin: world.origin() })
      await decide('confirm', asked.id)
    }
    await expect(pay(invoice)).rejects.toMatchObject({ code: 'too-many-withdrawals', facts: { most: 3 } })
  })
})
