import { describe, expect, it } from 'vitest'
import { encodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { feeLimit, type Msats, msats, sats } from '../../../src/lib/money/amount.ts'
import type { OutgoingContext } from '../../../src/tipping/engine/outgoing/outgoing.ts'
import type { Decision, Withdrawal } from '../../../src/tipping/generated/client.ts'
import { mustCover } from '../../../src/tipping/withdrawals/conditions.ts'
import { feeLimits } from '../../../src/tipping/withdrawals/fee-limits.ts'
import { offerOf } from '../../../src/tipping/withdrawals/fetch-invoice.ts'
import { isOverdue, isUntold, overdueSince, untold } from '../../../src/tipping/withdrawals/open-withdrawals.ts'
import { mustLive, readAddress, readDestination } from '../../../src/tipping/withdrawals/read-destination.ts'
import { startForwarding } from '../../../src/tipping/withdrawals/start-forwarding.ts'
import { WITHDRAWAL_DECISIONS } from '../../../src/tipping/withdrawals/withdrawal-decisions.ts'
import { answerOfPayment, answerOfRequest } from '../../../src/tipping/withdrawals/withdrawal-outcome.ts'
import { makeOffer } from '../../support/bolt12-texts.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const HOUR = 3_600_000
const clock = new ManualClock()
const rowWith = (some: Partial<Withdrawal>) => some as Withdrawal

/** Returns the refusal of a text, with the message that people read; undefined if the text is accepted. */
function refusalOf(read: () => unknown): object | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    const { name, code, facts } = error as { name: string; code: string; facts: object }
    return { name, code, facts }
  }
}

const refused = (code: string, facts: object = {}) => ({ name: 'TippingRefusal', code, facts })

describe('the provider’s answer about a payment', () => {
  const payment = {
    id: 'remote',
    amount: sats(5),
    fee: msats(7n),
    invoice: 'LNBC1X',
    status: 'completed',
    failure: null,
  }
  const read = (some: object) =>
    answerOfPayment(rowWith({ invoice: 'lnbc1x', amount: sats(5) }), { ...payment, ...some } as never)

  it('contains the amount, the id and the outcome', () => {
    const known = { amount: sats(5), remoteId: 'remote', unlike: undefined }
    expect(read({})).toStrictEqual({
      ...known,
      outcome: { kind: 'paid', remoteId: 'remote', fee: 7n, preimage: undefined },
    })
    expect(read({ status: 'pending' })).toStrictEqual({ ...known, outcome: { kind: 'open', remoteId: 'remote' } })
    expect(read({ status: 'resting' }).outcome).toStrictEqual({ kind: 'open', remoteId: 'remote' })
  })

  it.each<[object | null | undefined, string | null]>([
    [{ code: 'no_route', message: 'No way.' }, '[no_route] No way.'],
    [{ message: 'No way.' }, 'No way.'],
    [{ code: 'no_route' }, '[no_route] '],
    [{ code: 'unheard_of' }, ''],
    [{}, null],
    [{ code: '', message: '' }, null],
    [null, null],
    [undefined, null],
  ])('contains the reason for a failure (%j: %j)', (failure, reason) => {
    const { outcome } = read({ status: 'failed', failure })
    expect(outcome).toStrictEqual({ kind: 'failed', because: 'failed', reason })
  })

  it('is not accepted with another invoice or amount, but can omit the invoice', () => {
    const unlike = /^the provider shows another payment: 5000 msats, completed$/
    expect(read({ invoice: 'lnbc1y' }).unlike).toMatch(unlike)
    expect(read({ amount: sats(6) }).unlike).toBe('the provider shows another payment: 6000 msats, completed')
    for (const invoice of [null, '', 'lnbc1x']) expect(read({ invoice }).unlike).toBeUndefined()
  })
})

