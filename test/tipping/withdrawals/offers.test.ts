import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeOffer, makeOfferInvoice, type OfferInvoiceDraft } from '../../support/bolt12-texts.ts'
import { ok, refusal, type ScriptedAnswer } from '../../support/scripted-answer.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
/** The requests that the provider received, in order. */
let asked: Record<string, string>[]

/** Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. */
beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
  asked = []
  gives()
})
const NAME = '₿bob@example.com'

function ask(amount: string | undefined, to: string) {
  const typed = amount === undefined ? {} : { amount }
  return world.run(world.tipping.withdrawals.ask({ member: 'alice', to, origin: world.origin(), ...typed }))
}

function confirm(withdrawal: string) {
  return world.run(world.tipping.withdrawals.confirm({ withdrawal, member: 'alice', origin: world.origin() }))
}

/** Makes the provider answer with the requested invoice, except for these changes. */
function gives(change: Partial<OfferInvoiceDraft> = {}): void {
  answers((body) => {
    const paymentHash = createHash('sha256').update(`offer ${asked.length}`).digest('hex')
    const createdAt = Math.floor(world.clock.now() / 1_000)
    const amount = BigInt(body.amount ?? '')
    const invoice = makeOfferInvoice({ network: 'regtest', amount, paymentHash, createdAt, ...change })
    const [network, expiresAt] = ['regtest', new Date(world.clock.now() + 7_200_000).toISOString()]
    return ok({ invoice, paymentHash, amount: `${amount}`, network, description: '', expiresAt })
  })
}

function answers(answer: (body: Record<string, string>) => ScriptedAnswer): void {
  world.provider.outgoing.offer = (body) => {
    asked.push(body)
    return answer(body)
  }
}

describe('a withdrawal to an offer', () => {
  it('gets an invoice before it is confirmed, and pays once if it is confirmed twice', async () => {
    const offer = makeOffer()
    const { id, ...view } = await ask('500', offer.toUpperCase())
    expect(view).toMatchObject({ kind: 'invoice', amount: 500_000n, state: 'asked' })
    expect(asked).toEqual([{ offer, amount: '500000' }])
    expect(await world.available('alice')).toBe(10_000_000n)
    await Promise.all([confirm(id), confirm(id)])
    expect(await confirm(id)).toMatchObject({ state: 'paid' })
    expect(asked).toHaveLength(1)
    expect(world.provider.outgoing.only('payments').body).toMatchObject({
      invoice: expect.stringMatching(/^lni1/),
    })
    expect(world.provider.outgoing.only('payments').body.amount).toBeUndefined()
    expect(await world.available('alice')).toBe(10_000_000n - 500_000n - world.provider.outgoing.fee)
  })

  it('is refused while two other offers of the member wait for their invoices', async () => {
    const { promise: silence, resolve: speak } = Promise.withResolvers<void>()
    world.provider.misbehave('fetchOfferInvoice', { before: () => silence }, { before: () => silence })
    const three = [1, 2, 3].map(() => ask('500', makeOffer()))
    const first = await Promise.race(three.map((each) => each.catch((error: unknown) => error)))
    expect(first).toMatchObject({ code: 'too-many-withdrawals', facts: { most: 2 } })
    speak()
    const ended = await Promise.allSettled(three)
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await ask('500', makeOffer())).toMatchObject({ state: 'asked' })
  })

  it('has the amount that the offer states', async () => {
    expect(await ask(undefined, makeOffer({ amount: 700_000n }))).toMatchObject({ amount: 700_000n })
    const facts = { asked: 500_000n, invoice: 700_000n }
    await expect(ask('500', makeOffer({ amount: 700_000n }))).rejects.toMatchObject({
      ...{ code: 'invoice-amount-differs', facts },
    })
    await expect(ask(undefined, makeOffer())).rejects.toMatchObject({ code: 'amount-missing' })
    expect(asked).toHaveLength(1)
  })

  it('returns sats if the provider proves that it did not send them', async () => {
    world.provider.outgoing.next = 'failed'
    const { id } = await ask('500', makeOffer())
    expect(await confirm(id)).toMatchObject({ state: 'returned' })
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('cannot be confirmed if its invoice is about to expire', async () => {
    const { id } = await ask('500', makeOffer())
    await world.clock.advance(7_200_000 - 59_000)
    await expect(confirm(id)).rejects.toMatchObject({ code: 'invoice-expired' })
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it.each([
    ['another amount', { amount: 499_000n }, 'offer-failed'],
    ['less than a minute left', { expiresInSeconds: 59 }, 'invoice-expired'],
  ])('accepts no invoice with %s from the provider', async (_, change, code) => {
    gives(change)
    await expect(ask('500', makeOffer())).rejects.toMatchObject({ code })
  })

  it('is refused before an invoice is requested if it is impossible', async () => {
    const old = makeOffer({ expiresAt: Math.floor(world.clock.now() / 1_000) })
    await expect(ask('500', old)).rejects.toMatchObject({ code: 'invoice-expired' })
    await expect(ask('500', `lno1${'q'.repeat(9)}b`)).rejects.toMatchObject({ code: 'invoice-unreadable' })
    await expect(ask('50000', makeOffer())).rejects.toMatchObject({ code: 'insufficient-with-fee' })
    expect(asked).toEqual([])
  })
})

describe('a withdrawal to a Bitcoin name', () => {
  it('lets the provider resolve the name, and is shown with the name', async () => {
    const { id, ...view } = await ask('500', NAME)
    expect(view).toMatchObject({ kind: 'address', destination: NAME, amount: 500_000n })
    expect(asked).toEqual([{ offer: NAME, amount: '500000' }])
    expect(await confirm(id)).toMatchObject({ state: 'paid' })
    expect(asked).toHaveLength(1)
  })

  it('needs an amount, since a name has none', async () => {
    await expect(ask(undefined, NAME)).rejects.toMatchObject({ code: 'amount-missing' })
    expect(asked).toEqual([])
  })

  it('is refused with the reason if the name has no offer or yields no invoice', async () => {
    answers(() => refusal(400, 'No offer was found.', 'invalid_offer'))
    const facts = { name: 'bob@example.com' }
    await expect(ask('500', NAME)).rejects.toMatchObject({ code: 'bitcoin-name-not-found', facts })
    answers(() => refusal(400, 'No answer.', 'offer_unanswered'))
    await expect(ask('500', NAME)).rejects.toMatchObject({ code: 'address-failed', facts: { address: NAME } })
    await expect(ask('500', makeOffer())).rejects.toMatchObject({ code: 'offer-failed' })
  })

  it('is not available for forwarded tips', async () => {
    const command = { member: 'alice', address: NAME, origin: world.origin() }
    await expect(world.run(world.tipping.forwarding.start(command))).rejects.toMatchObject({
      code: 'bitcoin-name-not-payable',
    })
  })
})

describe('a provider that pays no offers', () => {
  it.each([
    ['the provider has no such operation', 404, 'unknown_route'],
    ['its node cannot pay them', 501, 'not_offered'],
  ])('causes each offer and name to be refused: %s', async (_, status, code) => {
    answers(() => refusal(status, 'No.', code))
    const offer = makeOffer()
    for (const to of [offer, offer.toUpperCase(), `bitcoin:?lno=${offer}`]) {
      await expect(ask('500', to)).rejects.toMatchObject({ code: 'offer-not-payable' })
    }
    const facts = { name: 'bob@example.com' }
    await expect(ask('500', NAME)).rejects.toMatchObject({ code: 'bitcoin-name-not-payable', facts })
    expect(await world.available('alice')).toBe(10_000_000n)
  })
})
