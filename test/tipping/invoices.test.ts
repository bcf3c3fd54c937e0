import { describe, expect, it } from 'vitest'
import type { InvoiceView } from '../../src/tipping/tipping.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

let world: TippingWorld
let bob: string

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
  bob = await world.linked('bob')
}

function invoice(amount = '1000', member = 'bob'): Promise<InvoiceView> {
  return world.tipping.invoices.create({ member, amount, description: 'pizza', origin: world.origin() })
}

const charge = (view: InvoiceView) => world.provider.invoiceOf(view.request)

async function called(view: InvoiceView, said?: unknown): Promise<InvoiceView> {
  expect(await world.tipping.hint(world.token(String(charge(view).body.callbackUrl)), said)).toBe('noted')
  await world.settle()
  return await world.tipping.invoices.view(view.id)
}

const kinds = async () => (await world.tipping.cards.pending(10)).map((card) => card.kind)

describe('an invoice', () => {
  it('is payable to the member’s gamertag, and announced when it is reported as paid', async () => {
    await begin()
    const open = await invoice()
    expect(open).toMatchObject({ state: 'open', gamertag: 'bob-tag', amount: 1_000_000n, description: 'pizza' })
    expect(charge(open).owner).toBe(bob)
    charge(open).status = 'CHARGE_COMPLETED'
    expect(await called(open)).toMatchObject({ state: 'paid', paidAt: expect.any(Date) })
    expect(await kinds()).toEqual(['invoice', 'invoice-paid'])
    await called(open)
    expect(await kinds()).toEqual(['invoice', 'invoice-paid'])
  })

  it('is abandoned if the database was unavailable during its creation', async () => {
    await begin()
    const fail = () => {
      world.failCommits = 3
    }
    world.provider.misbehave('createGamertagCharge', { before: fail })
    const refused = expect(invoice()).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.pass(60_000)
    await refused
    expect(await world.database.read.invoice.findMany()).toMatchObject([{ state: 'failed', reason: null }])
  })

  it('requires its member to have a linked account', async () => {
    await begin()
    await expect(invoice('10', 'carol')).rejects.toMatchObject({ code: 'not-linked' })
  })

  it('is made once by two deliveries of one interaction', async () => {
    await begin()
    const command = { member: 'bob', amount: '10', origin: world.origin() }
    const [one, two] = await Promise.all([
      world.tipping.invoices.create(command),
      world.tipping.invoices.create(command),
    ])
    expect(two).toEqual(one)
    expect(world.provider.count('createGamertagCharge')).toBe(1)
  })

  it('is not shown if its amount differs from the requested one (fault 23)', async () => {
    await begin()
    const other = await invoice('2000')
    world.provider.misbehave('createGamertagCharge', { answer: { invoiceRequest: other.request } })
    await expect(invoice('1000')).rejects.toMatchObject({ code: 'provider-refused' })
  })

  it('is not shown if the gamertag has changed hands meanwhile (fault 27)', async () => {
    await begin()
    const swap = () => {
      world.provider.rename(bob, 'bobby')
      world.provider.user('bob-tag')
    }
    world.provider.misbehave('createGamertagCharge', { before: swap })
    await expect(invoice()).rejects.toMatchObject({ code: 'provider-refused' })
    expect((await invoice()).gamertag).toBe('bobby')
  })
})

describe('an invoice that cannot be read at its provider', () => {
  const body = (view: InvoiceView, over: object = {}) => ({ ...charge(view).body, status: 'CHARGE_COMPLETED', ...over })

  it.each([
    ['amount', { amount: '5' }],
    ['invoice', { invoiceRequest: 'lnbcrt1' }],
    ['record', { internalId: 'another' }],
    ['state', { status: 'CHARGE_PENDING' }],
  ])('does not count as paid if the callback contains a different %s', async (_, over) => {
    await begin({ readsCharges: false })
    const open = await invoice()
    expect((await called(open, body(open, over))).state).toBe('open')
    expect((await called(open)).state).toBe('open')
  })
})
