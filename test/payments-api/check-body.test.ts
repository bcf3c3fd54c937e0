import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_MSATS } from '../../src/lib/money/amount.ts'
import {
  checkBody,
  checkParams,
  EXAMPLE_INVOICE,
  type Operation,
  operations,
} from '../../src/payments-api/payments-api.ts'

const {
  payToGamertag,
  createStaticCharge,
  createGamertagCharge,
  sendKeysendPayment,
  updateStaticCharge,
  revokeVoucher,
} = operations
const tip = { amount: '21000', gamertag: 'alice_77', description: 'thanks' }
const fixed = { minAmount: '5000', maxAmount: '5000', description: 'deposit' }

/** A valid value for each required field. */
const GOOD: Readonly<Record<string, unknown>> = {
  ...{ amount: '1000', minAmount: '1000', maxAmount: '1000', count: 1, code: 'AAAAAAAA' },
  ...{ gamertag: 'nobody', receiverWalletId: 'nobody', reference: 'somebody', description: 'a test' },
  ...{ invoice: EXAMPLE_INVOICE, pubkey: `02${'ab'.repeat(32)}`, offer: 'lno1pg257enxv4ezqcneype82um50ynhxgrwdajx28q' },
  ...{ lnAddress: 'nobody@127.0.0.1:1', lnaddress: 'nobody@127.0.0.1:1' },
}

/** Returns the result of a check in short, such as `400 invalid_amount` or `ok`. */
function verdict(operation: Operation, body: unknown): string {
  const checked = checkBody(operation, body)
  return checked.ok ? 'ok' : `${checked.status} ${checked.code}`
}

function sentence(operation: Operation, body: unknown): string {
  const checked = checkBody(operation, body)
  return checked.ok ? '' : checked.message
}

