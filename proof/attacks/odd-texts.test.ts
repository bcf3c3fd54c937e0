import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect } from 'vitest'
import { operations } from '../../src/payments-api/payments-api.ts'
import { attack, installed, type Project, type WireAnswer } from './installation.ts'

/**
 * Attackers send texts that no database accepts, or that cannot be a name or an id, through every input. Nobody else
 * may notice.
 */
const world = installed({
  ...{ PUBLIC_REQUESTS_PER_SECOND: '0', REQUESTS_PER_SECOND: '0', INVOICES_PER_MINUTE: '0', TRUST_PROXY: 'true' },
})

/** The texts as they appear in an address. */
const ODD_IN_ADDRESSES = [
  '%00',
  'alice%00',
  'alice%00x',
  '%2500',
  '%C0%80',
  '%FF%FE',
  '%ED%A0%80',
  '%F0%9F',
  '%F4%90%80%80',
  '%EF%BF%BF',
  '%E2%80%AE',
  '%20alice',
  'a'.repeat(2_000),
  '9'.repeat(30),
  '9999999999',
  '__proto__',
  'constructor',
  "'%3B--",
  '..%2F..',
  '%0d%0aX-Injected:%201',
]
/** The texts as they appear in a body. */
const ODD_IN_BODIES = [
  '\0',
  'alice\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\udfff\ud800',
  '\uffff',
  '\u202ealice',
  '\u0007\u001b[31m',
  'a'.repeat(20_000),
  '9'.repeat(30),
  '__proto__',
  'https://example.com/\0',
  'https://example.com/\ud800',
  'https://example.com/\u202e',
]

let project: Project

beforeAll(async () => {
  project = await world().project()
  await world().administration.createUser('alice')
})

const alice = () => world().ask('/.well-known/lnurlp/alice')

function expectCalm({ status, text, headers }: WireAnswer, said: string): void {
  // 501 means that this service does not offer the operation.
  expect(status < 500 || status === 501, `${said} → ${status} ${text.slice(0, 200)}`).toBe(true)
  expect(headers.has('x-injected'), said).toBe(false)
}

let strangers = 0

/**
 * Returns headers that give each request its own source address, so that no request is refused because of the others.
 */
function stranger(): Record<string, string> {
  strangers += 1
  return { 'x-forwarded-for': `198.51.${(strangers >> 8) % 256}.${strangers % 256}` }
}

let turns = 0

/**
 * Returns a third of the texts, a different third each time, so that each text is sent to a third of the fields. The
 * fuzzer tries more texts.
 */
function third<T>(all: readonly T[]): T[] {
  turns += 1
  return all.filter((_, nth) => nth % 3 === turns % 3)
}

/** Sends all odd texts at the same time, so that a fault caused by one text shows in another request. */
async function each<T>(odd: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  await Promise.all(odd.map(work))
}

describe('odd texts in addresses', () => {
  const OF_STRANGERS = [
    '/.well-known/lnurlp/ODD',
    '/.well-known/lnurlp/ODD/callback?amount=1000',
    '/.well-known/lnurlp/alice/callback?amount=5000&comment=ODD',
    '/.well-known/lnurlp/alice/callback?amount=5000&payerdata=ODD',
    '/.well-known/lnurlp/alice/callback?amount=5000&nostr=ODD',
    '/.well-known/lnurlp/alice/callback?amount=ODD',
    '/v0/request-static-charges/ODD',
    '/v0/request-static-charges/ODD/callback?amount=1000',
    '/lnurl/verify/ODD',
    '/v0/payload-voucher?secret=ODD',
    '/v0/claim-voucher?k1=ODD&pr=ODD',
    '/v0/payload-withdrawal-request?secret=ODD',
    '/v0/claim-withdrawal-request?k1=ODD&pr=ODD',
    '/wallet/sign-in?token=ODD',
    '/wallet/payments/ODD',
    '/docs/ODD',
    '/docs/search?q=ODD',
    '/ODD',
  ]
  const OF_THE_BOT = ['/callbacks/ODD', '/pay/ODD', '/pay/ODD/state', '/api/v1/servers/ODD', '/operators?x=ODD', '/ODD']

  attack('every public route, with impossible names and ids', 'none causes an internal error', async () => {
    for (const [routes, host] of [
      [OF_STRANGERS, world().url],
      [OF_THE_BOT, world().callbacksUrl],
    ] as const) {
      for (const route of routes) {
        await each(ODD_IN_ADDRESSES, async (odd) => {
          const path = host + route.replaceAll('ODD', odd)
          const headers = stranger()
          expectCalm(await world().ask(path, { headers }), `GET ${path}`)
          expectCalm(await world().ask(path, { body: {}, headers }), `POST ${path}`)
        })
      }
    }
  })

  attack('every operation, with impossible ids', 'none causes an internal error', async () => {
    for (const { verb, path } of Object.values(operations)) {
      if (!path.includes('{')) continue
      await each(ODD_IN_ADDRESSES, async (odd) => {
        const url = path.replaceAll(/\{\w+\}/g, odd)
        const body = verb === 'GET' ? undefined : {}
        expectCalm(await world().ask(url, { method: verb, apiKey: project.apiKey, body }), `${verb} ${url}`)
      })
    }
  })

  attack('a hundred such requests beside a hundred payers', 'every payer is served', async () => {
    const asked = Array.from({ length: 100 }, (_, n) => {
      const odd = world().ask(`/.well-known/lnurlp/${ODD_IN_ADDRESSES[n % ODD_IN_ADDRESSES.length]}`)
      return [odd.then(() => 200), alice().then(({ status }) => status)]
    })
    expect(new Set(await Promise.all(asked.flat()))).toEqual(new Set([200]))
  })
})