it('an answer about a code contains the code’s amount, id, text and outcome', () => {
  const expiresAt = new Date(5)
  const read = (some: object) =>
    answerOfRequest(rowWith({ amount: sats(5) }), {
      ...{ id: 'remote', amount: sats(5), fee: null, status: 'pending', expiresAt, invoice: { request: 'lnurl' } },
      ...some,
    } as never)
  const offer = { request: 'lnurl', expiresAt, claimed: false }
  expect(read({})).toStrictEqual({
    ...{ amount: sats(5), remoteId: 'remote', unlike: undefined },
    outcome: { kind: 'open', remoteId: 'remote', offer },
  })
  expect(read({ status: 'processing' }).outcome).toMatchObject({ offer: { claimed: true } })
  // A claim that failed opens it again.
  expect(read({ status: 'failed' }).outcome).toMatchObject({ kind: 'open', offer: { claimed: false } })
  expect(read({ status: 'completed' }).outcome).toStrictEqual({ kind: 'paid', remoteId: 'remote', fee: undefined })
  expect(read({ status: 'completed', fee: 0n }).outcome).toMatchObject({ fee: 0n })
  expect(read({ status: 'expired' }).outcome).toStrictEqual({ kind: 'failed', because: 'expired', reason: null })
  expect(read({ amount: 1n }).unlike).toBe('the provider shows another withdrawal request: 1 msats')
})

describe('an overdue withdrawal', () => {
  const now = clock.now()
  const [recent, old] = [new Date(now - HOUR + 1), new Date(now - HOUR)]
  const untoldWith = (some: Partial<Withdrawal>) =>
    isUntold(rowWith({ state: 'sending', sentAt: old, expiresAt: null, fee: null, ...some }), now)

  it('is an hour past its code’s expiry, or past its sending if it has no code', () => {
    expect(overdueSince({ expiresAt: recent, sentAt: old })).toBe(recent)
    expect(overdueSince({ expiresAt: null, sentAt: old })).toBe(old)
    expect(isOverdue({ expiresAt: null, sentAt: old }, now)).toBe(true)
    expect(isOverdue({ expiresAt: recent, sentAt: old }, now)).toBe(false)
    expect(isOverdue({ expiresAt: null, sentAt: null }, now)).toBe(false)
  })

  it('has been sent and has not ended, or is paid without a known fee', () => {
    const states = ['asked', 'cancelled', 'reserved', 'sending', 'unknown', 'offered', 'claimed', 'paid', 'returned']
    expect(states.filter((state) => untoldWith({ state }))).toEqual(['sending', 'offered', 'claimed', 'paid'])
    expect(states.filter((state) => untoldWith({ state, fee: 0n }))).toEqual(['sending', 'offered', 'claimed'])
    expect(states.filter((state) => untoldWith({ state, sentAt: recent }))).toEqual([])
  })

  it('is found in the database by its state, its fee and its times', () => {
    const lte = old
    const [sent, unpriced] = [{ state: { in: ['sending', 'offered', 'claimed'] } }, { state: 'paid', fee: null }]
    const [expired, sentLongAgo] = [{ expiresAt: { lte } }, { expiresAt: null, sentAt: { lte } }]
    expect(untold(now)).toEqual({
      OR: [
        { ...sent, ...expired },
        { ...sent, ...sentLongAgo },
        { ...unpriced, ...expired },
        { ...unpriced, ...sentLongAgo },
      ],
    })
  })
})

