import { describe, expect, it } from 'vitest'
import { encodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { type Msats, msats, sats } from '../../../src/lib/money/amount.ts'
import type { OutgoingContext } from '../../../src/tipping/engine/outgoing/outgoing.ts'
import { END } from '../../../src/tipping/engine/polling/poller.ts'
import type { Withdrawal } from '../../../src/tipping/generated/client.ts'
import { WITHDRAWALS } from '../../../src/tipping/withdrawals/withdrawal-kind.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const HOUR = 3_600_000
const clock = new ManualClock()

const rowWith = (some: Partial<Withdrawal>) => some as Withdrawal

/** Returns the kind's context; the rest must not matter to the kind. */
function contextWith(some: object = {}): OutgoingContext {
  return { clock, clockWatch: { isSteady: () => true }, ...some } as unknown as OutgoingContext
}

const invoiceOver = (amount: Msats | undefined) =>
  encodeInvoice({
    ...{
      network: 'regtest',
      amount,
      description: 'outside',
      createdAt: new Date(clock.now()),
      expiresInSeconds: 3_600,
    },
    ...{ paymentHash: 'ab'.repeat(32), paymentSecret: 'cd'.repeat(32), privateKey: '11'.repeat(32) },
  })

it('a withdrawal reserves its amount and fee limit, and requests only its amount', () => {
  const row = rowWith({ amount: 500n, feeLimit: 10n })
  expect([WITHDRAWALS.amountOf(row), WITHDRAWALS.reservedOf(row)]).toEqual([500n, 510n])
  expect(WITHDRAWALS.name).toBe('withdrawal')
})

describe('the request to the provider for a withdrawal', () => {
  const settings = { callbackUrl: (token: string) => `http://here/${token}`, withdrawalOpenSeconds: 600 }
  const bodyOf = (row: Partial<Withdrawal>, { replays = true, ...some }: object & { replays?: boolean } = {}) =>
    WITHDRAWALS.prepare(
      contextWith({ settings: { ...settings, ...some }, replaysKeys: () => replays }),
      rowWith({ id: 'one', amount: sats(500), feeLimit: sats(10), token: 'secret', invoice: null, ...row }),
    )

  it('contains the purpose and the duration if it is for a code', () => {
    expect(bodyOf({ kind: 'request' })).toEqual({
      ...{ internalId: 'one', callbackUrl: 'http://here/secret', maxFee: '10000' },
      ...{ amount: '500000', description: 'Satchel', expiresIn: 600 },
    })
  })

  it('contains the invoice, and an amount if the invoice has none', () => {
    const [exact, open] = [invoiceOver(sats(500)), invoiceOver(undefined)]
    const shared = { internalId: 'one', callbackUrl: 'http://here/secret', maxFee: '10000' }
    expect(bodyOf({ kind: 'invoice', invoice: exact })).toEqual({ ...shared, invoice: exact })
    expect(bodyOf({ kind: 'address', invoice: open })).toEqual({ ...shared, invoice: open, amount: '500000' })
  })

  it('contains a fee limit and a callback only if they are supported', () => {
    const invoice = invoiceOver(sats(500))
    const shared = { internalId: 'one', invoice }
    const row = { kind: 'pay', invoice }
    for (const [feeLimit, maxFee] of [
      [0n, '1'],
      [1n, '1'],
      [2n, '2'],
    ] as const) {
      expect(bodyOf({ ...row, feeLimit })).toMatchObject({ maxFee })
    }
    const silent = { callbackUrl: () => undefined }
    expect(bodyOf(row, { ...silent, replays: false })).toEqual(shared)
    expect(Object.keys(bodyOf(row, { ...silent, replays: false })).toSorted()).toEqual(['internalId', 'invoice'])
    // A row without a token still has a well-formed address.
    expect(bodyOf({ ...row, token: null }, { replays: false })).toEqual({ ...shared, callbackUrl: 'http://here/' })
  })

  it('is read from its stored form, if there is one', () => {
    expect(WITHDRAWALS.storedBody(rowWith({ body: null }))).toBeUndefined()
    expect(WITHDRAWALS.storedBody(rowWith({ body: '{"internalId":"one"}' }))).toEqual({ internalId: 'one' })
  })

  it('is sent under its key, with amounts as numbers, and its answer is read', async () => {
    const sent: unknown[] = []
    const call =
      (name: string, data: object) =>
      async (...args: unknown[]) => {
        sent.push([name, ...args])
        return { data }
      }
    const payments = {
      createWithdrawalRequest: call('create', {
        id: 'r',
        amount: 5n,
        status: 'pending',
        invoice: { request: 'lnurl' },
      }),
      sendPayment: call('send', { id: 'p', amount: 5n, status: 'completed', fee: 1n, invoice: 'lnbc' }),
    }
    const row = { key: 'key', amount: 5n, invoice: 'lnbc' }
    const request = (kind: string, body: object) =>
      WITHDRAWALS.request(contextWith({ payments }), rowWith({ ...row, kind }), { internalId: 'one', ...body })
    expect(await request('request', { amount: '5', maxFee: '2', expiresIn: 9, description: 'for' })).toMatchObject({
      ...{ remoteId: 'r', unlike: undefined, outcome: { kind: 'open' } },
    })
    expect(await request('invoice', { amount: '5', maxFee: '2', invoice: 'lnbc' })).toMatchObject({
      ...{ remoteId: 'p', unlike: undefined, outcome: { kind: 'paid', fee: 1n } },
    })
    await request('invoice', { invoice: 'lnbc' })
    const options = { idempotencyKey: 'key' }
    expect(sent).toStrictEqual([
      ['create', { internalId: 'one', description: 'for', expiresIn: 9, amount: 5n, maxFee: 2n }, options],
      ['send', { internalId: 'one', invoice: 'lnbc', amount: 5n, maxFee: 2n }, options],
      ['send', { internalId: 'one', invoice: 'lnbc' }, options],
    ])
  })
})

describe('a withdrawal’s id at the provider', () => {
  const row = rowWith({ id: 'one', amount: 5n, invoice: 'lnbc1x', remoteId: null })
  const said = { id: 'remote', internalId: 'one', amount: '5', invoice: 'LNBC1X' }

  function idOf(
    words: unknown,
    { remoteId = null, taken = null }: { remoteId?: string | null; taken?: object | null } = {},
  ) {
    const asked: unknown[] = []
    const findFirst = async (query: unknown) => {
      asked.push(query)
      return taken
    }
    const context = contextWith({ database: { read: { withdrawal: { findFirst } } } })
    const job = { said: words === undefined ? null : JSON.stringify(words) } as never
    return Promise.resolve(WITHDRAWALS.remoteIdOf(context, { ...row, remoteId }, job)).then((id) => ({ id, asked }))
  }

  it('is the stored id if there is one', async () => {
    expect(await idOf({ ...said, id: 'another' }, { remoteId: 'stored' })).toEqual({ id: 'stored', asked: [] })
  })

  it('is taken from a matching callback if no other withdrawal has it', async () => {
    expect(await idOf(said)).toEqual({ id: 'remote', asked: [{ where: { remoteId: 'remote' } }] })
    expect(await idOf(said, { taken: {} })).toMatchObject({ id: null })
    expect(await idOf({ ...said, id: '!'.repeat(64) })).toMatchObject({ id: '!'.repeat(64) })
  })

  it.each([
    ...[undefined, null, 'paid', {}, { ...said, internalId: 'two' }, { ...said, amount: '6' }, { ...said, amount: 5 }],
    ...[
      { ...said, invoice: 'lnbc1y' },
      { ...said, invoice: 1 },
      { ...said, invoice: undefined },
      { ...said, id: 5 },
    ],
    ...[
      { ...said, id: '' },
      { ...said, id: 'a b' },
      { ...said, id: '!'.repeat(65) },
      { ...said, id: 'é' },
    ],
    { ...said, id: 'one\n' },
  ])('is not taken from %j', async (words) => {
    expect(await idOf(words)).toEqual({ id: null, asked: [] })
  })
})

it('a withdrawal is read by its id as a payment or as a code', async () => {
  const read: unknown[] = []
  const answering = (name: string, data: object) => async (of: unknown) => {
    read.push([name, of])
    return { data: { amount: 5n, ...data } }
  }
  const payments = {
    retrievePayment: answering('payment', { id: 'p', status: 'pending', invoice: null }),
    retrieveWithdrawalRequest: answering('request', { id: 'r', status: 'expired', invoice: { request: 'lnurl' } }),
  }
  const outcomeOf = async (kind: string) =>
    (await WITHDRAWALS.read?.(contextWith({ payments }), rowWith({ kind, amount: 5n }), 'remote'))?.outcome
  expect(await outcomeOf('request')).toMatchObject({ kind: 'failed', because: 'expired' })
  for (const kind of ['invoice', 'address', 'pay']) expect(await outcomeOf(kind)).toMatchObject({ kind: 'open' })
  expect(read).toEqual([['request', { id: 'remote' }], ...Array(3).fill(['payment', { id: 'remote' }])])
})

it('sats to be forwarded stay in the balance if forwarding stops before the payment', async () => {
  const asked: unknown[] = []
  const obstacle = (row: object, found: number) => {
    const count = async (query: unknown) => {
      asked.push(query)
      return found
    }
    return WITHDRAWALS.obstacle?.(
      { member: { count } } as never,
      rowWith({ member: 'bob', destination: 'a@b.test', ...row }),
    )
  }
  expect(await obstacle({ forwarded: true }, 0)).toEqual({ kind: 'failed', because: 'interrupted', reason: null })
  expect(await obstacle({ forwarded: true }, 1)).toBeUndefined()
  expect(asked).toEqual(Array(2).fill({ where: { id: 'bob', forwardTo: 'a@b.test' } }))
  expect(await obstacle({ forwarded: false }, 0)).toBeUndefined()
})

describe('a withdrawal that has not ended', () => {
  it('waits for an outcome or a fee from the provider', () => {
    const open = (row: Partial<Withdrawal>) => WITHDRAWALS.isOpen?.(rowWith({ fee: null, remoteId: null, ...row }))
    const states = ['asked', 'cancelled', 'reserved', 'sending', 'unknown', 'offered', 'claimed', 'paid', 'returned']
    expect(states.filter((state) => open({ state }))).toEqual(['offered', 'claimed', 'paid'])
    expect(states.filter((state) => open({ state, remoteId: 'remote', fee: 1n }))).toEqual([
      ...['sending', 'offered', 'claimed'],
    ])
    expect(WITHDRAWALS.openStates).toEqual(['offered', 'claimed'])
    expect(WITHDRAWALS.endures?.(rowWith({}))).toBe(true)
  })

  it('was due to end when its code expired, or else when it was sent or created', () => {
    const [createdAt, sentAt, expiresAt] = [new Date(1), new Date(2), new Date(3)]
    const due = (row: Partial<Withdrawal>) => WITHDRAWALS.dueAt?.(rowWith({ createdAt, sentAt, expiresAt, ...row }))
    expect([due({}), due({ expiresAt: null }), due({ expiresAt: null, sentAt: null })]).toEqual([
      ...[expiresAt, sentAt, createdAt],
    ])
  })

  it('is polled at intervals of a quarter of its age, and just after its code expires', () => {
    const now = clock.now()
    const pause = (ageMs: number, expiresInMs?: number) => {
      const expiresAt = expiresInMs === undefined ? null : new Date(now + expiresInMs)
      return WITHDRAWALS.pauseMs?.(contextWith(), rowWith({ expiresAt }), ageMs)
    }
    const [least = 0, most = 0] = [pause(0), pause(900 * HOUR)]
    expect([least, pause(4_000 * 60), most]).toEqual([2_000, 60_000, HOUR])
    expect([pause(HOUR, 60_000), pause(HOUR, HOUR), pause(HOUR, -60_000)]).toEqual([62_000, HOUR / 4, HOUR / 4])
    // At its expiry to the moment, and until it is looked at.
    expect([pause(HOUR, 0), pause(HOUR, -1_999), pause(HOUR, -2_000)]).toEqual([2_000, 1, HOUR / 4])
  })

  it('is reported with its kind, its amount and its state', () => {
    const row = { kind: 'invoice', amount: 5n, state: 'unknown', reason: 'lost' }
    const told = (some: Partial<Withdrawal>) => WITHDRAWALS.inDoubt(rowWith({ ...row, ...some }), 'noon')
    expect(told({})).toBe('a withdrawal (invoice) of 5 msats is "unknown" since noon: lost')
    expect(told({ reason: null })).toMatch(/: the provider tells no end$/)
    expect(told({ reason: null, state: 'paid' })).toMatch(/: the provider names no fee$/)
  })

  it('does not fail after a refusal that its first attempt or its age may have caused', () => {
    expect([...WITHDRAWALS.dueToTheFirst].toSorted()).toEqual(['already_paid', 'insufficient_funds', 'invoice_expired'])
  })
})

describe('a withdrawal code that nobody was shown', () => {
  const context = contextWith({ settings: { withdrawalOpenSeconds: 600 } })
  const ended = (row: Partial<Withdrawal>, about = context) =>
    WITHDRAWALS.endedByTime?.(about, rowWith({ kind: 'request', state: 'unknown', reason: 'lost', ...row }))
  const ago = (ms: number) => new Date(clock.now() - ms)
  const OVER_MS = 600_000 + HOUR

  it('ends an hour after its expiry if the clock can be trusted', () => {
    const over = { kind: 'failed', because: 'never-shown', reason: 'lost' }
    expect(ended({ sentAt: ago(OVER_MS) })).toEqual(over)
    expect(ended({ sentAt: ago(OVER_MS - 1) })).toBeUndefined()
    // What was never marked as sent counts from when it was made.
    expect(ended({ sentAt: null, createdAt: ago(OVER_MS) })).toEqual(over)
    expect(ended({ sentAt: ago(OVER_MS - 1), createdAt: ago(9 * OVER_MS) })).toBeUndefined()
    const settings = { withdrawalOpenSeconds: 600 }
    const unsteady = contextWith({ settings, clockWatch: { isSteady: () => false } })
    expect(ended({ sentAt: ago(9 * OVER_MS) }, unsteady)).toBeUndefined()
  })

  it.each([{ kind: 'invoice' }, { kind: 'pay' }, { state: 'sending' }, { state: 'offered' }, { state: 'paid' }])(
    'ends by time alone, which a withdrawal with %j does not',
    (row) => {
      expect(ended({ sentAt: ago(99 * OVER_MS), ...row })).toBeUndefined()
    },
  )
})

describe('the record of a withdrawal’s outcome', () => {
  const context = contextWith()
  const at = new Date(clock.now())
  const row = rowWith({ id: 'one', member: 'alice', amount: 500n, feeLimit: 10n, state: 'sending', fee: null })
  const held = { kind: 'held', owner: 'alice' }

  it('states the reason for a failure, and removes the code', () => {
    const { data, moves } = WITHDRAWALS.failed(context, row, { kind: 'failed', because: 'expired', reason: 'No.' })
    expect(data).toStrictEqual({ state: 'returned', because: 'expired', reason: 'No.', request: null, endedAt: at })
    expect(moves).toBeUndefined()
  })

  it('books the amount of a payment, and its fee if that is known', () => {
    const { data, moves = [] } = WITHDRAWALS.paid(context, row, { kind: 'paid', remoteId: 'remote', fee: msats(4n) })
    const rest = { reason: null, request: null, endedAt: at }
    expect(data).toStrictEqual({ state: 'paid', fee: 4n, remoteId: 'remote', ...rest })
    expect(moves[0]).toMatchObject({ from: held, to: { kind: 'wallet' }, amount: 500n })
    expect(moves.map(({ amount }) => amount)).toEqual([500n, 4n, 6n, 0n])
    const unnamed = WITHDRAWALS.paid(context, row, { kind: 'paid', remoteId: 'remote', fee: undefined })
    expect(unnamed.data).toStrictEqual({ state: 'paid', fee: null, remoteId: 'remote', ...rest })
    expect(unnamed.moves).toHaveLength(1)
    expect([unnamed.step, unnamed.from]).toEqual([undefined, undefined])
  })

  it('books a fee that becomes known later, and only once', () => {
    const named = (some: Partial<Withdrawal>, fee: Msats | undefined) =>
      WITHDRAWALS.paid(context, { ...row, state: 'paid', ...some }, { kind: 'paid', remoteId: 'remote', fee })
    const { data, moves = [], step, from } = named({}, msats(4n))
    expect({ data, step, from }).toStrictEqual({ data: { fee: 4n }, step: 'fee', from: ['paid'] })
    expect(moves.map(({ amount }) => amount)).toEqual([4n, 6n, 0n])
    const nothing = { from: ['paid'], data: {} }
    expect([named({}, undefined), named({ fee: 4n }, msats(4n))]).toStrictEqual([nothing, nothing])
  })

  it('shows an open code or a payment in flight', () => {
    const settings = { withdrawalOpenSeconds: 600 }
    const sentAt = new Date(1_000)
    const open = (offer?: object, some: Partial<Withdrawal> = {}) =>
      WITHDRAWALS.open?.(contextWith({ settings }), { ...row, sentAt, ...some }, {
        ...{ kind: 'open', remoteId: 'remote' },
        ...(offer && { offer: { request: 'lnurl', expiresAt: null, claimed: false, ...offer } }),
      } as never).data
    const shared = { remoteId: 'remote', reason: null }
    expect(open()).toStrictEqual({ state: 'sending', ...shared })
    const byOurTime = new Date(601_000)
    expect(open({})).toStrictEqual({ state: 'offered', request: 'lnurl', expiresAt: byOurTime, ...shared })
    expect(open({ claimed: true, expiresAt: at })).toStrictEqual({
      ...{ state: 'claimed', request: 'lnurl', expiresAt: at },
      ...shared,
    })
    expect(open({}, { sentAt: null })).toMatchObject({ expiresAt: new Date(600_000) })
  })

  it('is final once the payment’s fee is known', () => {
    expect(WITHDRAWALS.nextAfter?.({ kind: 'paid', remoteId: 'remote', fee: msats(0n) })).toBe(END)
    expect(WITHDRAWALS.nextAfter?.({ kind: 'paid', remoteId: 'remote', fee: undefined })).toBeUndefined()
    expect(WITHDRAWALS.nextAfter?.({ kind: 'open', remoteId: 'remote' })).toBeUndefined()
  })
})
