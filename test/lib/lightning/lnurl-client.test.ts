import { describe, expect, it } from 'vitest'
import { encodeInvoice, type InvoiceDraft } from '../../../src/lib/lightning/bolt11.ts'
import {
  askToPay,
  askToWithdraw,
  claimWithdrawal,
  type LnurlFetch,
  LnurlProblem,
  requestInvoice,
} from '../../../src/lib/lightning/lnurl-client.ts'
import { buildMetadata, descriptionHash, fastWithdrawUrl } from '../../../src/lib/lightning/lnurl-messages.ts'
import { msats } from '../../../src/lib/money/amount.ts'

const now = Date.UTC(2030, 0, 1)
const metadata = buildMetadata({ description: 'Coffee' })
const params = {
  tag: 'payRequest',
  callback: 'https://pay.example.com/cb?id=7',
  minSendable: 1_000,
  maxSendable: 9_000,
  metadata,
  commentAllowed: 5,
}
const address = new URL('https://pay.example.com/lnurl')
const request = { amount: msats(5_000), network: 'regtest' as const, now }

/** Returns a server that gives these answers in turn, and the URLs of the requests to it. */
function server(...answers: unknown[]): { fetch: LnurlFetch; asked: string[] } {
  const asked: string[] = []
  const fetch: LnurlFetch = async (url) => {
    asked.push(url)
    const answer = answers.shift()
    return { body: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)) }
  }
  return { fetch, asked }
}

function invoice(change: Partial<InvoiceDraft> = {}): string {
  return encodeInvoice({
    network: 'regtest',
    amount: msats(5_000),
    descriptionHash: descriptionHash(metadata),
    paymentHash: '01'.repeat(32),
    paymentSecret: '02'.repeat(32),
    createdAt: new Date(now),
    expiresInSeconds: 120,
    privateKey: '03'.repeat(32),
    ...change,
  })
}

it('no invoice is requested for a code whose URL is marked as a withdrawal', async () => {
  const { fetch, asked } = server()
  const attempt = askToPay(fetch, new URL('https://pay.example.com/w?tag=withdrawRequest&k1=1'))
  await expect(attempt).rejects.toMatchObject({ fault: { kind: 'other-purpose', does: 'withdrawRequest' } })
  expect(asked).toEqual([])
})

describe('a payment by LNURL', () => {
  it('gets an invoice within the offered terms', async () => {
    const action = { tag: 'message', message: 'Thank you' }
    const { fetch, asked } = server(params, { pr: invoice(), routes: [], successAction: action })
    const offer = await askToPay(fetch, address)
    expect(offer).toMatchObject({ min: 1_000n, max: 9_000n, description: 'Coffee', commentAllowed: 5 })
    const got = await requestInvoice(fetch, offer, { ...request, comment: 'ta ☕' })
    expect(got).toMatchObject({ invoice: { amount: 5_000n }, successAction: action })
    expect(asked).toEqual([
      'https://pay.example.com/lnurl',
      'https://pay.example.com/cb?id=7&amount=5000&comment=ta+%E2%98%95',
    ])
  })

  it.each([
    ['an error', { status: 'ERROR', reason: 'Closed on Sundays.' }, 'Closed on Sundays.'],
    ['a web page', '<html>', 'does not take payments'],
    ['a withdrawal', { ...params, tag: 'withdrawRequest' }, 'pays out'],
    ['a log-in', { tag: 'login', k1: '00' }, 'signing in'],
    ['of an unknown kind', { tag: 'hologram' }, 'hologram'],
    ['without a description', { ...params, metadata: '[]' }, 'sent no valid description of the payment'],
  ])('fails if the offer is %s', async (_, answer, sentence) => {
    await expect(askToPay(server(answer).fetch, address)).rejects.toThrow(sentence)
  })

  it.each([
    ['too little', { amount: msats(999) }, 'accepts 1 to 9 sats'],
    ['too much', { amount: msats(9_001) }, 'accepts 1 to 9 sats'],
    ['a long comment', { comment: 'sixsix' }, 'at most 5 characters'],
  ])('requests nothing outside the offered terms: %s', async (_, change, sentence) => {
    const { fetch, asked } = server(params)
    const offer = await askToPay(fetch, address)
    await expect(requestInvoice(fetch, offer, { ...request, ...change })).rejects.toThrow(sentence)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['another amount', { pr: invoice({ amount: msats(5_001) }) }, '5.001 sats instead of 5 sats'],
    ['no amount', { pr: invoice({ amount: undefined }) }, 'any amount instead of 5 sats'],
    ['another network', { pr: invoice({ network: 'bitcoin' }) }, 'for bitcoin, not for regtest'],
    ['too short an expiry', { pr: invoice({ expiresInSeconds: 60 }) }, 'about to expire'],
    ['nonsense', { pr: 'lnbc1nonsense' }, 'invalid invoice'],
    [
      'an unknown success action',
      { pr: invoice(), successAction: { tag: 'hologram' } },
      'an unknown action after the payment (hologram)',
    ],
    [
      'a link elsewhere',
      { pr: invoice(), successAction: { tag: 'url', description: '', url: 'https://x.org' } },
      'on another site',
    ],
  ])('refuses an invoice with %s', async (_, answer, sentence) => {
    const { fetch } = server(params, answer)
    const offer = await askToPay(fetch, address)
    const attempt = requestInvoice(fetch, offer, { ...request, minSecondsLeft: 60 })
    await expect(attempt).rejects.toThrow(LnurlProblem)
    await expect(attempt).rejects.toThrow(sentence)
  })
})

