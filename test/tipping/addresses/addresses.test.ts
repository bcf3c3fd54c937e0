import { describe, expect, it } from 'vitest'
import { makeOffer } from '../../support/bolt12-texts.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
}

function take(member = 'alice', name?: string, ideas: readonly string[] = [member]) {
  return world.run(world.tipping.addresses.take({ member, name, ideas, origin: world.origin() }))
}

/** Pays an address as somebody outside, and delivers the callback. */
async function pay(name: string, sats: number, comment?: string, payer?: object): Promise<void> {
  const { body } = world.provider.addresses.pay(name, sats, comment, payer)
  expect(await world.tipping.hint(world.token(body.callbackUrl ?? ''))).toBe('noted')
  await world.settle()
}

async function arrivals() {
  const cards = await world.tipping.cards.pending(100)
  const paid = cards.filter(({ kind }) => kind === 'address-paid')
  return await Promise.all(paid.map(({ record }) => world.tipping.addresses.arrival(record)))
}

describe('a member’s Lightning Address', () => {
  it('is created once and found again, and its payments are credited with their notes', async () => {
    await begin()
    const made = await take()
    expect(made.address).toMatch(/^alice@127\.0\.0\.1:\d+$/)
    expect(made).toMatchObject({ least: 1_000n, others: [] })
    expect(await take()).toEqual(made)
    expect(world.provider.count('createStaticCharge')).toBe(1)
    await pay('alice', 700, 'for the soup')
    await pay('alice', 21)
    expect(await world.available('alice')).toBe(721_000n)
    expect(await arrivals()).toEqual([
      { member: 'alice', address: made.address, amount: 700_000n, comment: 'for the soup', payer: {} },
      { member: 'alice', address: made.address, amount: 21_000n, comment: '', payer: {} },
    ])
  })

  it('stores a payer’s claimed identity (LUD-18) until the member’s data are deleted', async () => {
    await begin()
    await take()
    const payer = { name: 'n'.repeat(70), identifier: 'carol@example.com', pubkey: '' }
    world.provider.addresses.pay('alice', 700, '', payer)
    world.provider.addresses.pay('alice', 21, '', { name: '', identifier: null, pubkey: 7 })
    world.provider.addresses.pay('alice', 1, '', { nostr: 'ab'.repeat(32) })
    world.provider.addresses.pay('alice', 1, '', { nostr: '`@everyone`' })
    await pay('alice', 5, '', 'no object' as unknown as object)
    const kept = { name: 'n'.repeat(64), identifier: 'carol@example.com' }
    expect((await arrivals()).map((arrival) => arrival.payer)).toEqual([kept, {}, { nostr: 'ab'.repeat(32) }, {}, {}])
    await world.tipping.privacy.forget('alice')
    expect((await arrivals()).map((arrival) => arrival.payer)).toEqual([{}, {}, {}, {}, {}])
  })

  it('has each payment credited once, however many callbacks and polls there are', async () => {
    await begin()
    await take()
    const { body } = world.provider.addresses.pay('alice', 500)
    const token = world.token(body.callbackUrl ?? '')
    await Promise.all(Array.from({ length: 5 }, () => world.tipping.hint(token)))
    const audits = [world.tipping.audit(), world.tipping.audit(), world.tipping.audit()]
    await world.run(Promise.all(audits))
    await world.restart()
    await world.tipping.hint(token)
    await world.settle()
    expect(await world.available('alice')).toBe(500_000n)
    expect(await arrivals()).toHaveLength(1)
  })

  it('is not credited with a payment that only a callback claims', async () => {
    await begin()
    await take()
    const [charge] = world.provider.addresses.all
    const said = { slots: 1, payment: { id: 'x', amount: '900000', comment: '' } }
    await world.tipping.hint(world.token(charge?.body.callbackUrl ?? ''), said)
    await world.settle()
    expect(await world.available('alice')).toBe(0n)
  })

  it('is credited with a payment by a poll or an audit if no callback came', async () => {
    await begin()
    await take()
    world.provider.addresses.pay('alice', 300)
    await world.pass(15 * 60_000)
    expect(await world.available('alice')).toBe(300_000n)
    await world.pass(3 * 24 * 3_600_000)
    world.provider.addresses.pay('alice', 200)
    const audit = await world.run(world.tipping.audit())
    expect(audit).toMatchObject({ holds: true, mayHaveArrived: 200_000n })
    expect(await world.available('alice')).toBe(500_000n)
  })

  it('prevents an audit from accepting a surplus while the address cannot be read', async () => {
    await begin()
    await take()
    await world.pass(3 * 24 * 3_600_000)
    world.provider.addresses.pay('alice', 200)
    for (let i = 0; i < 3; i += 1) {
      world.provider.misbehave('listStaticChargePayments', 'error', 'error', 'error')
      const audit = await world.run(world.tipping.audit())
      expect(audit).toMatchObject({ holds: true, suspense: 0n })
      await world.clock.advance(6 * 60_000)
    }
    expect(await world.run(world.tipping.audit())).toMatchObject({ holds: true, suspense: 0n })
    expect(await world.available('alice')).toBe(200_000n)
  })

  it('is credited with all its payments if they fill several pages', async () => {
    await begin()
    await take()
    for (let i = 0; i < 230; i += 1) world.provider.addresses.pay('alice', 1)
    await pay('alice', 70)
    expect(await world.available('alice')).toBe(300_000n)
  })

  it('is not credited, and operators are alerted, if its payments are out of order', async () => {
    await begin()
    await take()
    const charge = world.provider.addresses.pay('alice', 50)
    world.provider.wallet -= 50_000n
    Object.assign(charge.payments[0] ?? {}, { slot: 7 })
    await world.tipping.hint(world.token(charge.body.callbackUrl ?? ''))
    await world.settle()
    expect(await world.available('alice')).toBe(0n)
    const alerts = await world.tipping.administration.untoldAlerts(10)
    expect(alerts.map(({ text }) => text).join()).toMatch(/does not list its payments one after the other/)
  })
})