describe('odd texts in bodies', () => {
  /** Valid values for an operation's fields, so that a request reaches the one field that has an odd text. */
  const RIGHT: Readonly<Record<string, unknown>> = {
    ...{ amount: '5000', minAmount: '1000', maxAmount: '9000', gamertag: 'alice', description: 'x', maxFee: '1000' },
    ...{ expiresIn: 600, allowedSlots: 5, callbackUrl: 'https://example.com/x', successMessage: 'x', internalId: 'x' },
    ...{ pubkey: `02${'11'.repeat(32)}`, code: 'K7WQ2MHX', metadata: { x: 'y' }, tlvRecords: [], note: 'x' },
  }

  attack('every text field of every operation', 'none causes an internal error', async () => {
    for (const { name, verb, path, body } of Object.values(operations)) {
      const fields = Object.keys(body?.shape ?? {})
      for (const field of fields) {
        await each(third(ODD_IN_BODIES), async (odd) => {
          const right = fields.flatMap((one) => (RIGHT[one] === undefined ? [] : [[one, RIGHT[one]]]))
          const values = field === 'metadata' ? { [odd.slice(0, 99)]: odd.slice(0, 99) } : odd
          const sent = {
            ...Object.fromEntries(right),
            [field]: values,
            ...(name === 'openUser' && { reference: randomUUID() }),
          }
          const url = path.replaceAll(/\{\w+\}/g, randomUUID())
          const answer = await world().ask(url, { method: verb, apiKey: project.apiKey, body: sent })
          expectCalm(answer, `${name} ${field} ${JSON.stringify(odd.slice(0, 40))}`)
        })
      }
    }
  })

  attack('a hundred such requests beside a hundred payments', 'every payment completes', async () => {
    const { apiKey } = project
    const pay = (description: string) =>
      world().ask('/v0/gamertag/send-payment', { apiKey, body: { gamertag: 'alice', amount: '1000', description } })
    const odd = (n: number) => ODD_IN_BODIES[n % ODD_IN_BODIES.length] ?? ''
    const made = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        void world().ask('/v0/gamertag/send-payment', { apiKey, body: { gamertag: odd(n), amount: '1000' } })
        return (await pay('thanks')).status
      }),
    )
    expect(new Set(made)).toEqual(new Set([200]))
  })

  attack('every text field of the wallet page', 'none causes an internal error', async () => {
    const paths = [
      'sign-in',
      'claim',
      'claim/take',
      'device',
      'link-code',
      'receive',
      'redeem',
      'release',
      'rename',
      'send',
      'send/invoice',
      'send/user',
      'language',
    ]
    const names = [
      'to',
      'amount',
      'note',
      'description',
      'code',
      'gamertag',
      'name',
      'nonce',
      'language',
      'sign-in-token',
    ]
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const post = (path: string, body: string, cookie = '') =>
      world().ask(`/wallet/${path}`, { method: 'POST', body, headers: { ...form, ...stranger(), cookie } })
    await each(ODD_IN_ADDRESSES, async (odd) => {
      const { token } = await world().administration.createUser(`user-${randomUUID().slice(0, 8)}`)
      const signedIn = await post('sign-in', `sign-in-token=${token}`)
      const cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
      const { text } = await world().ask('/wallet/settings', { headers: { cookie } })
      const formToken = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      expect(formToken).not.toBe('')
      const fields = names.map((name) => `${name}=${odd}`).join('&')
      for (const path of third(paths))
        expectCalm(await post(path, `token=${formToken}&${fields}`, cookie), `${path} ${odd}`)
      expectCalm(await world().ask('/wallet', { headers: { cookie: `${cookie.split('=')[0]}=${odd}` } }), odd)
    })
  })
})