describe('the function checkBody', () => {
  it('returns amounts as msats and leaves the rest unchanged', () => {
    expect(checkBody(payToGamertag, tip)).toEqual({ ok: true, value: { ...tip, amount: 21_000n } })
  })

  it.each([
    21_000,
    '0',
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    '１',
    '1_000',
    null,
    true,
    ['1'],
    {},
    '9'.repeat(20),
    '9'.repeat(100_000),
  ])('refuses the amount %j', (amount) => {
    expect(verdict(payToGamertag, { ...tip, amount })).toBe('400 invalid_amount')
  })

  it('accepts every whole amount up to 21 million bitcoin and none above', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_MSATS), (amount) => {
        expect(checkBody(payToGamertag, { ...tip, amount: `${amount}` })).toMatchObject({ ok: true, value: { amount } })
      }),
    )
    expect(verdict(payToGamertag, { ...tip, amount: `${MAX_MSATS + 1n}` })).toBe('400 amount_too_high')
  })

  it('requires at least 1 sat for Lightning and 1 msat for a transfer within the books', () => {
    expect(verdict(createGamertagCharge, { amount: '999', gamertag: 'bob' })).toBe('400 amount_too_low')
    expect(verdict(createGamertagCharge, { amount: '1000', gamertag: 'bob' })).toBe('ok')
    expect(verdict(payToGamertag, { ...tip, amount: '1' })).toBe('ok')
  })

  it('reports a missing field with status 422 and a wrong field with status 400', () => {
    expect(verdict(payToGamertag, {})).toBe('422 missing_field')
    expect(sentence(payToGamertag, { amount: '1', gamertag: 'bob' })).toBe('description is required.')
    expect(verdict(payToGamertag, { ...tip, description: null })).toBe('400 invalid_field')
    expect(sentence(payToGamertag, { ...tip, gamertag: 'b' })).toMatch(/^gamertag must be a gamertag: 3 to 30/)
    expect(sentence(payToGamertag, { ...tip, amount: 5 })).toMatch(/^amount must be millisatoshis as a string/)
  })

  it.each(Object.values(operations).filter(({ body }) => body !== undefined))(
    'names each field of $name that is missing or has the wrong type',
    (operation: Operation) => {
      const { properties = {}, required = [] } = z.toJSONSchema(operation.body ?? z.object({}), { io: 'input' })
      const good = Object.fromEntries(required.map((name) => [name, GOOD[name]]))
      expect(verdict(operation, good)).toBe('ok')
      for (const name of required) {
        const { [name]: _, ...rest } = good
        expect([verdict(operation, rest), sentence(operation, rest)]).toEqual([
          '422 missing_field',
          `${name} is required.`,
        ])
      }
      for (const [name, { type }] of Object.entries(properties as Record<string, { type?: string }>)) {
        const own = type === 'integer' ? 'number' : type
        for (const value of [null, true, 7.5, 'text', [], [{}], {}]) {
          if ((Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value) === own) continue
          const body = { ...good, [name]: value }
          expect(verdict(operation, body), `${name}: ${JSON.stringify(value)}`).toMatch(/^4/)
          expect(sentence(operation, body)).toContain(name)
        }
      }
    },
  )

  it('refuses an unknown field and names it', () => {
    expect(sentence(payToGamertag, { amont: '1', gamertag: 'bob', description: '' })).toBe(
      'The body has no field "amont". Its fields are: amount, gamertag, description, receiverId.',
    )
    expect(verdict(payToGamertag, JSON.parse('{"amount":"1","gamertag":"bob","description":"","__proto__":{}}'))).toBe(
      '400 unknown_field',
    )
    expect(sentence(payToGamertag, { ...tip, ['x'.repeat(1_000_000)]: 1 }).length).toBeLessThan(200)
  })

  it.each([[undefined], [null], ['text'], [7], [[]], [[tip]]])(
    'refuses the body %j, which is not an object',
    (body) => {
      expect(verdict(payToGamertag, body)).toBe('400 invalid_body')
    },
  )

  it('limits the length of each text and refuses NUL and invalid Unicode', () => {
    const description = (text: string) => verdict(payToGamertag, { ...tip, description: text })
    expect(description('x'.repeat(639))).toBe('ok')
    expect(description('x'.repeat(640))).toBe('400 invalid_field')
    expect(description('⚡'.repeat(213))).toBe('ok')
    expect(description('⚡'.repeat(214))).toBe('400 invalid_field')
    expect(description('a\0b')).toBe('400 invalid_field')
    expect(description('\ud800')).toBe('400 invalid_field')
    expect(description("'; DROP TABLE account; --")).toBe('ok')
    expect(verdict(createStaticCharge, { ...fixed, successMessage: 'x'.repeat(145) })).toBe('400 invalid_field')
    expect(verdict(createStaticCharge, { ...fixed, internalId: 'x'.repeat(1_001) })).toBe('400 invalid_field')
  })

  it('limits the length and the characters of gamertags and identifiers', () => {
    for (const gamertag of ['ab', 'x'.repeat(31), 'has space', 'dot.ted', 'üml', 'a\n']) {
      expect(verdict(payToGamertag, { ...tip, gamertag }), gamertag).toBe('400 invalid_field')
    }
    for (const gamertag of ['abc', 'A-b_9', 'x'.repeat(30)])
      expect(verdict(payToGamertag, { ...tip, gamertag })).toBe('ok')
    for (const identifier of ['ab', 'Upper', 'x'.repeat(65), 'a@b']) {
      expect(verdict(createStaticCharge, { ...fixed, identifier }), identifier).toBe('400 invalid_field')
    }
    expect(verdict(createStaticCharge, { ...fixed, identifier: 'tips.for_us-2' })).toBe('ok')
  })

  it('requires expiresIn and allowedSlots to be whole numbers within their limits', () => {
    const charge = (expiresIn: unknown) => verdict(createGamertagCharge, { amount: '1000', gamertag: 'bob', expiresIn })
    for (const wrong of [0, -1, 1.5, 2_592_001, '60', null]) expect(charge(wrong), `${wrong}`).toBe('400 invalid_field')
    for (const right of [1, 2_592_000]) expect(charge(right)).toBe('ok')
    expect(verdict(createStaticCharge, { ...fixed, allowedSlots: 0 })).toBe('400 invalid_field')
    expect(verdict(updateStaticCharge, { allowedSlots: 0 })).toBe('ok')
    expect(verdict(createStaticCharge, { ...fixed, allowedSlots: 2_147_483_648 })).toBe('400 invalid_field')
  })

  it('accepts only a web address or an empty text as callbackUrl', () => {
    const charge = (callbackUrl: unknown) =>
      verdict(createGamertagCharge, { amount: '1000', gamertag: 'bob', callbackUrl })
    expect(charge('https://example.com/hook?x=1')).toBe('ok')
    expect(charge(''), 'empty for nowhere, as it is read').toBe('ok')
    for (const wrong of [
      'example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      `https://e.com/${'x'.repeat(2_048)}`,
    ]) {
      expect(charge(wrong), wrong).toBe('400 invalid_field')
    }
  })

  it('refuses a static charge whose maximum is below its minimum', () => {
    expect(sentence(createStaticCharge, { ...fixed, maxAmount: '4000' })).toBe(
      'maxAmount must not be smaller than minAmount.',
    )
  })

  it('accepts at most one custom TLV record of each type, with its value in hex', () => {
    const keysend = { amount: '1000', pubkey: `02${'ab'.repeat(32)}` }
    const tlv = (...tlvRecords: unknown[]) => verdict(sendKeysendPayment, { ...keysend, tlvRecords })
    expect(tlv({ type: 65_536, value: 'c0ffee' })).toBe('ok')
    expect(tlv({ type: 65_535, value: '' })).toBe('400 invalid_field')
    expect(tlv({ type: 65_536, value: 'abc' })).toBe('400 invalid_field')
    expect(tlv({ type: 65_536, value: '00' }, { type: 65_536, value: '01' })).toBe('400 invalid_field')
    expect(tlv({ type: 65_536 })).toBe('422 missing_field')
    expect(sentence(sendKeysendPayment, { ...keysend, tlvRecords: [{ type: 65_536, value: 'zz' }] })).toMatch(
      /^tlvRecords\[0\]\.value must/,
    )
    expect(verdict(sendKeysendPayment, { ...keysend, metadata: { deep: { very: [1] } } })).toBe('ok')
    expect(verdict(sendKeysendPayment, { ...keysend, metadata: { big: 'x'.repeat(9_000) } })).toBe('400 invalid_field')
  })

  it('accepts only voucher codes of 8 letters or digits', () => {
    for (const code of ['', 'short', 'ninechars', 'no-signs'])
      expect(verdict(revokeVoucher, { code })).toBe('400 invalid_field')
    expect(verdict(revokeVoucher, { code: 'k7wq2mhx' })).toBe('ok')
  })

  it('never throws, and returns 400 or 422 for any invalid body', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(operations)), fc.jsonValue(), (operation: Operation, body) => {
        const checked = checkBody(operation, body)
        if (!checked.ok) expect([400, 422]).toContain(checked.status)
      }),
    )
  })
})

describe('the function checkParams', () => {
  it('reads valid path parameters and refuses impossible values', () => {
    expect(checkParams(operations.getStaticCharge, { id: 'abc' })).toEqual({ ok: true, value: { id: 'abc' } })
    expect(checkParams(operations.getStaticCharge, { id: 'a\0' })).toMatchObject({ ok: false, status: 400 })
    expect(checkParams(operations.apiSupportedRegions, { ipAddress: '2001:db8::1' })).toMatchObject({ ok: true })
    expect(checkParams(operations.apiSupportedRegions, { ipAddress: '999.1.1.1' })).toMatchObject({
      ok: false,
      status: 400,
      message: 'ipAddress must be an IPv4 or IPv6 address.',
    })
  })
})
