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

/** A server that gives these answers in turn, and the URLs it was asked for. */
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

describe('paying', () => {
  it('gets an invoice for what was offered', async () => {
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
    ['a page', '<html>', 'does not take payments'],
    ['a withdrawal', { ...params, tag: 'withdrawRequest' }, 'does not take payments'],
    ['metadata without a description', { ...params, metadata: '[]' }, 'what the payment is for'],
  ])('stops at an offer that is %s', async (_, answer, sentence) => {
    await expect(askToPay(server(answer).fetch, address)).rejects.toThrow(sentence)
  })

  it.each([
    ['too little', { amount: msats(999) }, 'from 1 to 9 sats'],
    ['too much', { amount: msats(9_001) }, 'from 1 to 9 sats'],
    ['a long comment', { comment: 'sixsix' }, 'at most 5 characters'],
  ])('asks for nothing that was not offered: %s', async (_, change, sentence) => {
    const { fetch, asked } = server(params)
    const offer = await askToPay(fetch, address)
    await expect(requestInvoice(fetch, offer, { ...request, ...change })).rejects.toThrow(sentence)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['another amount', { pr: invoice({ amount: msats(5_001) }) }, '5.001 sats instead of 5 sats'],
    ['no amount', { pr: invoice({ amount: undefined }) }, 'any amount instead of 5 sats'],
    ['another purpose', { pr: invoice({ descriptionHash: '00'.repeat(32) }) }, 'not for what'],
    ['a plain description', { pr: invoice({ descriptionHash: undefined, description: 'Coffee' }) }, 'not for what'],
    ['another network', { pr: invoice({ network: 'bitcoin' }) }, 'for bitcoin, not for regtest'],
    ['too little time', { pr: invoice({ expiresInSeconds: 60 }) }, 'about to expire'],
    ['nonsense', { pr: 'lnbc1nonsense' }, 'invalid invoice'],
    ['an unknown success action', { pr: invoice(), successAction: { tag: 'aes' } }, 'no invoice that could be used'],
    [
      'a link elsewhere',
      { pr: invoice(), successAction: { tag: 'url', description: '', url: 'https://x.org' } },
      'foreign',
    ],
  ])('refuses an invoice with %s', async (_, answer, sentence) => {
    const { fetch } = server(params, answer)
    const offer = await askToPay(fetch, address)
    const attempt = requestInvoice(fetch, offer, { ...request, minSecondsLeft: 60 })
    await expect(attempt).rejects.toThrow(LnurlProblem)
    await expect(attempt).rejects.toThrow(sentence)
  })
})

describe('withdrawing', () => {
  const withdraw = {
    tag: 'withdrawRequest' as const,
    callback: 'https://pay.example.com/claim',
    k1: 'secret',
    defaultDescription: 'Prize',
    minWithdrawable: 1_000,
    maxWithdrawable: 1_000,
  }

  it('asks, then hands in an invoice', async () => {
    const { fetch, asked } = server(withdraw, { status: 'OK' })
    const offered = await askToWithdraw(fetch, address)
    await claimWithdrawal(fetch, offered, 'lnbcrt1x')
    expect(asked).toEqual([address.href, 'https://pay.example.com/claim?k1=secret&pr=lnbcrt1x'])
  })

  it('does not ask where the code says it all (LUD-08)', async () => {
    const { fetch, asked } = server()
    expect(await askToWithdraw(fetch, fastWithdrawUrl(address, withdraw))).toEqual(withdraw)
    expect(asked).toEqual([])
  })

  it('passes on why it was refused, and takes nothing but a yes for one', async () => {
    const refused = claimWithdrawal(server({ status: 'ERROR', reason: 'Already claimed.' }).fetch, withdraw, 'x')
    await expect(refused).rejects.toThrow('Already claimed.')
    await expect(claimWithdrawal(server({}).fetch, withdraw, 'x')).rejects.toThrow(LnurlProblem)
  })
})
