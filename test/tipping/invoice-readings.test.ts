import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import type { InvoiceView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

const MINUTE_MS = 60_000

let world: TippingWorld
/** The logged errors. Callers' texts, and charges that are unknown to a provider, are not faults of ours. */
let errors: string[]

async function begin(options: WorldOptions = {}): Promise<void> {
  errors = []
  const destination = { write: (line: string) => void errors.push(line) }
  world = await TippingWorld.open({ ...options, logger: createLogger({ level: 'error', name: 'bot', destination }) })
  await world.linked('bob')
}

function invoice(amount = '1000'): Promise<InvoiceView> {
  return world.run(world.tipping.invoices.create({ member: 'bob', amount, origin: world.origin() }))
}

/** Creates an invoice without learning the id of its charge, although the provider reads charges. */
function nameless(amount?: string): Promise<InvoiceView> {
  world.provider.misbehave('createGamertagCharge', { answer: { id: undefined } })
  return invoice(amount)
}

const charge = (view: InvoiceView) => world.provider.invoiceOf(view.request)
const now = ({ id }: InvoiceView) => world.tipping.invoices.view(id)

async function called(view: InvoiceView, said?: unknown): Promise<InvoiceView> {
  expect(await world.tipping.hint(world.token(String(charge(view).body.callbackUrl)), said)).toBe('noted')
  await world.settle()
  return await now(view)
}

/** Returns a callback as it could be sent by anybody who has the invoice. */
const said = (view: InvoiceView, over: object = {}) => ({ ...charge(view).body, status: 'CHARGE_COMPLETED', ...over })

const reads = () => world.provider.count('getGamertagCharge')

async function announced(view: InvoiceView) {
  const cards = await world.database.read.card.findMany({ where: { kind: 'invoice-paid', record: view.id } })
  return cards.map(({ revision, channel }) => ({ revision, channel }))
}

async function revision({ card }: InvoiceView): Promise<number> {
  return (await world.tipping.cards.get(card))?.revision ?? 0
}

async function nextReading({ id }: InvoiceView): Promise<number | undefined> {
  const job = await world.database.read.pollJob.findUnique({ where: { id } })
  return job?.nextAt?.getTime()
}

afterEach(async () => {
  await world.close()
  expect(errors).toEqual([])
})

describe('an invoice whose charge can be read at the provider', () => {
  it('is polled after 2 seconds, and then at growing intervals until it is paid', async () => {
    await begin()
    const open = await invoice()
    await world.pass(1_900)
    expect(reads()).toBe(0)
    await world.pass(200)
    expect(reads()).toBe(1)
    await world.pass(MINUTE_MS)
    expect(reads()).toBeGreaterThan(5)
    expect(reads()).toBeLessThan(25)
    const at = new Date(world.clock.now() - 30_000)
    charge(open).status = 'CHARGE_COMPLETED'
    world.provider.misbehave('getGamertagCharge', { answer: { confirmedAt: at.toISOString() } })
    expect(await called(open)).toMatchObject({ state: 'paid', paidAt: at })
    expect(await announced(open)).toEqual([{ revision: 1, channel: 'channel' }])
    expect(await revision(open)).toBe(2)
    const last = reads()
    await called(open)
    await world.pass(MINUTE_MS)
    expect(reads()).toBe(last)
  })

  it('takes the time of the poll as its payment time if the provider reports none', async () => {
    await begin()
    const open = await invoice()
    charge(open).status = 'CHARGE_COMPLETED'
    world.provider.misbehave('getGamertagCharge', { answer: { confirmedAt: null } })
    expect((await called(open)).paidAt).toEqual(new Date(world.clock.now()))
  })

  it('counts as paid even after its expiry, and each change redraws its card', async () => {
    await begin()
    const open = await invoice()
    charge(open).status = 'CHARGE_EXPIRED'
    expect((await called(open)).state).toBe('expired')
    expect(await revision(open)).toBe(2)
    expect((await called(open)).state).toBe('expired')
    expect(await revision(open)).toBe(2)
    expect(await nextReading(open)).toBeUndefined()
    charge(open).status = 'CHARGE_COMPLETED'
    expect((await called(open)).state).toBe('paid')
    expect(await revision(open)).toBe(3)
    expect(await announced(open)).toHaveLength(1)
  })

  it('stays open past its expiry while the provider does not answer', async () => {
    await begin()
    const open = await invoice()
    world.provider.misbehave('getGamertagCharge', ...Array<Fault>(200).fill('error'))
    await world.pass(12 * MINUTE_MS)
    expect((await now(open)).state).toBe('open')
    world.provider.stopMisbehaving('getGamertagCharge')
    charge(open).status = 'CHARGE_COMPLETED'
    await world.pass(5 * MINUTE_MS)
    expect((await now(open)).state).toBe('paid')
  })

  it.each<[string, Fault]>([
    ['says that it is asked too often', { refuse: 429, message: 'Slow down.' }],
    ['is away', { refuse: 503, message: 'Back soon.' }],
    ['does not accept the key', { refuse: 401, message: 'No such key.' }],
  ])('is not ended by a callback alone while its provider %s', async (_, fault) => {
    await begin()
    const open = await invoice()
    world.provider.misbehave('getGamertagCharge', ...Array<Fault>(9).fill(fault))
    expect((await called(open, said(open))).state).toBe('open')
  })

  it.each([404, 405, 501])(
    'is shown as reported paid after a callback if the poll is refused with %d',
    async (refuse) => {
      await begin()
      const open = await invoice()
      world.provider.misbehave('getGamertagCharge', { refuse, message: 'There is no such path.' })
      const { state, paidAt } = await called(open, said(open))
      expect({ state, paidAt }).toEqual({ state: 'reported', paidAt: new Date(world.clock.now()) })
    },
  )

  it.each([
    ['amount', { amount: '5' }],
    ['invoice', { invoiceRequest: 'lnbcrt1' }],
  ])('does not count as paid if its charge has another %s', async (_, answer) => {
    await begin()
    const open = await invoice()
    charge(open).status = 'CHARGE_COMPLETED'
    world.provider.misbehave('getGamertagCharge', { answer })
    expect((await called(open)).state).toBe('open')
    expect((await called(open)).state).toBe('paid')
  })

  it('is polled at the usual pace if the provider does not call back', async () => {
    await begin()
    const open = await invoice()
    world.provider.misbehave('getGamertagCharge', { refuse: 404, message: 'There is no such path.' })
    charge(open).status = 'CHARGE_COMPLETED'
    await world.pass(10_000)
    expect((await now(open)).state).toBe('paid')
  })

  it('is not polled after the bot has moved to another provider', async () => {
    await begin()
    const open = await invoice()
    await world.restart({ elsewhere: true })
    charge(open).status = 'CHARGE_COMPLETED'
    const before = reads()
    expect((await called(open)).state).toBe('open')
    expect(reads()).toBe(before)
  })
})

describe('an invoice without the id of its charge', () => {
  it('is polled under the id that a callback contains', async () => {
    await begin()
    const open = await nameless()
    charge(open).status = 'CHARGE_PENDING'
    const id = charge(open).id
    expect((await called(open, said(open, { id, status: 'CHARGE_PENDING' }))).state).toBe('open')
    expect(reads()).toBe(1)
    expect(await world.database.read.invoice.findMany()).toMatchObject([{ chargeId: id }])
    charge(open).status = 'CHARGE_COMPLETED'
    await world.pass(10_000)
    expect((await now(open)).state).toBe('paid')
  })

  it('is not polled under another invoice’s id', async () => {
    await begin()
    const [named, open] = [await invoice('2000'), await nameless()]
    charge(named).status = 'CHARGE_COMPLETED'
    expect((await called(open, said(open, { id: charge(named).id, status: 'CHARGE_PENDING' }))).state).toBe('open')
    expect(reads()).toBe(0)
    expect((await called(open, said(open, { id: charge(open).id, status: 'CHARGE_PENDING' }))).state).toBe('open')
    expect(reads()).toBe(1)
    expect((await called(named)).state).toBe('paid')
  })

  it.each([
    ['is not a text', 7],
    ['is empty', ''],
    ['is too long', 'x'.repeat(65)],
    ['has a space', 'one two'],
    ['begins with a space', ' one'],
    ['ends with a line break', 'one\n'],
    ['is not in ASCII', 'ä'],
  ])('is not polled under an id that %s', async (_, id) => {
    await begin()
    const open = await nameless()
    expect((await called(open, said(open, { id, status: 'CHARGE_PENDING' }))).state).toBe('open')
    expect(reads()).toBe(0)
    expect(await world.database.read.invoice.findMany()).toMatchObject([{ chargeId: null }])
  })

  it('does not count as paid if a callback has no state or is not an object', async () => {
    await begin()
    const open = await nameless()
    for (const words of [said(open, { status: 7 }), 'paid', null, [said(open)], { invoice: null }]) {
      expect((await called(open, words)).state).toBe('open')
    }
  })

  it('counts as paid if a callback contains the invoice in an inner object', async () => {
    await begin()
    const open = await nameless()
    const { invoiceRequest: request, ...rest } = said(open) as { invoiceRequest?: string }
    expect((await called(open, { ...rest, invoice: { request } })).state).toBe('reported')
  })

  it('is announced once more, on the same card, when its charge can be read', async () => {
    await begin({ readsCharges: false })
    const open = await invoice()
    const first = await called(open, said(open))
    expect(first.state).toBe('reported')
    for (const status of ['CHARGE_COMPLETED', 'CHARGE_EXPIRED']) {
      expect((await called(open, said(open, { status }))).state).toBe('reported')
      expect(await announced(open)).toEqual([{ revision: 1, channel: 'channel' }])
      expect(await revision(open)).toBe(2)
    }
    Object.assign(world.provider.abilities, { readsCharges: true })
    charge(open).status = 'CHARGE_COMPLETED'
    await world.pass(1_000)
    expect(await called(open, said(open, { id: charge(open).id }))).toMatchObject({
      state: 'paid',
      paidAt: first.paidAt,
    })
    expect(await announced(open)).toEqual([{ revision: 2, channel: 'channel' }])
  })

  it('expires when a callback reports the expiry, or else at its own expiry time', async () => {
    await begin({ readsCharges: false })
    const [one, other] = [await invoice(), await invoice('2000')]
    expect((await called(one, said(one, { status: 'CHARGE_EXPIRED' }))).state).toBe('expired')
    await world.pass(10 * MINUTE_MS - 1)
    expect((await now(other)).state).toBe('open')
    // Nothing can be learned before.
    expect(await nextReading(other)).toBe(other.expiresAt.getTime())
    await world.pass(2_000)
    expect((await now(other)).state).toBe('expired')
    expect((await called(other, said(other))).state).toBe('reported')
  })
})
