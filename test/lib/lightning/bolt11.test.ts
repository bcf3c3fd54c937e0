import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { decode as decodeElsewhere } from 'light-bolt11-decoder'
import { describe, expect, it } from 'vitest'
import {
  decodeInvoice,
  encodeInvoice,
  InvalidInvoice,
  type InvoiceDraft,
  isExpired,
  publicKey,
} from '../../../src/lib/lightning/bolt11.ts'
import { MAX_MSATS, type Msats, msats, sats } from '../../../src/lib/money/amount.ts'
import vectors from '../../vectors/bolt11.json' with { type: 'json' }

const draft: InvoiceDraft = {
  network: 'regtest',
  amount: sats(2500),
  description: 'One tip, ☕ included',
  paymentHash: '01'.repeat(32),
  paymentSecret: '02'.repeat(32),
  createdAt: new Date('2030-01-01T00:00:00Z'),
  expiresInSeconds: 600,
  privateKey: '03'.repeat(32),
}

/** Returns the fields of an invoice, by name, as another library reads them. */
function readElsewhere(invoice: string): Map<string, unknown> {
  return new Map(decodeElsewhere(invoice).sections.map((section) => [section.name, Reflect.get(section, 'value')]))
}

/** Signs an invoice with any fields, valid or not, including those that `encodeInvoice` refuses to write. */
function signRaw(fields: readonly (readonly [type: number, words: readonly number[]])[], prefix = 'lnbcrt'): string {
  const words = [0, 0, 0, 0, 0, 0, 1, ...fields.flatMap(([type, w]) => [type, w.length >> 5, w.length & 31, ...w])]
  return signWords(words, prefix)
}

function signWords(words: number[], prefix = 'lnbcrt'): string {
  const padded = [...words, ...Array<number>((8 - (words.length % 8)) % 8).fill(0)]
  const data = bech32.fromWords(padded).subarray(0, Math.ceil((words.length * 5) / 8))
  const hash = createHash('sha256').update(prefix).update(data).digest()
  const [recovery = 0, ...rs] = secp256k1.sign(hash, Buffer.alloc(32, 3), { prehash: false, format: 'recovered' })
  return bech32.encode(prefix, [...words, ...bech32.toWords(Uint8Array.from([...rs, recovery]))], false)
}

describe('the specification’s examples', () => {
  it('are all in the file of test vectors', () => {
    expect(vectors.valid).toHaveLength(16)
    expect(vectors.invalid).toHaveLength(10)
  })

  it.each(vectors.valid)('are read: $name', ({ invoice, expect: wanted }) => {
    const read = decodeInvoice(invoice)
    expect({
      network: read.network,
      amount: read.amount?.toString(),
      description: read.description,
      descriptionHash: read.descriptionHash,
      paymentHash: read.paymentHash,
      paymentSecret: read.paymentSecret,
      createdAt: read.createdAt.getTime() / 1000,
      expirySeconds: (read.expiresAt.getTime() - read.createdAt.getTime()) / 1000,
      cltvExpiry: read.cltvExpiry,
      features: read.features,
      metadata: read.metadata,
      payee: 'payee' in wanted ? read.payee : undefined,
      signature: 'signature' in wanted ? read.signature : undefined,
    }).toEqual({
      amount: undefined,
      description: undefined,
      descriptionHash: undefined,
      metadata: undefined,
      payee: undefined,
      signature: undefined,
      ...wanted,
    })
    expect(read.text).toBe(invoice.toLowerCase())
  })

  it.each(vectors.invalid)('are refused: $name', ({ invoice }) => {
    expect(() => decodeInvoice(invoice)).toThrow(InvalidInvoice)
  })
})

