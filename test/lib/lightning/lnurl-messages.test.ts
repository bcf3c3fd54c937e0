import { createHash } from 'node:crypto'
import { getParams } from 'js-lnurl'
import { describe, expect, it } from 'vitest'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import {
  buildMetadata,
  descriptionHash,
  fastWithdrawUrl,
  payParams,
  readFastWithdraw,
  readMetadata,
  type WithdrawParams,
} from '../../../src/lib/lightning/lnurl-messages.ts'

describe('LNURL metadata', () => {
  it('carries a description and an address, and is hashed with SHA-256', () => {
    const text = buildMetadata({ description: 'Für "Alice" ☕', identifier: 'alice@example.com' })
    expect(JSON.parse(text)).toEqual([
      ['text/plain', 'Für "Alice" ☕'],
      ['text/identifier', 'alice@example.com'],
    ])
    expect(readMetadata(text)).toEqual({ description: 'Für "Alice" ☕', identifier: 'alice@example.com' })
    expect(descriptionHash(text)).toBe(createHash('sha256').update(Buffer.from(text)).digest('hex'))
  })

  it('is read even if it contains entries of unknown kinds', () => {
    expect(readMetadata('[["text/plain","tip"],["future",{"a":1},2]]')).toEqual({ description: 'tip' })
  })

  it.each(['', 'null', '{}', '[]', '["text/plain"]', '[["text/plain",1]]', '[["text/plain","a"],["text/plain","b"]]'])(
    'is refused if its text is “%s”',
    (text) => {
      expect(readMetadata(text)).toBeUndefined()
    },
  )
})

describe('the reader of LNURL-pay parameters', () => {
  const good = { tag: 'payRequest', callback: 'https://x.org/cb', minSendable: 1, maxSendable: 2, metadata: '[]' }

  it('keeps unknown fields', () => {
    expect(payParams.parse({ ...good, allowsNostr: true })).toEqual({ ...good, allowsNostr: true })
  })

  it.each([
    { tag: 'withdrawRequest' },
    { minSendable: -1 },
    { minSendable: 3 },
    { maxSendable: 1.5 },
    { maxSendable: '2' },
    { callback: 'javascript:alert(1)' },
    { metadata: [['text/plain', 'x']] },
  ])('refuses the invalid field %o', (wrong) => {
    expect(payParams.safeParse({ ...good, ...wrong }).success).toBe(false)
  })
})

describe('the reader of the limits in LNURL-pay parameters', () => {
  const good = { tag: 'payRequest', callback: 'https://x.org/cb', minSendable: 1, maxSendable: 2, metadata: '[]' }
  const read = (change: string) => payParams.parse({ ...good, ...JSON.parse(change) })

  it.each(['9223372036854775807', '9007199254740993', '1e30', '1e400'])(
    'reads a maximum amount of %s as Number.MAX_SAFE_INTEGER',
    (most) => {
      // Exact in JSON: what the API passes on is what it read.
      expect(read(`{"maxSendable":${most}}`).maxSendable).toBe(Number.MAX_SAFE_INTEGER)
    },
  )

  it('reads a minimum amount of 0 as 1', () => expect(read('{"minSendable":0}').minSendable).toBe(1))

  it.each([
    ['"144"', 144],
    ['144', 144],
    ['0', 0],
    ['null', 0],
    ['-5', 0],
    ['"many"', 0],
    ['{}', 0],
    ['1.5', 0],
    ['true', 1],
  ])('reads a comment length of %s as %d', (text, length) => {
    expect(read(`{"commentAllowed":${text}}`).commentAllowed ?? 0).toBe(length)
  })
})

describe('the URL of a fast withdrawal', () => {
  const params: WithdrawParams = {
    tag: 'withdrawRequest',
    callback: 'https://x.org/cb?a=1&b=2',
    k1: 's3cret&=?',
    defaultDescription: 'Ärger & Co',
    minWithdrawable: 1000,
    maxWithdrawable: 2000,
  }
  const url = fastWithdrawUrl('https://x.org/claim?secret=abc', params)

  it('contains the parameters of the withdrawal', () => {
    expect(url.searchParams.get('secret')).toBe('abc')
    expect(readFastWithdraw(url)).toEqual(params)
  })

  it('is understood by another library without a request to the service', async () => {
    // It leaves the numbers as the texts that they are in a URL.
    const numbers = { minWithdrawable: '1000', maxWithdrawable: '2000' }
    expect(await getParams(encodeLnurl(url))).toMatchObject({ ...params, ...numbers, domain: 'x.org' })
    expect(url.href).toContain('defaultDescription=%C3%84rger%20%26%20Co')
  })

  it('is refused if a parameter is missing or wrong', () => {
    for (const field of ['tag', 'k1', 'callback', 'minWithdrawable', 'maxWithdrawable', 'defaultDescription']) {
      const lacking = new URL(url)
      lacking.searchParams.delete(field)
      expect(readFastWithdraw(lacking)).toBeUndefined()
    }
    const wrong = new URL(url)
    wrong.searchParams.set('maxWithdrawable', '1e9')
    expect(readFastWithdraw(wrong)).toBeUndefined()
  })
})
