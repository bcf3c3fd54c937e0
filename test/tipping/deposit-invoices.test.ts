import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { encodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './withdrawals/outside.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld
let host: AddressHost

/** The logged errors. A fault of a provider's code or host is not a fault of ours. */
let errors: string[]

beforeEach(async () => {
  errors = []
  const destination = { write: (line: string) => void errors.push(line) }
  world = await TippingWorld.open({ logger: createLogger({ level: 'error', name: 'bot', destination }) })
  host = await hostAddress(world)
  // The provider's code leads to a server that gives invoices, as a provider's does.
  world.provider.codeOf = () => encodeLnurl(host.url)
})

afterEach(async () => {
  await world.close()
  await host.close()
  expect(errors).toEqual([])
})

const open = (amount = '500') => world.tipping.deposits.open({ member: 'alice', amount, origin: world.origin() })

describe('the invoice of a deposit', () => {
  it('has the amount of the deposit', async () => {
    const { invoice = '', request } = await open()
    expect(decodeInvoice(invoice).amount).toBe(500_000n)
    expect(request).toMatch(/^lnurl1/)
  })

  it('stays the same until it expires, and a new one is made at the next page visit', async () => {
    const first = await open()
    expect((await world.tipping.deposits.toPay(first.id)).invoice).toBe(first.invoice)
    await world.clock.advance(3_600_000)
    expect((await world.tipping.deposits.view(first.id)).invoice).toBeUndefined()
    const { invoice } = await world.tipping.deposits.toPay(first.id)
    expect(invoice).toBeDefined()
    expect(invoice).not.toBe(first.invoice)
  })

  it('is shown until a minute before it expires', async () => {
    const { id, invoice = '' } = await open()
    const expiresAt = decodeInvoice(invoice).expiresAt.getTime()
    await world.clock.advance(expiresAt - 60_000 - world.clock.now())
    expect((await world.tipping.deposits.view(id)).invoice).toBe(invoice)
    await world.clock.advance(1)
    expect((await world.tipping.deposits.view(id)).invoice).toBeUndefined()
  })

  it.each<[string, (sats: number) => unknown]>([
    ['for a different amount', () => ({ pr: invoiceFor(world, 900, RIGHT), routes: [] })],
    ['about to expire', () => ({ pr: invoiceFor(world, 500, { ...RIGHT, expiresInSeconds: 30 }), routes: [] })],
    ['invalid', () => ({ pr: 'lnbc1nothing', routes: [] })],
    ['refused', () => ({ status: 'ERROR', reason: 'not now' })],
  ])('is not shown if it is %s, since the code suffices', async (_, invoice) => {
    host.invoice = invoice
    const deposit = await open()
    expect(deposit.invoice).toBeUndefined()
    expect(deposit.state).toBe('open')
  })

  it('is missing if the provider’s codes lead nowhere, while the deposit still works', async () => {
    world.provider.codeOf = (id) => `lnurl1${id}`
    expect((await open()).invoice).toBeUndefined()
    await world.fund('bob', 1_000)
    expect(await world.tipping.balances.available('bob')).toBe(1_000_000n)
  })

  it('belongs to only one deposit', async () => {
    const [one, other] = [await open(), await open('600')]
    expect((await world.tipping.deposits.view(one.id)).invoice).toBe(one.invoice)
    expect(decodeInvoice(other.invoice ?? '').amount).toBe(600_000n)
  })

  it('delays an answer by at most 2 seconds, and is ready at the next visit', async () => {
    const answer = Promise.withResolvers<unknown>()
    host.invoice = () => answer.promise
    const before = world.clock.monotonic()
    const { id, invoice } = await world.clock.advanceUntil(open(), 10_000)
    expect(invoice).toBeUndefined()
    expect(world.clock.monotonic() - before).toBeLessThan(3_000)
    const pr = invoiceFor(world, 500, RIGHT)
    answer.resolve({ pr, routes: [] })
    await world.settle()
    expect((await world.tipping.deposits.view(id)).invoice).toBe(pr)
  })

  it('is missing if the provider’s host is unreachable, while the deposit still works', async () => {
    await host.close()
    expect(await open()).toMatchObject({ state: 'open', invoice: undefined })
  })

  it('is not requested after the deposit has been paid', async () => {
    const { id } = await open()
    const [charge] = world.provider.charges.values()
    if (charge === undefined) throw new Error('there is no charge')
    world.provider.payCharge(charge.id)
    await world.tipping.hint(world.token(charge.callbackUrl))
    await world.settle()
    const asked = host.asked.length
    expect(await world.tipping.deposits.toPay(id)).toMatchObject({ state: 'paid', invoice: undefined })
    expect(host.asked.length).toBe(asked)
  })
})
