import { describe, expect, it } from 'vitest'
import { TippingWorld, type WorldOptions } from '../world.ts'
import { invoiceFor } from './outside.ts'

let world: TippingWorld

/**
 * Opens a world in which alice has 10,000 sats, and the provider has a wallet called bob, which it pays without a fee.
 */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n, ...options })
  await world.fund('alice', 10_000)
  world.provider.user('bob')
  world.provider.outgoing.fee = 0n
}

function ask(amount: string, to: string) {
  return world.run(world.tipping.withdrawals.ask({ member: 'alice', amount, to, origin: world.origin() }))
}

function confirm(withdrawal: string) {
  return world.run(world.tipping.withdrawals.confirm({ withdrawal, member: 'alice', origin: world.origin() }))
}

function charges() {
  return world.provider.calls.filter(({ operation }) => operation === 'createGamertagCharge')
}

async function alice() {
  const { available, inFlight } = await world.tipping.balances.view('alice')
  return { available, inFlight }
}

describe('a withdrawal to the name of a wallet', () => {
  it.each(['bob', '@bob', ' @BOB '])(
    'looks up the wallet first, and pays the wallet’s invoice once: %j',
    async (to) => {
      await begin()
      if (to.includes('BOB')) world.provider.user('BOB')
      const { id, ...asked } = await ask('500', to)
      const name = to.trim().replace('@', '')
      expect(asked).toMatchObject({ kind: 'address', destination: `@${name}`, amount: 500_000n, feeLimit: 0n })
      expect(charges()).toMatchObject([{ body: { gamertag: name, amount: '500000', description: 'Discord' } }])
      expect(await alice()).toEqual({ available: 10_000_000n, inFlight: 0n })
      await Promise.all([confirm(id), confirm(id)])
      expect(await confirm(id)).toMatchObject({ state: 'paid', fee: 0n, destination: `@${name}` })
      const [charge] = [...world.provider.invoices.values()]
      expect(world.provider.outgoing.only('payments').body.invoice).toBe(charge?.body.invoiceRequest)
      expect(charges()).toHaveLength(1)
      expect(await alice()).toEqual({ available: 9_500_000n, inFlight: 0n })
    },
  )

  it('pays the wallet that had the name at the request, not a later owner of the name', async () => {
    await begin()
    const bob = world.provider.idOf('bob') ?? ''
    const { id } = await ask('500', 'bob')
    world.provider.rename(bob, 'robert')
    world.provider.user('bob')
    expect(await confirm(id)).toMatchObject({ state: 'paid' })
    expect([...world.provider.invoices.values()].map(({ owner }) => owner)).toEqual([bob])
  })

  it('returns sats if the provider proves that it did not send them', async () => {
    await begin()
    world.provider.outgoing.next = 'failed'
    const { id } = await ask('500', 'bob')
    expect(await confirm(id)).toMatchObject({ state: 'returned', because: 'failed' })
    expect(await alice()).toEqual({ available: 10_000_000n, inFlight: 0n })
  })

  it('stays reserved while its outcome is unknown, and ends once payment is proven', async () => {
    await begin()
    const { id } = await ask('500', 'bob')
    world.provider.misbehave('sendPayment', 'act-then-reset', 'act-then-reset', 'act-then-reset')
    expect(await confirm(id)).toMatchObject({ state: 'unknown' })
    expect(await alice()).toEqual({ available: 9_500_000n, inFlight: 500_000n })
    await world.pass(60_000)
    expect(await world.tipping.withdrawals.view(id)).toMatchObject({ state: 'paid' })
    expect(world.provider.outgoing.payments.size).toBe(1)
  })

  it('can send the whole balance, since no fee is reserved', async () => {
    await begin()
    const { id } = await ask('all', 'bob')
    expect(await confirm(id)).toMatchObject({ state: 'paid', amount: 10_000_000n })
    expect(await alice()).toEqual({ available: 0n, inFlight: 0n })
  })

  it('reserves a fee limit if the wallet might be at another provider', async () => {
    await begin({ replays: false })
    expect(await ask('500', 'bob')).toMatchObject({ feeLimit: 10_000n })
  })

  it('needs an amount', async () => {
    await begin()
    const command = { member: 'alice', to: 'bob', origin: world.origin() }
    await expect(world.run(world.tipping.withdrawals.ask(command))).rejects.toMatchObject({ code: 'amount-missing' })
    expect(charges()).toEqual([])
  })

  it('is refused if no wallet has the name, or the provider makes no invoice', async () => {
    await begin()
    const unknown = { code: 'wallet-name-unknown', facts: { name: 'nobody' } }
    await expect(ask('500', '@nobody')).rejects.toMatchObject(unknown)
    world.provider.misbehave('createGamertagCharge', { refuse: 501, message: 'Not here.' })
    await expect(ask('500', 'bob')).rejects.toMatchObject({ code: 'wallet-name-unknown', facts: { name: 'bob' } })
    expect(await alice()).toEqual({ available: 10_000_000n, inFlight: 0n })
  })

  it.each([
    ['for another amount', (amount: number) => ({ answer: { invoiceRequest: invoiceFor(world, amount) } }), 501],
    ['for another amount according to the provider’s answer', () => ({ answer: { amount: '501000' } }), 501],
    ['that cannot be read', () => ({ answer: { invoiceRequest: 'lnbc1damaged' } }), 0],
  ])('accepts no invoice %s', async (_, answer, amount) => {
    await begin()
    world.provider.misbehave('createGamertagCharge', answer(amount))
    await expect(ask('500', 'bob')).rejects.toMatchObject({ code: 'provider-refused' })
    expect(await alice()).toEqual({ available: 10_000_000n, inFlight: 0n })
  })
})
