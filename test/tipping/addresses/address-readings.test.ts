import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

const DAY_MS = 24 * 3_600_000

let world: TippingWorld
/** The warnings and errors that the bot has logged. */
let log: { level: string; msg: string; address?: string }[]

/** Starts a bot that only its own polls wake. */
async function begin(options: WorldOptions = {}): Promise<void> {
  log = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'warn', name: 'bot', destination })
  world = await TippingWorld.open({ logger, ...options, settings: { sweepEveryMs: 10 * DAY_MS, ...options.settings } })
}

function take(member = 'alice', name?: string) {
  return world.run(world.tipping.addresses.take({ member, name, ideas: [member], origin: world.origin() }))
}

const charge = (name: string) => {
  const found = world.provider.addresses.all.find((each) => each.name === name)
  if (!found) throw new Error(`nobody has the name ${name}`)
  return found
}

async function hint(name: string): Promise<void> {
  await world.tipping.hint(world.token(charge(name).body.callbackUrl ?? ''))
  await world.settle()
}

async function pay(name: string, ...sats: number[]): Promise<void> {
  for (const each of sats) world.provider.addresses.pay(name, each)
  await hint(name)
}

const payments = () => world.database.read.addressPayment.findMany({ orderBy: [{ addressId: 'asc' }, { slot: 'asc' }] })
const readings = () => world.provider.count('listStaticChargePayments')
const alerts = async () => await world.tipping.administration.untoldAlerts(10)

describe('the polling of an address for payments', () => {
  it('begins a minute after the address is created, and slows down if nothing arrives', async () => {
    await begin()
    await take()
    const first = readings()
    await world.pass(59_000)
    expect(readings()).toBe(first)
    await world.pass(2_000)
    expect(readings()).toBe(first + 1)
    await world.clock.advance(4 * DAY_MS)
    await world.settle()
    const later = readings()
    await world.pass(60_000)
    expect(readings() - later).toBeLessThanOrEqual(1)
  })

  it('speeds up after a payment to that address, whatever other addresses received', async () => {
    await begin()
    for (const member of ['alice', 'bob']) await take(member)
    await pay('bob', 1, 1, 1)
    await pay('alice', 10)
    await world.clock.advance(3 * DAY_MS)
    await world.settle()
    await pay('alice', 20)
    world.provider.addresses.pay('alice', 40)
    await world.pass(10_000)
    expect(await world.available('alice')).toBe(70_000n)
  })

  it('happens even without a callback if the member asks to see the address', async () => {
    await begin()
    await take()
    await take('alice', 'kitchen')
    await world.clock.advance(3 * DAY_MS)
    await world.settle()
    for (const name of ['alice', 'kitchen']) world.provider.addresses.pay(name, 300)
    await take('alice', 'alice')
    await world.settle()
    expect(await world.available('alice')).toBe(300_000n)
    await take('alice', 'kitchen')
    await world.settle()
    expect(await world.available('alice')).toBe(600_000n)
  })

  it('is repeated if it fails, and the failure is logged with the address', async () => {
    await begin()
    const { id } = await take()
    world.provider.misbehave('listStaticChargePayments', { refuse: 403, message: 'No.', code: 'missing_scope' })
    await pay('alice', 10)
    expect(await world.available('alice')).toBe(0n)
    const named = log.filter(({ msg }) => msg === 'a static charge could not be read')
    expect(named).toMatchObject([{ level: 'warn', address: id }])
    await world.pass(10_000)
    expect(await world.available('alice')).toBe(10_000n)
  })

  it('continues with the next page whenever a page is full', async () => {
    await begin()
    await take()
    await pay('alice', ...Array<number>(100).fill(1))
    expect(await world.available('alice')).toBe(100_000n)
    await pay('alice', 1)
    expect(await world.available('alice')).toBe(101_000n)
    expect(await alerts()).toEqual([])
  })
})