describe('an invoice that differs from the request', () => {
  const thanks = { tag: 'message', message: 'x'.repeat(165) }
  it.each<[string, object, object]>([
    ['with a plain description', { pr: invoice({ descriptionHash: undefined, description: 'Coffee' }) }, {}],
    ['for another description', { pr: invoice({ descriptionHash: '00'.repeat(32) }) }, {}],
    ['with an empty description', { pr: invoice({ descriptionHash: undefined, description: '' }) }, {}],
    ['without routes', { pr: invoice(), routes: null }, {}],
    ['with routes of any kind', { pr: invoice(), routes: 'none', disposable: 'yes', verify: 5 }, {}],
    ['with nothing to show', { pr: invoice(), successAction: null }, {}],
    ['with a message that is too long', { pr: invoice(), successAction: thanks }, { successAction: thanks }],
    ['with a broken action', { pr: invoice(), successAction: { tag: 'aes', iv: 1 } }, { successAction: undefined }],
  ])('is accepted if the difference is permitted: %s', async (_, answer, expected) => {
    const { fetch } = server({ ...params, commentAllowed: '5', payerData: 7 }, answer)
    const got = await requestInvoice(fetch, await askToPay(fetch, address), request)
    expect(got).toMatchObject({ invoice: { amount: 5_000n }, ...expected })
  })

  it.each([
    [9_500n, 9_000n],
    [8_999n, 8_000n],
    [1_500n, 1_000n],
  ])('is refused with a suggestion in whole sats: %d msats requested, %d suggested', async (asked, nearest) => {
    const whole = (url: URL) => {
      const amount = BigInt(url.searchParams.get('amount') ?? 0)
      return amount % 1_000n === 0n
        ? { pr: invoice({ amount: msats(amount) }) }
        : { status: 'ERROR', reason: 'Amounts must be a multiple of 1000.' }
    }
    const rounding = (url: URL) => {
      const amount = BigInt(url.searchParams.get('amount') ?? 0)
      return { pr: invoice({ amount: msats(amount - (amount % 1_000n)) }) }
    }
    for (const answer of [whole, rounding]) {
      const offered = { ...params, maxSendable: 9_900 }
      const fetch: LnurlFetch = async (url) => {
        const body = new URL(url).pathname === '/cb' ? answer(new URL(url)) : offered
        return { body: Buffer.from(JSON.stringify(body)) }
      }
      const attempt = requestInvoice(fetch, await askToPay(fetch, address), { ...request, amount: msats(asked) })
      await expect(attempt).rejects.toMatchObject({ fault: { kind: 'whole-sats', try: nearest } })
    }
  })

  it('is refused with the host’s own reason if the host also refuses whole sats', async () => {
    const closed = { status: 'ERROR', reason: 'Closed on Sundays.' }
    const { fetch, asked } = server(params, closed, closed)
    const attempt = requestInvoice(fetch, await askToPay(fetch, address), { ...request, amount: msats(5_500n) })
    await expect(attempt).rejects.toMatchObject({ fault: { kind: 'refused', said: 'Closed on Sundays.' } })
    expect(asked).toHaveLength(3)
  })
})

