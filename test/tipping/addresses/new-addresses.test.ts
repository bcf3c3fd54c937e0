import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { makeOffer } from '../../support/bolt12-texts.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld
/** The log's lines. */
let log: { msg: string; reason?: string }[]

async function begin(options: WorldOptions = {}): Promise<void> {
  log = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  world = await TippingWorld.open({ ...options, logger: createLogger({ level: 'info', name: 'bot', destination }) })
}

function take(member = 'alice', name?: string, interaction?: string) {
  return world.run(world.tipping.addresses.take({ member, name, ideas: [member], origin: world.origin(interaction) }))
}

const asked = () => world.provider.calls.filter(({ operation }) => operation === 'createStaticCharge')
const records = () => world.database.read.address.findMany()
/** The fields of an address other than the requested one. */
const OF_ANOTHER = {
  ...{ minSendable: 1_000, maxSendable: 7_000, commentAllowed: 0 },
  ...{ tag: 'payRequest', metadata: '[]', callback: '' },
}
const CANNOT = 'this provider offers no addresses whose payments can be read'

describe('a new address', () => {
  it('is requested with its bounds and its name, and shown as the provider created it', async () => {
    await begin({ settings: { minAmount: sats(5), maxAmount: sats(2_000) } })
    const made = await take('alice', 'kitchen')
    expect(made).toMatchObject({ member: 'alice', least: sats(5), most: sats(2_000), others: [] })
    const [charge] = world.provider.addresses.all
    expect(made.request).toMatch(/^lnurl1/i)
    expect(asked()).toMatchObject([
      {
        key: `address-${made.id}`,
        body: {
          ...{ minAmount: '5000', maxAmount: '2000000', description: 'Payment to kitchen', identifier: 'kitchen' },
          successMessage: 'Thank you. It is on its way into the balance.',
          internalId: made.id,
          callbackUrl: charge?.body.callbackUrl,
        },
      },
    ])
    expect(await records()).toMatchObject([{ provider: expect.stringContaining('#'), chargeId: charge?.id }])
  })

  it('has a minimum of at least 1 sat even if the settings permit less', async () => {
    await begin({ settings: { minAmount: 1n as never } })
    expect(await take()).toMatchObject({ least: 1_000n })
  })

  it('is created only once if it is requested twice at the same time', async () => {
    await begin()
    const [one, two] = await Promise.all([take(), take()])
    expect(two).toEqual(one)
    expect(await records()).toHaveLength(1)
  })

  it('is named in the history even if its interaction already created another address', async () => {
    await begin()
    await world.fund('bob', 100)
    for (const name of ['kitchen', 'garden']) {
      await take('alice', name, 'the-same')
      const { body } = world.provider.addresses.pay(name, 100)
      await world.tipping.hint(world.token(body.callbackUrl ?? ''))
      await world.settle()
    }
    const { lines } = await world.tipping.history.page('alice', 0)
    expect(lines.map(({ what, amount }) => [what, amount])).toEqual([
      ['address', sats(100)],
      ['address', sats(100)],
    ])
    const operations = await world.database.read.operation.findMany({ where: { verb: 'address' } })
    expect(new Set(operations.map(({ interaction }) => interaction))).toEqual(new Set(['the-same', null]))
  })

  it('makes its owner a user of the bot, so later tips are credited immediately', async () => {
    await begin()
    await world.fund('bob', 100)
    await take()
    await world.run(world.tip('bob', 'alice', '40'))
    expect(await world.tipping.claims.hasUnclaimed('alice')).toBe(false)
  })

  it('counts only towards its owner’s limit of 3 addresses', async () => {
    await begin()
    for (const name of ['one1', 'two2', 'three3']) await take('bob', name)
    for (const name of ['four4', 'five5', 'six6']) await take('alice', name)
    expect(await world.tipping.addresses.mine('alice')).toHaveLength(3)
  })

  it('is listed before older addresses, and each can be found by its name', async () => {
    await begin()
    for (const name of ['one1', 'two2', 'three3']) {
      await take('alice', name)
      await world.clock.advance(1_000)
    }
    const names = async () => (await world.tipping.addresses.mine('alice')).map((address) => address.split('@')[0])
    expect(await names()).toEqual(['three3', 'two2', 'one1'])
    expect((await take()).address).toMatch(/^three3@/)
    const found = await take('alice', 'two2')
    expect(found.address).toMatch(/^two2@/)
    expect(found.others.map((address) => address.split('@')[0])).toEqual(['three3', 'one1'])
  })

  it('is not requested until the bot has read the wallet once', async () => {
    await begin({ walletUnread: true })
    await expect(take()).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(asked()).toEqual([])
    world.provider.stopMisbehaving('getWallet')
    await take()
  })
})

