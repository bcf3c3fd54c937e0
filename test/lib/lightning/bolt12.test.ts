import { describe, expect, it } from 'vitest'
import { InvalidInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { decodeAnyInvoice, decodeOffer, decodeOfferInvoice } from '../../../src/lib/lightning/bolt12.ts'
import {
  bolt12Text,
  makeOffer,
  makeOfferInvoice,
  offerInvoiceFields,
  type TlvField,
  tu64,
} from '../../support/bolt12-texts.ts'

/** An offer from the test vectors of BOLT 12 ("format-string-test.json"). */
const SPEC_OFFER =
  'lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyypwa3eyt44h6txtxquqh7lz5djge4afgfjn7k4rgrkuag0jsd5xvxg'

describe('an offer', () => {
  it('is read even if it is split over lines or written in upper case', () => {
    const wanted = { text: SPEC_OFFER, networks: ['bitcoin'], amount: undefined, currency: undefined }
    const broken = `${SPEC_OFFER.slice(0, 40)}+\n  ${SPEC_OFFER.slice(40)}`
    for (const text of [SPEC_OFFER, SPEC_OFFER.toUpperCase(), broken]) {
      expect(decodeOffer(text)).toMatchObject({ ...wanted, amount: 1_000_000n, asksQuantity: false })
    }
  })

  it('is decoded with its network, amount, description, issuer and expiry', () => {
    const offer = {
      network: 'regtest',
      amount: 10_000n,
      description: 'Fish',
      issuer: 'a shop',
      expiresAt: 1_900_000_000,
    } as const
    expect(decodeOffer(makeOffer(offer))).toMatchObject({
      ...{ networks: ['regtest'], amount: 10_000n, description: 'Fish', issuer: 'a shop', asksQuantity: false },
      expiresAt: new Date(1_900_000_000_000),
    })
    expect(decodeOffer(makeOffer({ amount: 500n, currency: 'EUR' }))).toMatchObject({
      ...{ amount: undefined, currency: 'EUR' },
    })
    expect(decodeOffer(makeOffer({ quantity: true }))).toMatchObject({ amount: undefined, asksQuantity: true })
  })
})

const draft = { network: 'regtest', amount: 10_000n, paymentHash: 'ab'.repeat(32), createdAt: 1_900_000_000 } as const
const fields = offerInvoiceFields(draft)
const without = (type: number) => fields.filter(([one]) => one !== type)
const replace = (type: number, content: Uint8Array) =>
  fields.map((field): TlvField => (field[0] === type ? [type, content] : field))

describe('the invoice of an offer', () => {
  it('is decoded with its network, amount, hash, description and expiry', () => {
    const wanted = { network: 'regtest', amount: 10_000n, paymentHash: 'ab'.repeat(32), description: 'a test' }
    expect(decodeAnyInvoice(makeOfferInvoice(draft))).toMatchObject({
      ...wanted,
      expiresAt: new Date((1_900_000_000 + 7_200) * 1_000),
    })
    const short = makeOfferInvoice({ ...draft, network: 'bitcoin', expiresInSeconds: 60 })
    expect(decodeOfferInvoice(short)).toMatchObject({
      ...{ ...wanted, network: 'bitcoin' },
      expiresAt: new Date((1_900_000_000 + 60) * 1_000),
    })
  })

  it.each([
    ['without an amount', without(170)],
    ['with an amount of zero', replace(170, tu64(0n))],
    ['with an amount that begins with zeros', replace(170, Uint8Array.of(0, 5))],
    ['with more bitcoin than exist', replace(170, Buffer.alloc(8, 0xff))],
    ['without a payment hash', without(168)],
    ['with a short payment hash', replace(168, Buffer.alloc(31))],
    ['without a signature', without(240)],
    ['without a time', without(164)],
    ['with two amounts', [...without(240), [170, tu64(1n)], [240, Buffer.alloc(64)]] as readonly TlvField[]],
    ['for an unknown network', replace(80, Buffer.alloc(32))],
    ['with an invalid text', replace(10, Uint8Array.of(0xff))],
  ])('is refused %s', (_, changed) => {
    expect(() => decodeOfferInvoice(bolt12Text('lni', changed))).toThrow(InvalidInvoice)
  })

  it.each([
    ['if it is cut short', makeOfferInvoice(draft).slice(0, -12)],
    ['with an invalid letter', `${makeOfferInvoice(draft)}b`],
    ['in mixed case', makeOfferInvoice(draft).replace('lni1', 'LNI1')],
    ['if it is in fact an offer', makeOffer({})],
    ['if it is too long', `lni1${'q'.repeat(8_000)}`],
  ])('is refused %s', (_, text) => {
    expect(() => decodeOfferInvoice(text)).toThrow(InvalidInvoice)
  })
})