describe('the name of an address', () => {
  it('is by default the first suggestion that is valid, free and not reserved', async () => {
    await begin()
    world.provider.addresses.taken.add('alice')
    const { address } = await take('alice', undefined, ['al', 'Admin', 'alice', 'ALICE.tips', 'alice.1'])
    expect(address).toMatch(/^alice\.tips@/)
    world.provider.addresses.taken.add('bob')
    await expect(take('bob')).rejects.toMatchObject({ code: 'address-taken', facts: { name: 'bob' } })
    await expect(take('bob', undefined, ['ä'])).rejects.toMatchObject({ code: 'address-taken', facts: { name: '' } })
  })

  it('can be chosen, even in the form of an address, and earlier names still work', async () => {
    await begin()
    await take()
    const second = await take('alice', ' Kitchen@home ')
    expect(second.address).toMatch(/^kitchen@/)
    expect(second.others).toEqual([expect.stringMatching(/^alice@/)])
    await pay('alice', 10)
    await pay('kitchen', 5)
    expect(await world.available('alice')).toBe(15_000n)
    await take('alice', 'third')
    await expect(take('alice', 'fourth')).rejects.toMatchObject({ code: 'too-many-addresses', facts: { most: 3 } })
    expect((await take('alice', 'alice')).address).toMatch(/^alice@/)
    expect(await world.tipping.addresses.mine('alice')).toHaveLength(3)
    await expect(take('bob', 'kitchen')).rejects.toMatchObject({ code: 'address-taken', facts: { name: 'kitchen' } })
    expect(await world.tipping.addresses.mine('bob')).toEqual([])
  })

  it('is not stored if somebody else took it while the database was unavailable', async () => {
    await begin()
    world.provider.addresses.taken.add('kitchen')
    const before = () => {
      world.failCommits = 3
    }
    world.provider.misbehave('createStaticCharge', { before })
    await expect(take('alice', 'kitchen')).rejects.toMatchObject({ code: 'address-taken' })
    expect(await world.database.read.address.count()).toBe(0)
  })

  it.each(['ab', '-a-', 'a b c', 'ümlaut', 'x'.repeat(65), '../admin'])('cannot be %j', async (name) => {
    await begin()
    await expect(take('alice', name)).rejects.toMatchObject({ code: 'address-malformed', facts: { name } })
    const taken = { code: 'address-taken', facts: { name: 'support' } }
    await expect(take('alice', ' Support@home')).rejects.toMatchObject(taken)
    expect(world.provider.count('createStaticCharge')).toBe(0)
  })

  it('stays with the Discord account when Lightning accounts are linked or unlinked', async () => {
    await begin()
    await world.linked('alice')
    await take()
    await world.tipping.links.unlink({ member: 'alice', origin: world.origin() })
    await world.tipping.links.link({ member: 'bob', gamertag: 'alice-tag', origin: world.origin() })
    await pay('alice', 40)
    expect(await world.available('alice')).toBe(40_000n)
    expect(await world.available('bob')).toBe(0n)
  })

  it('is requested again with the same key if the provider did not answer', async () => {
    await begin()
    world.provider.misbehave('createStaticCharge', 'act-then-error', 'error', 'error')
    await expect(take()).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(await world.tipping.addresses.mine('alice')).toEqual([])
    await world.restart()
    expect((await take()).address).toMatch(/^alice@/)
    const keys = world.provider.calls
      .filter(({ operation }) => operation === 'createStaticCharge')
      .map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
    expect(world.provider.addresses.all).toHaveLength(1)
  })
})