describe('the function decodeInvoice', () => {
  const invoice = encodeInvoice(draft)

  it.each([
    ['upper case', invoice.toUpperCase()],
    ['a scheme', `lightning:${invoice}`],
    ['an upper-case scheme', `LIGHTNING:${invoice.toUpperCase()}`],
    ['surrounding space', `\n  ${invoice}\t `],
  ])('accepts %s', (_, text) => {
    expect(decodeInvoice(text)).toEqual(decodeInvoice(invoice))
  })

  it.each([
    ['nothing', ''],
    ['prose', 'please pay me'],
    ['an LNURL', 'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZ'],
    ['ten megabytes', `lnbc1${'q'.repeat(10_000_000)}`],
    ['mixed case', `${invoice.slice(0, 30)}${invoice.slice(30).toUpperCase()}`],
    ['a missing end', invoice.slice(0, -1)],
    ['a changed letter', `${invoice.slice(0, 40)}${invoice[40] === 'q' ? 'p' : 'q'}${invoice.slice(41)}`],
    ['a NUL', `${invoice}\0`],
  ])('refuses %s and explains why', (_, text) => {
    const attempt = () => decodeInvoice(text)
    expect(attempt).toThrow(InvalidInvoice)
    expect(attempt).toThrow(/^[A-Z].*\.$/)
  })

  it('refuses an unknown required feature and names its bit', () => {
    const text = encodeInvoice({ ...draft, features: [8, 14, 30] })
    expect(() => decodeInvoice(text)).toThrow('bit 30')
    expect(decodeInvoice(encodeInvoice({ ...draft, features: [8, 14, 31] })).features).toEqual([8, 14, 31])
  })

  it('reads a missing amount as undefined and refuses more than 21 million bitcoin', () => {
    expect(decodeInvoice(encodeInvoice({ ...draft, amount: undefined })).amount).toBeUndefined()
    expect(decodeInvoice(encodeInvoice({ ...draft, amount: MAX_MSATS })).amount).toBe(MAX_MSATS)
    const tooMuch = encodeInvoice({ ...draft, amount: (MAX_MSATS + 1n) as Msats })
    expect(() => decodeInvoice(tooMuch)).toThrow('more bitcoin than there will ever be')
  })

  it('returns the time when an invoice expires', () => {
    const read = decodeInvoice(invoice)
    const end = Date.parse('2030-01-01T00:10:00Z')
    expect(read.expiresAt).toEqual(new Date(end))
    expect(isExpired(read, end - 1)).toBe(false)
    expect(isExpired(read, end)).toBe(true)
  })

  it('refuses an invoice in which one letter has changed', () => {
    const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
    fc.assert(
      fc.property(fc.nat(invoice.length - 1), fc.constantFrom(...letters), (at, letter) => {
        fc.pre(invoice[at] !== letter)
        expect(() => decodeInvoice(`${invoice.slice(0, at)}${letter}${invoice.slice(at + 1)}`)).toThrow(InvalidInvoice)
      }),
      { numRuns: 300 },
    )
  })
})

describe('an invoice that two readers could understand differently', () => {
  const words = (fill: number, length = 32) => bech32.toWords(new Uint8Array(length).fill(fill))
  const hash = [1, words(1)] as const
  const secret = [16, words(2)] as const
  const text = [13, bech32.toWords(Buffer.from('tip'))] as const

  const start = [0, 0, 0, 0, 0, 0, 1, 1, 1, 20, ...words(1), 16, 1, 20, ...words(2), 13, 0, 0]
  const cutShort = signWords([...start, 2, 1, 0, 1, 1])

  it('would be valid without its fault', () => {
    expect(decodeInvoice(signRaw([hash, secret, text]))).toMatchObject({
      description: 'tip',
      payee: publicKey('03'.repeat(32)),
    })
    expect(decodeInvoice(signWords([...start, 2, 0, 2, 1, 1])).description).toBe('')
  })

  it.each([
    ['two payment hashes', signRaw([hash, [1, words(7)], secret, text])],
    ['two secrets', signRaw([hash, secret, [16, words(7)], text])],
    ['two descriptions', signRaw([hash, secret, text, text])],
    ['a description and a description hash', signRaw([hash, secret, text, [23, words(5)]])],
    ['neither a description nor a hash', signRaw([hash, secret])],
    ['no payment hash', signRaw([secret, text])],
    ['an expiry with leading zeros', signRaw([hash, secret, text, [6, [0, 1, 4]]])],
    ['features with leading zeros', signRaw([hash, secret, text, [5, [0, 8, 8, 0]]])],
    [
      'an expiry beyond the last possible date',
      signRaw([hash, secret, text, [6, [31, 31, 31, 31, 31, 31, 31, 31, 31, 31]]]),
    ],
    ['an amount of zero', signRaw([hash, secret, text], 'lnbcrt0u')],
    ['a currency other than bitcoin', signRaw([hash, secret, text], 'lnltc1m')],
    ['a field that is cut short', cutShort],
  ])('is refused: %s', (_, invoice) => {
    expect(() => decodeInvoice(invoice)).toThrow(InvalidInvoice)
  })
})