describe('a decision about a withdrawal', () => {
  const { endOf, isUnknown, unknown, isPaidForCertain, particulars, misplaced, corrected, decided } =
    WITHDRAWAL_DECISIONS
  const context = { clock } as unknown as OutgoingContext

  it('is possible only if the outcome is unknown or long overdue', () => {
    expect(unknown(context)).toEqual({ OR: [{ state: 'unknown' }, untold(clock.now())] })
    const row = { expiresAt: null, sentAt: new Date(clock.now() - HOUR), fee: null }
    expect(isUnknown(context, rowWith({ ...row, state: 'unknown' }))).toBe(true)
    expect(isUnknown(context, rowWith({ ...row, state: 'sending' }))).toBe(true)
    expect(isUnknown(context, rowWith({ ...row, state: 'sending', sentAt: new Date(clock.now()) }))).toBe(false)
    expect(isUnknown(context, rowWith({ ...row, state: 'returned' }))).toBe(false)
  })

  it('supplies a missing outcome, but cannot deny a payment that was made', () => {
    const ends = (fee: bigint | null) =>
      ['sending', 'unknown', 'returned', 'paid'].map((state) => endOf(rowWith({ state, fee })))
    expect(ends(1n)).toEqual([undefined, undefined, 'failed', 'paid'])
    expect(ends(null)).toEqual([undefined, undefined, 'failed', undefined])
    expect(isPaidForCertain?.(rowWith({ state: 'paid', fee: null }))).toBe(true)
    expect(isPaidForCertain?.(rowWith({ state: 'paid', fee: 0n }))).toBe(false)
    expect(isPaidForCertain?.(rowWith({ state: 'unknown', fee: null }))).toBe(false)
    expect([WITHDRAWAL_DECISIONS.name, WITHDRAWAL_DECISIONS.noun]).toEqual(['withdrawal', 'withdrawal'])
    expect(WITHDRAWAL_DECISIONS.said).toEqual({ paid: 'was paid', failed: 'did not leave' })
  })

  it('shows the withdrawal’s destination, starting time and id at the provider', () => {
    const [createdAt, sentAt] = [new Date(1), new Date(2)]
    const whole = { amount: 5n, destination: 'bob@b.test', invoice: 'lnbc1x', remoteId: 'remote', createdAt, sentAt }
    const told = (some: Partial<Withdrawal>) => particulars(rowWith({ ...whole, ...some }))
    expect(told({})).toStrictEqual({ amount: 5n, to: 'bob@b.test', since: sentAt, remoteId: 'remote' })
    expect(told({ destination: null, sentAt: null })).toMatchObject({ to: 'lnbc1x', since: createdAt })
    expect(told({ destination: null, invoice: null })).toMatchObject({ to: 'remote' })
    expect(told({ destination: null, invoice: null, remoteId: null })).toMatchObject({ to: '', remoteId: undefined })
  })

  it('books the whole fee limit as the fee, and can be corrected', () => {
    const row = rowWith({
      id: 'one',
      member: 'alice',
      amount: 5n,
      feeLimit: 2n,
      fee: null,
      state: 'unknown',
      remoteId: null,
    })
    const entriesOf = (outcome: string) =>
      decided(context, row, { id: 'nine', outcome } as Decision, 'seen').entries ?? []
    const sums = (outcome: string) =>
      entriesOf(outcome).map(({ step, moves }) => [
        step,
        ...moves.map(({ amount }) => amount).filter((each) => each > 0n),
      ])
    expect(sums('paid')).toEqual([['post', 5n, 2n]])
    expect(sums('failed')).toEqual([['void', 7n]])
    expect([misplaced(row, {} as Decision), misplaced({ ...row, fee: 1n }, {} as Decision)]).toEqual([7n, 6n])
    const correctedTo = (outcome: string) => corrected(row, { outcome } as Decision, 'seen at the node')
    const reason = 'seen at the node'
    expect(correctedTo('failed')).toEqual({ state: 'returned', because: 'failed', reason, fee: null })
    expect(correctedTo('paid')).toEqual({ state: 'paid', because: null, reason: null, fee: 2n })
    expect(WITHDRAWAL_DECISIONS.toTheWallet).toBe('failed')
  })

  it('stores the provider’s id, or the decision’s id if there is none', async () => {
    const written: object[] = []
    const withdrawal = {
      findFirst: async () => ({ state: 'unknown' }),
      updateMany: async ({ data }: { data: object }) => void written.push(data),
    }
    // No line of a pool's list.
    const addressLine = { findUnique: async () => null }
    for (const remoteId of ['remote', null]) {
      const row = rowWith({ id: 'one', member: 'alice', amount: 5n, feeLimit: 2n, state: 'unknown', remoteId })
      const decision = { id: 'nine', outcome: 'paid' } as unknown as Decision
      const change = decided(context, { ...row, card: null, forwarded: false }, decision, 'seen')
      await change.write?.({ withdrawal, addressLine } as never)
    }
    expect(written).toMatchObject([
      { state: 'paid', fee: 2n, remoteId: 'remote' },
      { state: 'paid', fee: 2n, remoteId: 'decided-nine' },
    ])
  })
})

