import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { hideValue, redact, redactText } from '../../src/lib/redaction.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { processorTime } from '../support/processor-time.ts'

function recorder() {
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', name: 'test', destination: { write: (line) => void lines.push(line) } })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

const PREIMAGE = '8d3f0a17c1f4b62a9e5577d0c3b2a1908d3f0a17c1f4b62a9e5577d0c3b2a190'
const BOT_TOKEN = `${'MTIzNDU2Nzg5MDEyMzQ1Njc4'}.${'Gh1jKl'}.${'abcdefghijklmnopqrstuvwxyz0123456789AB'}`

describe('the function createLogger', () => {
  it('writes one line of JSON with level, name and message', () => {
    const { logger, lines, last } = recorder()
    logger.info({ amount: 2n ** 60n, wallet: 'w1' }, 'paid')
    expect(lines).toHaveLength(1)
    expect(last()).toMatchObject({
      level: 'info',
      name: 'test',
      msg: 'paid',
      amount: '1152921504606846976',
      wallet: 'w1',
    })
  })

  it('writes a repeated error at most 20 times a minute and then counts the rest', async () => {
    const clock = new ManualClock()
    const lines: Record<string, unknown>[] = []
    const write = (line: string) => void lines.push(JSON.parse(line))
    const logger = createLogger({ level: 'info', name: 'test', destination: { write }, clock })
    const said = (msg: string) => lines.filter((line) => line.msg === msg)
    for (let n = 0; n < 1_000; n += 1) {
      logger.child({ n }).error({ err: new Error('disk I/O error') }, 'a look failed')
      logger.info('a payment has arrived')
      logger.error({ alert: 'fee_over_limit', payment: n }, 'an alert')
    }
    logger.error({ err: new Error('another') }, 'a look failed')
    expect(said('a look failed')).toHaveLength(21)
    expect(said('a payment has arrived')).toHaveLength(1_000)
    expect(said('an alert')).toHaveLength(1_000)
    await clock.advance(60_000)
    expect(said('a look failed').at(-1)).toMatchObject({ level: 'error', leftOut: 980 })
    logger.error({ err: new Error('disk I/O error') }, 'a look failed')
    expect(said('a look failed')).toHaveLength(23)
    await clock.advance(60_000)
    expect([said('a look failed').length, clock.pending]).toEqual([23, 0])
  })

  it('writes no line below the configured level', () => {
    const { logger, lines } = recorder()
    logger.trace('nobody hears')
    expect(lines).toEqual([])
  })

  it('writes a child logger’s request id in the child’s lines', () => {
    const { logger, last } = recorder()
    logger.child({ request: 'r-7' }).warn('slow')
    expect(last()).toMatchObject({ request: 'r-7', msg: 'slow' })
  })

  it('writes the type, message, stack and cause of an error', () => {
    const { logger, last } = recorder()
    logger.error({ err: new SyntaxError('half an answer', { cause: new RangeError('too long') }) }, 'unreadable')
    expect(last().err).toMatchObject({
      type: 'SyntaxError',
      message: 'half an answer',
      stack: expect.stringContaining('logger.test'),
      cause: { type: 'RangeError', message: 'too long' },
    })
    logger.error(new TypeError('alone'))
    expect(last()).toMatchObject({ err: { type: 'TypeError' }, msg: 'alone' })
  })

  const secrets: Array<[string, unknown, string]> = [
    ['an API key header', { headers: { apikey: 'sk_12345' } }, 'sk_12345'],
    ['an authorization header', { req: { headers: { Authorization: 'Bearer abc' } } }, 'Bearer abc'],
    ['cookies', { headers: { 'set-cookie': ['session=abcd'] } }, 'session=abcd'],
    ['a token in an array', { users: [{ userToken: 'tok_1' }] }, 'tok_1'],
    ['a deeply nested preimage', { a: { b: { c: { d: { preimage: PREIMAGE } } } } }, PREIMAGE],
    ['a voucher code', { voucher: { code: 'K7MP2XQR' } }, 'K7MP2XQR'],
    ['a voucher code with a dash', { code: 'k7mp-2xqr' }, 'k7mp-2xqr'],
    ['the Discord token', { env: { DISCORD_TOKEN: 'whatever' } }, 'whatever'],
    ['an LNURL k1', { query: { k1: 'abcdef' } }, 'abcdef'],
    ['a secret in a URL', { url: 'https://x.test/v0/payload?secret=hush&amount=5' }, 'hush'],
    ['the secret that signs callbacks', { why: `no match for whsec_${'K7mP+/9x'.repeat(5)}hush=` }, 'hush'],
    ["a database's password in its URL", { why: 'no answer from postgres://satchel:hush@db:5432/book' }, 'hush'],
    ["a proxy's password in its URL", { why: 'https://user:hu.sh@proxy/ is closed' }, 'hu.sh'],
    ['the URL of a pay page', { url: '/pay/0190f3a1-0000-7000-8000-00000000000a/state' }, '00000000000a'],
    [
      "the link to the operators' page, quoted in an error from Discord",
      {
        err: Object.assign(new Error('Unknown interaction'), {
          requestBody: { json: { url: 'https://x.test/operators/sign-in#abcdefghij-hush-0123456789' } },
        }),
      },
      'hush',
    ],
    [
      "a server's key in a message that an error from Discord quotes",
      {
        err: Object.assign(new Error('Unknown'), {
          requestBody: { json: { text: `\n satchel_hush${'k'.repeat(39)}` } },
        }),
      },
      'hush',
    ],
    ["a server's key in an overlay's address", { text: `/overlay#key=satchel_hush${'k'.repeat(39)}` }, 'hush'],
    ['an error with a secret in its message', { err: new Error('GET https://x.test/?k1=hush failed') }, 'hush'],
    ['an error with a secret field', { err: Object.assign(new Error('no'), { config: { apiKey: 'hush' } }) }, 'hush'],
    ['an error as the cause of another', { err: new Error('a', { cause: new Error('secret: ?token=hush') }) }, 'hush'],
    ['a map', { all: new Map([['secret', 'hush']]) }, 'hush'],
  ]
  it.each(secrets)('removes the secret from a line with %s', (_name, fields, secret) => {
    const { logger, lines } = recorder()
    logger.error(fields, 'said')
    expect(lines.join()).toContain('[redacted]')
    expect(lines.join()).not.toContain(secret)
  })

  it('removes secrets from messages, stacks and the bindings of child loggers', () => {
    const { logger, lines } = recorder()
    logger.info(`logging in with ${BOT_TOKEN}`)
    logger.error(new Error(`401 for Bot ${BOT_TOKEN}`))
    logger.child({ apiKey: 'sk_hush_1' }).info('child')
    logger.child({ url: 'https://x.test/?secret=sk_hush_2' }).info('child')
    logger.info('body was %s', JSON.stringify({ preimage: PREIMAGE, nested: JSON.stringify({ token: 'sk_hush_3' }) }))
    const all = lines.join()
    for (const secret of [BOT_TOKEN, 'sk_hush', PREIMAGE]) expect(all).not.toContain(secret)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('replaces circular values and bytes with short descriptions', () => {
    const { logger, last } = recorder()
    const circle: Record<string, unknown> = { bytes: Buffer.alloc(9) }
    circle.self = circle
    logger.info({ circle }, 'round')
    expect(last().circle).toEqual({ bytes: '[9 bytes]', self: '[circular]' })
  })
})

describe('the redaction of logs', () => {
  it('leaves public values unchanged', () => {
    const harmless = {
      code: 'ECONNRESET',
      errno: { code: 'ENOTCONN' },
      problem: { code: 'conflict' },
      preimage: null,
      tokens: 5,
      when: new Date(0),
      key: 'walletId',
      url: 'https://x.test/pay?amount=5',
    }
    expect(redact(harmless)).toEqual({ ...harmless, when: '1970-01-01T00:00:00.000Z' })
  })

  it('shortens LNURL codes and hides tokens in the paths of Discord and of callbacks', () => {
    const lnurl = `LNURL1${'DP68GURN8GHJ7'.repeat(6)}`
    expect(redactText(`scan ${lnurl} now`)).toBe(`scan ${lnurl.slice(0, 12)}[redacted] now`)
    expect(redactText('POST /interactions/123456/aW50ZXJhY3Rpb246MTIzNDU2/callback')).toBe(
      'POST /interactions/123456/[redacted]/callback',
    )
    expect(redactText('POST /callbacks/charge/aW50ZXJhY3Rpb246MTIz')).toBe('POST /callbacks/charge/[redacted]')
  })

  it('hides the secrets in headers that a text quotes', () => {
    expect(redactText('cookie: a=hush; b=hush')).toBe('cookie: [redacted]')
    expect(redactText('apikey=hush&x=1, authorization: Basic hush')).not.toContain('hush')
  })

  it('processes a hostile megabyte of text quickly', () => {
    const pieces = [
      'a-',
      '/callback',
      '/callback/a',
      'bearer ',
      '\\',
      '"',
      ' ',
      'token"',
      'a.',
      'lnurl1',
      '?k1=',
      'cookie:',
    ]
    const spent = processorTime()
    for (const piece of pieces) redactText(piece.repeat(1_000_000 / piece.length))
    expect(spent()).toBeLessThan(5_000)
  })

  it('copies a field named __proto__ without changing the copy’s prototype', () => {
    const copy = redact(JSON.parse('{"__proto__": {"admin": true}}')) as Record<string, unknown>
    expect(copy.admin).toBeUndefined()
    expect(Object.keys(copy)).toEqual(['__proto__'])
  })
})

describe('a secret that gives access to a node', () => {
  const MACAROON = `0201036c6e6402f801030a10${'ab'.repeat(60)}`
  const IN_BASE64 = Buffer.from(MACAROON, 'hex').toString('base64')
  const RUNE = 'KUhZzNlECC7pYsz3QVbF1TqjIUYi3oyESTI7n60hLMs9MA=='

  it.each([
    ['an lnd macaroon in hex', `verification failed for ${MACAROON}`],
    ['a macaroon in upper case', `verification failed for ${MACAROON.toUpperCase()}`],
    ['a macaroon in base64', `{"macaroon":"${IN_BASE64}"}`],
    ['a bare macaroon in base64', `bad request: ${IN_BASE64}`],
    ['a header of lnd', `rejected: Grpc-Metadata-Macaroon: 99${'cd'.repeat(40)}`],
    ['headers as a list', `["grpc-metadata-macaroon", "99${'cd'.repeat(40)}"]`],
    ['a rune in a header', `401 for Rune: ${RUNE}`],
    ['a rune in JSON', `{"rune":"${RUNE}"}`],
    ['a rune in quoted JSON', `body was {\\"rune\\":\\"${RUNE}\\"}`],
    ['a setting', `CORE_LIGHTNING_RUNE=${RUNE} LND_MACAROON=${MACAROON}`],
    [
      'the password of phoenixd',
      `authorization was Basic ${Buffer.from(`satchel:${'aa'.repeat(32)}`).toString('base64')}`,
    ],
  ])('is removed from a text with %s', (_, text) => {
    const clean = redactText(text)
    expect(clean).toContain('[redacted]')
    expect(clean).not.toMatch(/(cd){20}|(ab){20}|(AB){20}|KUhZzNl|n60hLMs|[A-Za-z0-9+/]{40}/)
  })

  it.each(['macaroon', 'Grpc-Metadata-Macaroon', 'rune', 'Rune', 'lnd_macaroon', 'runes'])(
    'is removed from the field %s',
    (name) => expect(redact({ headers: { [name]: 'short' } })).toEqual({ headers: { [name]: '[redacted]' } }),
  )

  it.each([
    'rune: should be base64 string: invalid token',
    'The rune may not call xpay.',
    'cannot get macaroon: verification failed',
    'expected 1 macaroon, got 0',
  ])('is not suspected in the error “%s”, which only mentions its kind', (text) => expect(redactText(text)).toBe(text))

  it('is not suspected in a field whose name only ends in “rune”', () => {
    expect(redact({ prune: 'daily' })).toEqual({ prune: 'daily' })
  })

  it('is removed in every encoding once its value is known', () => {
    const [rune, macaroon] = ['zQ9_known-rune-of-this-process_zQ9', `0909${'ef'.repeat(20)}`]
    expect(redactText(`it was ${rune}`)).toContain(rune)
    hideValue(rune)
    hideValue(macaroon)
    hideValue('short')
    const inBase64 = Buffer.from(macaroon, 'hex').toString('base64')
    for (const text of [rune, macaroon, macaroon.toUpperCase(), inBase64, Buffer.from(rune).toString('base64url')]) {
      expect(redactText(`<${text}> and ${text}!`)).toBe('<[redacted]> and [redacted]!')
    }
    expect(redactText('in short')).toBe('in short')
  })
})