describe('a requested address', () => {
  it.each([
    ['has a different minimum', { minAmount: '2000' }],
    ['has a different maximum', { maxAmount: '9000' }],
    ['is disabled', { status: 'disabled' }],
  ])('is neither shown nor stored if its charge %s', async (_, answer) => {
    await begin()
    world.provider.misbehave('createStaticCharge', { answer })
    await expect(take()).rejects.toMatchObject({
      code: 'provider-refused',
      facts: { message: 'The new charge is not the one that was asked for.' },
    })
    expect(await records()).toEqual([])
  })

  it.each<[string, string, Fault]>([
    ['has no readable code', 'createStaticCharge', { answer: { invoice: { request: 'nonsense', uri: '' } } }],
    ['has an unreadable list of payments', 'listStaticChargePayments', { answer: { payments: 'none' } }],
    ['has no list of payments', 'listStaticChargePayments', { refuse: 404, message: 'There is no such path.' }],
  ])('is not offered if its charge %s, and the reason is logged', async (_, operation, fault) => {
    await begin()
    world.provider.misbehave(operation, fault)
    await expect(take()).rejects.toMatchObject({ code: 'address-not-offered' })
    expect(await records()).toEqual([])
    expect(log.filter(({ msg }) => msg === CANNOT)).toMatchObject([{ reason: expect.stringMatching(/./) }])
  })

  it.each([
    ['was paid already', 'listStaticChargePayments', { payments: [{ id: 'a', slot: 1, amount: '1', comment: '' }] }],
    ['leads to another charge', 'validateLightningAddress', { metadata: OF_ANOTHER }],
    ['leads to incomplete data', 'validateLightningAddress', { metadata: { maxSendable: 7 } }],
    ['leads to no data about its bounds', 'validateLightningAddress', { metadata: null }],
    ['does not work', 'validateLightningAddress', { valid: false }],
  ])('is not offered if it %s', async (_, operation, answer) => {
    await begin()
    world.provider.misbehave(operation, { answer })
    await expect(take()).rejects.toMatchObject({ code: 'address-not-offered' })
    expect(await records()).toEqual([])
    expect(log.filter(({ msg }) => msg === CANNOT)).toEqual([])
  })

  it.each<[string, Fault]>([
    ['busy', { refuse: 429, message: 'Slow down.', code: 'rate_limited' }],
    ['unavailable', { refuse: 503, message: 'Back soon.', code: 'unavailable' }],
    ['unable to store it', { refuse: 503, message: 'Nothing was changed.', code: 'nothing_sent' }],
    ['out of order', 'error'],
  ])('stays recorded while the provider is %s, and is created by a later request', async (_, fault) => {
    await begin()
    world.provider.misbehave('listStaticChargePayments', fault, fault, fault, fault)
    await expect(take()).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(await records()).toMatchObject([{ state: 'creating' }])
    expect(log.filter(({ msg }) => msg === CANNOT)).toEqual([])
    world.provider.stopMisbehaving('listStaticChargePayments')
    expect((await take()).address).toMatch(/^alice@/)
    expect(new Set(asked().map(({ key }) => key)).size).toBe(1)
  })

  it('is refused with the provider’s message, and does not count towards the limit', async () => {
    await begin()
    const facts = { message: 'No such names here.' }
    for (const name of ['one1', 'two2', 'three3']) {
      world.provider.misbehave('createStaticCharge', { refuse: 400, ...facts })
      await expect(take('alice', name)).rejects.toMatchObject({ code: 'provider-refused', facts })
      expect(await records()).toEqual([])
    }
    expect((await take('alice', 'four4')).address).toMatch(/^four4@/)
  })

  it('is kept if a refusal follows a lost answer, unless the refusal is a replay', async () => {
    await begin()
    world.provider.misbehave('createStaticCharge', 'act-then-error', 'error', 'error')
    await expect(take()).rejects.toMatchObject({ code: 'provider-unreachable' })
    world.provider.misbehave('createStaticCharge', { refuse: 403, message: 'Not now.' })
    await expect(take()).rejects.toMatchObject({ code: 'provider-refused' })
    const [kept] = await records()
    expect((await take()).id).toBe(kept?.id)

    world.provider.misbehave('createStaticCharge', 'error', 'error', 'error')
    await expect(take('bob')).rejects.toMatchObject({ code: 'provider-unreachable' })
    world.provider.misbehave('createStaticCharge', { refuse: 403, message: 'It was not.', replayed: true })
    await expect(take('bob')).rejects.toMatchObject({ code: 'provider-refused' })
    expect(await records()).toMatchObject([{ member: 'alice' }])
  })
})

it('a payment to an address is reported as not found if its id is unknown', async () => {
  await begin()
  await expect(world.tipping.addresses.arrival('none')).rejects.toMatchObject({ code: 'not-there' })
})

it('an address’s offer is missing while its charge cannot be read, and shown later', async () => {
  await begin()
  world.provider.told.node = { state: 'ready', offers: { pays: true, names: false, receives: true } }
  const text = makeOffer()
  world.provider.addresses.offer = text
  const offer = () =>
    world.run(world.tipping.addresses.offer({ member: 'alice', ideas: ['alice'], origin: world.origin() }))
  world.provider.misbehave('getStaticCharge', { refuse: 404, message: 'There is no such charge.' })
  expect(await offer()).toBeUndefined()
  expect(await offer()).toBe(text)
})