describe('the destination of a withdrawal', () => {
  const context = { egress: { lnurl: { allowLoopbackHttp: true } } } as never
  const read = (typed?: string) => readDestination(context, typed)
  const invoice = encodeInvoice({
    ...{ network: 'regtest', amount: sats(5), description: 'outside', createdAt: new Date(clock.now()) },
    ...{
      expiresInSeconds: 3_600,
      paymentHash: 'ab'.repeat(32),
      paymentSecret: 'cd'.repeat(32),
      privateKey: '11'.repeat(32),
    },
  })

  it('is a code if nothing was typed', () => {
    for (const typed of [undefined, '', '  ', 'lightning:']) expect(read(typed)).toEqual({ kind: 'request' })
  })

  it('is an invoice, an address, a pay code, an offer or a Bitcoin name', () => {
    expect(read(` LIGHTNING://${invoice.toUpperCase()}`)).toMatchObject({
      kind: 'invoice',
      invoice: { amount: sats(5) },
    })
    expect(read('Bob@b.test')).toMatchObject({ kind: 'address', name: 'bob@b.test' })
    const code = encodeLnurl('https://b.test/pay')
    const { url } = read(code) as { url: URL }
    expect(read(code)).toMatchObject({ kind: 'address', name: code })
    expect(url.href).toBe('https://b.test/pay')
    const offer = makeOffer({ amount: 7n })
    expect(read(offer.toUpperCase())).toMatchObject({ kind: 'offer', to: offer, offer: { amount: 7n } })
    const long = `bob@${'b'.repeat(300)}.test`
    expect(read('₿bob@b.test')).toStrictEqual({ kind: 'offer', to: '₿bob@b.test', name: 'bob@b.test' })
    expect(read(`₿${long}`)).toStrictEqual({ kind: 'offer', to: `₿${long}`, name: long.slice(0, 255) })
  })

  it('is a wallet at the provider if a name was typed', () => {
    for (const name of ['bob', '@bob', 'lightning:bob', 'Bob_2-x', 'b'.repeat(30), '12345']) {
      expect(read(name)).toStrictEqual({ kind: 'gamertag', gamertag: name.replace(/^@|^lightning:/, '') })
    }
  })

  it('is refused with the error for the kind that it resembles most', () => {
    for (const text of ['lnbc1x', 'LNBC1X', 'lightning:lntb1x', '//lnsb1x', 'lnbcrt1x', `lno1${'q'.repeat(9)}b`]) {
      expect(refusalOf(() => read(text))).toEqual(refused('invoice-unreadable'))
    }
    const long = `to ${'b'.repeat(57)}`
    for (const text of ['lnxx1x', 'lnurl1damaged', 'lnurlp://', 'a@b@c', 'https://x.org/pay', '@', long]) {
      expect(refusalOf(() => read(text))).toEqual(refused('destination-not-understood', { text }))
    }
    const cut = { text: `${long.slice(0, 59)}…` }
    expect(refusalOf(() => read(`${long}b`))).toEqual(refused('destination-not-understood', cut))
    for (const text of [
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    ]) {
      expect(refusalOf(() => read(text))).toEqual(refused('destination-not-understood', { text }))
    }
    for (const text of [
      'bo',
      'bob@',
      'bob+tag',
      'b'.repeat(31),
      'example.com',
      '@example.com',
      'Böb',
      '<@123>',
      '<@!123>',
    ]) {
      expect(refusalOf(() => read(text))).toEqual(refused('destination-half', { text }))
    }
    const onChain = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    for (const text of [
      onChain,
      onChain.toUpperCase(),
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      `bitcoin:${onChain}?amount=1`,
    ]) {
      expect(refusalOf(() => read(text))).toEqual(refused('destination-on-chain', { text }))
    }
    for (const text of ['lnurlw://b.test/claim', 'LNURLW:b.test/claim', 'lightning:lnurlw://b.test/claim']) {
      expect(refusalOf(() => read(text))).toEqual(refused('code-pays-out'))
    }
  })

  it('must be a Lightning Address if tips are forwarded to it', () => {
    expect(readAddress(context, ' BOB@b.test ')).toMatchObject({ kind: 'address', name: 'bob@b.test' })
    for (const typed of [encodeLnurl('https://b.test/pay'), invoice, 'bob', ` ${'b'.repeat(41)} `]) {
      const facts = { text: typed.trim().length > 60 ? `${typed.trim().slice(0, 59)}…` : typed.trim() }
      expect(refusalOf(() => readAddress(context, typed))).toEqual(refused('address-not-understood', facts))
    }
    const long = `bob@${'b'.repeat(300)}.test`
    expect(refusalOf(() => readAddress(context, `₿${long}`))).toEqual(
      refused('bitcoin-name-not-payable', { name: long.slice(0, 255) }),
    )
  })

  it('must be valid for more than a minute if it is an invoice', () => {
    const living = (ms: number) => refusalOf(() => mustLive({ clock }, { expiresAt: new Date(clock.now() + ms) }))
    expect([living(60_000), living(60_001)]).toEqual([refused('invoice-expired'), undefined])
  })
})