describe('a payment to an address', () => {
  it('has the settlement time that the provider reports, or else the time of the poll', async () => {
    await begin()
    await take()
    const first = new Date(world.clock.now())
    world.provider.addresses.pay('alice', 10)
    world.provider.addresses.pay('alice', 20)
    Object.assign(charge('alice').payments[1] ?? {}, { settledAt: null })
    await world.clock.advance(30_000)
    await hint('alice')
    const read = new Date(world.clock.now())
    expect((await payments()).map(({ settledAt }) => settledAt)).toEqual([first, read])
  })

  it('is stored with its payer’s identifier, shortened to 320 characters', async () => {
    await begin()
    await take()
    world.provider.addresses.pay('alice', 10, '', { identifier: `${'é'.repeat(330)}@example.com` })
    await hint('alice')
    const [payment] = await payments()
    const { payer } = await world.tipping.addresses.arrival(payment?.id ?? '')
    expect(payer).toEqual({ identifier: 'é'.repeat(320) })
  })

  it.each([
    ['one digit too many', `${'ab'.repeat(32)}a`],
    ['a letter in front of it', `x${'ab'.repeat(32)}`],
    ['a letter behind it', `${'ab'.repeat(32)}x`],
  ])('is stored without its payer’s Nostr key if that key has %s', async (_, nostr) => {
    await begin()
    await take()
    world.provider.addresses.pay('alice', 10, '', { nostr })
    await hint('alice')
    const [payment] = await payments()
    expect((await world.tipping.addresses.arrival(payment?.id ?? '')).payer).toEqual({})
  })

  it.each<[string, object, object]>([
    ['omits a slot in the middle', {}, { slot: 4 }],
    ['omits the next slot', { slot: 3 }, { slot: 4 }],
    ['contains a payment of 0 sats', {}, { amount: '0' }],
  ])('is not credited, and operators are alerted, if the provider’s list %s', async (_, ...changes) => {
    await begin()
    const { id, address } = await take()
    await pay('alice', 5)
    for (const sats of [10, 20]) world.provider.addresses.pay('alice', sats)
    const [, ...added] = charge('alice').payments
    const right = structuredClone(added)
    for (const [i, payment] of added.entries()) Object.assign(payment, changes[i])
    await hint('alice')
    expect(await world.available('alice')).toBe(5_000n)
    const about = `the charge ${charge('alice').id} of the address ${address} does not list its payments one after the other`
    expect(await alerts()).toMatchObject([
      { kind: 'deposit-changed', text: `${about} after slot 1; nothing is credited by itself` },
    ])
    expect(await world.database.read.alert.findMany()).toMatchObject([{ about: id }])
    for (const [i, payment] of added.entries()) Object.assign(payment, right[i])
    await hint('alice')
    expect(await world.available('alice')).toBe(35_000n)
  })
})

describe('a wallet surplus that payments to addresses may explain', () => {
  /** Makes the wallet hold more than the books say, for longer than the audit waits before it acts. */
  async function surplusOf(sats: bigint): Promise<bigint> {
    world.provider.wallet += sats * 1_000n
    let suspense = 0n
    for (let i = 0; i < 3; i += 1) {
      suspense = (await world.run(world.tipping.audit())).suspense
      await world.clock.advance(6 * 60_000)
    }
    return suspense
  }

  it('is accepted even while it is unknown whether another address was created', async () => {
    await begin()
    await take()
    world.provider.misbehave('createStaticCharge', 'error', 'error', 'error')
    await expect(take('bob')).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(await surplusOf(7n)).toBe(7_000n)
  })

  it('is not accepted while one of several addresses cannot be read', async () => {
    await begin()
    await take()
    await take('bob')
    world.provider.addresses.pay('bob', 10)
    Object.assign(charge('bob').payments[0] ?? {}, { slot: 7 })
    expect(await surplusOf(7n)).toBe(0n)
    Object.assign(charge('bob').payments[0] ?? {}, { slot: 1 })
    expect(await surplusOf(0n)).toBe(7_000n)
    expect(await world.available('bob')).toBe(10_000n)
  })

  it('is the only reason why an audit polls addresses', async () => {
    await begin({ wallet: 1_000n })
    await take()
    const before = readings()
    world.provider.wallet -= 1n
    expect((await world.run(world.tipping.audit())).holds).toBe(false)
    world.provider.wallet += 1n
    world.provider.misbehave('getWallet', 'error', 'error', 'error')
    expect((await world.run(world.tipping.audit())).wallet).toBeUndefined()
    world.provider.misbehave('listStaticChargePayments', 'error', 'error', 'error')
    expect((await world.run(world.tipping.audit())).holds).toBe(true)
    expect(readings()).toBe(before)
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
    world.provider.stopMisbehaving('listStaticChargePayments')
  })
})