describe('the function encodeInvoice', () => {
  it.each([-1, Number.NaN])('refuses an expiry of %d s instead of looping endlessly', (expiresInSeconds) => {
    expect(() => encodeInvoice({ ...draft, expiresInSeconds })).toThrow(RangeError)
  })

  it.each([-1_000, 0, 999, Number.NaN])('refuses a Unix time of %d ms instead of looping endlessly', (ms) => {
    expect(() => encodeInvoice({ ...draft, createdAt: new Date(ms) })).toThrow(RangeError)
  })

  it('writes regtest invoices that another library can read', () => {
    const text = encodeInvoice(draft)
    expect(text).toMatch(/^lnbcrt25u1/)
    const read = readElsewhere(text)
    expect(read.get('amount')).toBe('2500000')
    expect(read.get('payment_hash')).toBe(draft.paymentHash)
    expect(read.get('payment_secret')).toBe(draft.paymentSecret)
    expect(read.get('description')).toBe(draft.description)
    expect(read.get('timestamp')).toBe(draft.createdAt.getTime() / 1000)
    expect(read.get('expiry')).toBe(600)
  })

  it('writes a description hash in place of a description', () => {
    const descriptionHash = createHash('sha256').update('a text that the payer has').digest('hex')
    const text = encodeInvoice({ ...draft, description: undefined, descriptionHash })
    expect(decodeInvoice(text)).toMatchObject({ descriptionHash, description: undefined })
    expect(readElsewhere(text).get('description_hash')).toBe(descriptionHash)
  })

  it('refuses two descriptions, no description and a description that is too long', () => {
    expect(() => encodeInvoice({ ...draft, descriptionHash: '00'.repeat(32) })).toThrow('either')
    expect(() => encodeInvoice({ ...draft, description: undefined })).toThrow('either')
    expect(() => encodeInvoice({ ...draft, description: 'é'.repeat(320) })).toThrow('DescriptionByteLimit')
    expect(decodeInvoice(encodeInvoice({ ...draft, description: 'x'.repeat(639) })).description).toHaveLength(639)
    expect(decodeInvoice(encodeInvoice({ ...draft, description: '' })).description).toBe('')
  })

  it('writes invoices that decodeInvoice reads back as intended', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
    fc.assert(
      fc.property(
        fc.record({
          amount: fc.option(fc.bigInt({ min: 1n, max: MAX_MSATS }).map(msats), { nil: undefined }),
          description: fc.string({ unit: 'grapheme', maxLength: 60 }),
          paymentHash: key,
          paymentSecret: key,
          expiresInSeconds: fc.integer({ min: 1, max: 30 * 86_400 }),
          privateKey: key.filter((candidate) => BigInt(`0x${candidate}`) > 0n && !candidate.startsWith('ffffffff')),
          cltvExpiry: fc.integer({ min: 1, max: 2016 }),
        }),
        fc.constantFrom('bitcoin' as const, 'testnet' as const, 'signet' as const, 'regtest' as const),
        (random, network) => {
          const read = decodeInvoice(encodeInvoice({ ...draft, ...random, network }))
          expect(read).toMatchObject({
            network,
            amount: random.amount,
            description: random.description,
            paymentHash: random.paymentHash,
            paymentSecret: random.paymentSecret,
            payee: publicKey(random.privateKey),
            cltvExpiry: random.cltvExpiry,
          })
          expect(read.expiresAt.getTime() - read.createdAt.getTime()).toBe(random.expiresInSeconds * 1000)
        },
      ),
      { numRuns: 60 },
    )
  })
})