describe('the answer of a host that might not speak LNURL', () => {
  it.each([
    [404, 'unknown'],
    [410, 'unknown'],
    [401, 'turned-away'],
    [403, 'turned-away'],
    [429, 'turned-away'],
    [451, 'turned-away'],
    [500, 'broken'],
    [503, 'broken'],
    [200, 'foreign'],
    [302, 'foreign'],
  ])('with status %d is classified as %s', async (status, kind) => {
    const fetch: LnurlFetch = async () => ({ status, body: Buffer.from('<html>no</html>') })
    await expect(askToPay(fetch, address)).rejects.toMatchObject({ fault: { kind, host: 'pay.example.com' } })
  })

  it('is understood, whatever its status, if its body follows LNURL', async () => {
    const refusal = Buffer.from(JSON.stringify({ status: 'ERROR', reason: 'Nobody of this name.' }))
    const refusing: LnurlFetch = async () => ({ status: 404, body: refusal })
    await expect(askToPay(refusing, address)).rejects.toMatchObject({ fault: { kind: 'refused' } })
    const offering: LnurlFetch = async () => ({ status: 500, body: Buffer.from(JSON.stringify(params)) })
    expect(await askToPay(offering, address)).toMatchObject({ min: 1_000n })
  })

  it('can contain a picture of 136,536 characters', async () => {
    const picture = JSON.stringify([...JSON.parse(metadata), ['image/png;base64', 'A'.repeat(136_536)]])
    const asked: number[] = []
    const fetch: LnurlFetch = async (_, { maxBytes }) => {
      asked.push(maxBytes)
      return { body: Buffer.from(JSON.stringify({ ...params, metadata: picture })) }
    }
    expect(await askToPay(fetch, address)).toMatchObject({ description: 'Coffee' })
    expect(asked).toEqual([200 * 1024])
  })
})

describe('a withdrawal by LNURL', () => {
  const withdraw = {
    tag: 'withdrawRequest' as const,
    callback: 'https://pay.example.com/claim',
    k1: 'secret',
    defaultDescription: 'Prize',
    minWithdrawable: 1_000,
    maxWithdrawable: 1_000,
  }

  it('asks for the terms and then submits an invoice', async () => {
    const { fetch, asked } = server(withdraw, { status: 'OK' })
    const offered = await askToWithdraw(fetch, address)
    await claimWithdrawal(fetch, offered, 'lnbcrt1x')
    expect(asked).toEqual([address.href, 'https://pay.example.com/claim?k1=secret&pr=lnbcrt1x'])
  })

  it('does not ask for the terms if the code contains all of them (LUD-08)', async () => {
    const { fetch, asked } = server()
    expect(await askToWithdraw(fetch, fastWithdrawUrl(address, withdraw))).toEqual(withdraw)
    expect(asked).toEqual([])
  })

  it('refuses a code that receives payments', async () => {
    const attempt = askToWithdraw(server(params).fetch, address)
    await expect(attempt).rejects.toMatchObject({ fault: { kind: 'other-purpose', does: 'payRequest' } })
  })

  it('reports the reason for a refusal and accepts only OK as success', async () => {
    const refused = claimWithdrawal(server({ status: 'ERROR', reason: 'Already claimed.' }).fetch, withdraw, 'x')
    await expect(refused).rejects.toThrow('Already claimed.')
    await expect(claimWithdrawal(server({}).fetch, withdraw, 'x')).rejects.toThrow(LnurlProblem)
  })
})
