import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { openSilentHost } from '../../support/silent-host.ts'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './outside.ts'

let world: TippingWorld
let bob: AddressHost

/** Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. */
beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
  bob = await hostAddress(world)
})

afterEach(() => bob.close())

const ask = (amount: string, to = bob.address) =>
  world.tipping.withdrawals.ask({ member: 'alice', amount, to, origin: world.origin() })
const confirm = (withdrawal: string) =>
  world.tipping.withdrawals.confirm({ withdrawal, member: 'alice', origin: world.origin() })

/** Waits until the bot has learned the provider's network. */
async function seeNetwork(): Promise<void> {
  await world.linked('carol')
  const ours = () => world.tipping.invoices.create({ member: 'carol', amount: '1', origin: world.origin() })
  // One that never came about tells nothing.
  world.provider.misbehave('createGamertagCharge', { refuse: 400, message: 'Not now.' })
  await expect(ours()).rejects.toMatchObject({ name: 'TippingRefusal' })
  await ours()
}

describe('a withdrawal to a Lightning Address', () => {
  it('checks the address’s bounds, and requests an invoice once it is confirmed', async () => {
    const asked = await ask('500', ` ${bob.address.toUpperCase()} `)
    expect(asked).toMatchObject({ state: 'asked', kind: 'address', destination: bob.address, amount: 500_000n })
    expect(bob.asked).toEqual(['/.well-known/lnurlp/bob'])
    expect(await confirm(asked.id)).toMatchObject({ state: 'paid', destination: bob.address, payee: undefined })
    expect(bob.asked).toEqual(['/.well-known/lnurlp/bob', '/.well-known/lnurlp/bob', '/invoice'])
    expect(world.provider.outgoing.only('payments')).toMatchObject({ amount: 500_000n, status: 'completed' })
    expect(await world.available('alice')).toBe(9_499_000n)
  })

  it('can use the address’s pay code, and is then shown with that code', async () => {
    const code = encodeLnurl(bob.url)
    const asked = await ask('500', code)
    expect(asked).toMatchObject({ kind: 'address', destination: code })
    expect(await confirm(asked.id)).toMatchObject({ state: 'paid' })
  })

  it.each([
    ['99', false],
    ['100', true],
    ['1000', true],
    ['1001', false],
  ])('is accepted only within the address’s bounds (%s sats: %s)', async (amount, within) => {
    const facts = { address: bob.address, smallest: 100_000n, largest: 1_000_000n }
    if (within) expect(await ask(amount)).toMatchObject({ state: 'asked' })
    else await expect(ask(amount)).rejects.toMatchObject({ code: 'address-range', facts })
  })

  it.each<[string, () => unknown, string]>([
    ['for another amount', () => ({ pr: invoiceFor(world, 501, RIGHT) }), 'address-failed'],
    ['for any amount', () => ({ pr: invoiceFor(world, undefined, RIGHT) }), 'address-failed'],
    ['on another network', () => ({ pr: invoiceFor(world, 500, { ...RIGHT, network: 'bitcoin' }) }), 'address-failed'],
    [
      'that expires in a minute',
      () => ({ pr: invoiceFor(world, 500, { ...RIGHT, expiresInSeconds: 60 }) }),
      'address-failed',
    ],
    ['that cannot be read', () => ({ pr: 'lnbcrt1' }), 'address-failed'],
    ['that is an error message', () => ({ status: 'ERROR', reason: 'Bob is asleep.' }), 'address-refused'],
  ])('does not pay an invoice %s, returns its reserve, and can be confirmed again', async (_, invoice, code) => {
    await seeNetwork()
    const { id } = await ask('500')
    const usual = bob.invoice
    bob.invoice = invoice
    const message = code === 'address-refused' ? { message: 'Bob is asleep.' } : {}
    await expect(confirm(id)).rejects.toMatchObject({ code, facts: { address: bob.address, ...message } })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 10_000_000n, inFlight: 0n })
    expect(world.provider.count('sendPayment')).toBe(0)
    bob.invoice = usual
    expect(await confirm(id)).toMatchObject({ state: 'paid' })
  })

  it('accepts an invoice that expires in 61 seconds', async () => {
    const { id } = await ask('500')
    bob.invoice = (amount) => ({ pr: invoiceFor(world, amount, { ...RIGHT, expiresInSeconds: 61 }) })
    expect(await confirm(id)).toMatchObject({ state: 'paid' })
  })

  it('is refused, naming the address, if the address’s host does not answer', async () => {
    const { id } = await ask('500')
    await bob.close()
    const refusal = { code: 'address-unreachable', facts: { address: bob.address } }
    await expect(world.run(confirm(id))).rejects.toMatchObject(refusal)
    bob = await hostAddress(world)
  })
})

describe('an address of this bot itself', () => {
  it('cannot receive a withdrawal, whether its name or its code is entered', async () => {
    const own = await world.tipping.addresses.take({ member: 'carol', ideas: ['carol'], origin: world.origin() })
    const code = own.request
    for (const to of [own.address, own.address.toUpperCase(), code, code.toUpperCase(), `lightning:${code}`]) {
      const facts = { address: own.address }
      await expect(ask('500', to)).rejects.toMatchObject({ code: 'address-here', facts })
    }
    // A provider may write its codes in capitals.
    const request = code.toUpperCase()
    await world.database.write.address.update({ where: { id: own.id }, data: { request } })
    await expect(ask('500', code)).rejects.toMatchObject({ code: 'address-here' })
    expect(await ask('500')).toMatchObject({ state: 'asked', destination: bob.address })
    expect(await ask('500', encodeLnurl(bob.url))).toMatchObject({ state: 'asked' })
  })
})

it('each member can have at most eight open requests to addresses', async () => {
  const silent = await openSilentHost(8)
  const asked = Array.from({ length: 9 }, () => ask('500', `bob@${silent.host}`))
  const refusal = { code: 'address-unreachable', facts: { address: `bob@${silent.host}` } }
  await expect(Promise.race(asked)).rejects.toMatchObject(refusal)
  await world.fund('carol', 1_000)
  const theirs = { member: 'carol', amount: '500', to: bob.address, origin: world.origin() }
  expect(await world.tipping.withdrawals.ask(theirs)).toMatchObject({ state: 'asked' })
  const ended = Promise.allSettled(asked)
  await silent.close()
  await ended
  expect(silent.count).toBeLessThan(9)
})

describe('an invoice of another network', () => {
  const foreign = () => ask('500', invoiceFor(world, 500, { network: 'bitcoin' }))
  const refusal = { code: 'invoice-foreign', facts: { network: 'bitcoin', own: 'regtest' } }

  it('is refused once an invoice from the provider shows the provider’s network', async () => {
    await seeNetwork()
    await expect(foreign()).rejects.toMatchObject(refusal)
    expect(await ask('500', invoiceFor(world, 500))).toMatchObject({ kind: 'invoice', destination: undefined })
  })

  it('is refused once a paid invoice shows the provider’s network', async () => {
    await foreign()
    // Neither what was only asked for nor a code tells the network.
    const code = await world.tipping.withdrawals.ask({ member: 'alice', amount: '500', origin: world.origin() })
    await confirm(code.id)
    world.provider.outgoing.end(world.provider.outgoing.only('requests'), 'completed')
    await world.pass(10_000)
    expect(await foreign()).toMatchObject({ state: 'asked' })
    await confirm((await ask('500', invoiceFor(world, 500))).id)
    await expect(foreign()).rejects.toMatchObject(refusal)
  })
})