describe('an address whose payments the provider cannot prove', () => {
  it('is not offered if the provider has only the bare interface', async () => {
    await begin({ replays: false })
    expect(world.tipping.addresses.offered).toBe(false)
    await expect(take()).rejects.toMatchObject({ code: 'address-not-offered' })
    expect(world.provider.count('createStaticCharge')).toBe(0)
  })

  it('is not offered if the provider lists no payments or the address does not work', async () => {
    await begin()
    world.provider.addresses.listsPayments = false
    await expect(take()).rejects.toMatchObject({ code: 'address-not-offered' })
    world.provider.addresses.listsPayments = true
    world.provider.misbehave('validateLightningAddress', { answer: { valid: false, metadata: null } })
    await expect(take('bob')).rejects.toMatchObject({ code: 'address-not-offered' })
    expect(await world.tipping.addresses.mine('alice')).toEqual([])
    expect(await world.tipping.addresses.mine('bob')).toEqual([])
  })
})

describe('the BOLT12 offer of an address', () => {
  const offer = (member = 'alice') =>
    world.run(world.tipping.addresses.offer({ member, ideas: [member], origin: world.origin() }))

  it('is the provider’s offer for the charge of the address, and is made on request', async () => {
    await begin()
    world.provider.told.node = { state: 'ready', offers: { pays: true, names: false, receives: true } }
    world.provider.addresses.offer = makeOffer().toUpperCase()
    expect(await offer()).toBe(world.provider.addresses.offer.toLowerCase())
    expect(await offer()).toBeDefined()
    expect(world.provider.count('createStaticCharge')).toBe(1)
    expect(world.tipping.offers).toEqual({ pays: true, names: false, receives: true })
    await pay('alice', 700, 'by offer')
    expect(await world.available('alice')).toBe(700_000n)
  })

  it('allows payments of less than 1 sat, but their messages are not shown', async () => {
    await begin()
    await take()
    await pay('alice', 0.001, 'look at me')
    await pay('alice', 0.999, 'and me')
    await pay('alice', 1, 'thank you')
    expect(await world.available('alice')).toBe(2_000n)
    expect((await arrivals()).map(({ amount, comment }) => [amount, comment])).toEqual([[1_000n, 'thank you']])
    await world.run(world.tipping.audit())
    expect(await world.available('alice')).toBe(2_000n)
  })

  it.each([
    ['no offer', undefined],
    ['an offer that cannot be read', 'lno1qqb'],
    ['an invoice', 'lnbc1'],
    ['an offer on another network', makeOffer({ network: 'bitcoin' })],
  ])('is not shown if the provider returns %s', async (_, text) => {
    await begin()
    world.provider.told.node = { state: 'ready', offers: { pays: false, names: false, receives: true } }
    world.provider.told.network = 'regtest'
    world.provider.addresses.offer = text
    await world.run(world.tipping.audit())
    expect(await offer()).toBeUndefined()
  })

  it.each([
    undefined,
    { state: 'ready' },
    { state: 'ready', offers: { receives: 'yes' } },
    { state: 'ready', offers: 7 },
  ])('is not requested if the provider reports %j for its node', async (node) => {
    await begin()
    world.provider.told.node = node
    expect(await offer()).toBeUndefined()
    expect(world.provider.count('createStaticCharge')).toBe(0)
    expect(world.tipping.offers).toEqual({ pays: false, names: false, receives: false })
  })
})