/** Creates an invoice for this amount. */
const invoiceOver = (amount: number) =>
  encodeInvoice({
    ...{ network: 'regtest', amount: sats(amount), description: 'x', paymentHash: '01'.repeat(32) },
    ...{ paymentSecret: '02'.repeat(32), privateKey: '03'.repeat(32), expiresInSeconds: 600 },
    createdAt: new Date(clock.now()),
  })

describe('an address at another host', () => {
  it('is not reported as faulty if the error is in the bot', async () => {
    const broken = new Error('broken')
    const fetch = {
      for() {
        throw broken
      },
    }
    const bob = { name: 'bob@b.test', url: new URL('https://b.test'), member: 'alice' }
    await expect(offerOf({ egress: { fetch } } as never, bob)).rejects.toBe(broken)
  })

  it('is not linked if its member unlinks it while it is being linked', async () => {
    const answer = {
      tag: 'payRequest',
      callback: 'https://b.test/x',
      minSendable: 1,
      maxSendable: 1_000_000,
      metadata: '[["text/plain","x"]]',
      // The same answer does for both questions.
      pr: invoiceOver(100),
    }
    const fetch = { for: () => async () => ({ body: new TextEncoder().encode(JSON.stringify(answer)) }) }
    const nobody = { findFirst: async () => null, findMany: async () => [] }
    const context = {
      ...{
        clock,
        egress: { lnurl: {}, fetch },
        commit: async () => undefined,
        poller: { wake: async () => undefined },
      },
      network: { find: async () => undefined },
      database: { read: { address: nobody, member: nobody, walletPromise: nobody } },
    }
    const command = { member: 'bob', address: 'bob@b.test', origin: {} }
    await expect(startForwarding(context as never, command as never)).rejects.toMatchObject({ code: 'not-linked' })
  })
})

describe('the payable part of a balance', () => {
  it('must cover the amount and the fee limit, to the msat', () => {
    const cover = (balance: bigint, ...code: ['insufficient-for-invoice'] | []) =>
      refusalOf(() => mustCover(msats(balance), msats(5n), msats(2n), ...code))
    expect([cover(7n), cover(8n)]).toEqual([undefined, undefined])
    const facts = { balance: 6n, needed: 7n, missing: 1n, feeLimit: 2n }
    expect(cover(6n)).toEqual(refused('insufficient-with-fee', facts))
    expect(cover(6n, 'insufficient-for-invoice')).toEqual(refused('insufficient-for-invoice', facts))
  })

  it('leaves room for the node’s fixed price, or for the fee limit if there is none', async () => {
    const limitOf = async (price: Msats | undefined) =>
      (
        await feeLimits({
          providerNode: async () => ({ priceOf: () => price }),
          settings: { feeLimitPercent: 2 },
        } as never)
      )(sats(5_000))
    expect(await limitOf(sats(3))).toBe(sats(3))
    expect(await limitOf(undefined)).toBe(feeLimit(sats(5_000), 2))
    expect(await limitOf(undefined)).toBe(sats(100))
  })
})
