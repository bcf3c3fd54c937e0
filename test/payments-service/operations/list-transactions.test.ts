import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
})
interface Transaction {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly amount: string
  readonly balance: string
}

const ask = (query = '', { apiKey } = project, headers: Record<string, string> = {}) =>
  world.raw('GET', `/v0/transactions${query}`, { apiKey, headers })
const list = async (query = '') => (await ask(query)).json.data
const tip = (amount: number) =>
  project.client.payToGamertag({ gamertag: 'alice', amount: sats(amount), description: '' })
/** Resolves to all pages of a list, following the cursors. */
async function pages(query: string): Promise<Transaction[][]> {
  const found: Transaction[][] = []
  for (let after = ''; ; ) {
    const { transactions, next } = await list(`?${query}${after}`)
    found.push(transactions)
    if (next === null) return found
    after = `&after=${next}`
  }
}
/** Checks a statement as a reader would: each balance must be the previous balance, changed by the amount. */
function proveBalances(transactions: readonly Transaction[], start = 0n): void {
  let balance = start
  for (const { direction, amount, balance: shown } of transactions.toReversed()) {
    balance += direction === 'in' ? BigInt(amount) : -BigInt(amount)
    expect(BigInt(shown)).toBe(balance)
  }
}

describe('List Transactions', () => {
  it('200: shows a booking with every field and a null cursor at the end', async () => {
    const body = { amount: sats(5), description: 'tea', internalId: 'order 7' }
    const { data: charge } = await project.client.createCharge(body)
    await world.sandbox.outside.pay(charge.invoice.request)
    await world.until(async () => (await list()).transactions.length === 2)
    const answer = await ask('?limit=1')
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    const [newest] = answer.json.data.transactions
    expect(newest).toEqual({
      id: expect.stringMatching(/^\d+$/),
      createdAt: new Date(world.clock.now()).toISOString(),
      type: 'charge',
      direction: 'in',
      unit: 'msats',
      amount: '5000',
      fee: '0',
      balance: '1005000',
      resourceId: charge.id,
      internalId: 'order 7',
      fiatValue: null,
      fiatCurrency: null,
    })
    expect(await list(`?after=${answer.json.data.next}`)).toMatchObject({
      transactions: [{ type: 'adjustment', direction: 'in', amount: '1000000', balance: '1000000', resourceId: '' }],
      next: null,
    })
  })

  it('the list has every kind of booking with its resource, fee and balance', async () => {
    const alice = await world.user('alice')
    const other = await world.project(sats(1_000))
    const own = (await project.client.createCharge({ amount: sats(3), description: '', internalId: 'c' })).data
    await other.client.sendPayment({ invoice: own.invoice.request })
    const body = { minAmount: sats(4), maxAmount: sats(4), description: 'tea', internalId: 's' }
    const fixed = (await project.client.createStaticCharge(body)).data
    await world.sandbox.outside.pay(fixed.invoice.request)
    const tipped = await tip(10)
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(100) })
    const out = await world.clock.advanceUntil(project.client.sendPayment({ invoice, internalId: 'p' }))
    const { pubkey } = world.sandbox.outside.wallet()
    const keysend = await world.clock.advanceUntil(project.client.sendKeysendPayment({ amount: sats(2), pubkey }))
    const voucher = (await project.client.createVoucher({ amount: sats(50) })).data
    await project.client.revokeVoucher({ code: voucher.code })
    const request = { amount: sats(20), internalId: 'w', expiresIn: 60 }
    const code = (await project.client.createWithdrawalRequest(request)).data
    await project.client.cancelWithdrawalRequest({ id: code.id })
    const { transactions } = await list('?limit=100')
    const of = (resourceId: string | null) =>
      transactions
        .filter((each: { resourceId: string }) => each.resourceId === resourceId)
        .map(({ type, direction, amount, fee, internalId }: Record<string, string>) =>
          [type, direction, amount, fee, internalId].join(' '),
        )
        .toReversed()
    expect(of(own.id)).toEqual(['charge in 3000 0 c'])
    expect(of(fixed.id)).toEqual(['static_charge in 4000 0 s'])
    expect(of(tipped.data.transactionId)).toEqual(['gamertag_payment out 10000 0 '])
    const paid = (await project.client.retrievePayment({ id: out.data.id })).data
    expect(of(out.data.id)).toEqual([
      `payment out 110000 ${paid.fee} p`,
      `payment in ${110_000n - 100_000n - paid.fee} 0 p`,
    ])
    expect(of(keysend.data.paymentId)[0]).toMatch(/^keysend out 12000 \d+ $/)
    expect(of(voucher.id)).toEqual(['voucher out 50000 0 ', 'voucher out 1000 1000 ', 'voucher in 50000 0 '])
    expect(of(code.id)).toEqual(['withdrawal_request out 30000 0 w', 'withdrawal_request in 30000 0 w'])
    proveBalances(transactions)
    expect(BigInt(transactions[0].balance)).toBe(await world.balance({ kind: 'project', id: project.projectId }))
    expect(await world.balance({ kind: 'user', id: alice })).toBe(10_000n)
  })

  it('a charge that a withdrawal code paid inside the books is listed as a charge', async () => {
    const other = await world.project(sats(1_000))
    const code = (await other.client.createWithdrawalRequest({ amount: sats(6), internalId: 'w' })).data
    const { data: charge } = await project.client.createCharge({ amount: sats(6), description: '', internalId: 'c' })
    const offer = await fetch(decodeLnurl(code.invoice.request, { allowLoopbackHttp: true }))
    const { k1, callback } = (await offer.json()) as { k1: string; callback: string }
    await fetch(`${callback}?k1=${k1}&pr=${charge.invoice.request}`)
    const [newest] = (await list()).transactions
    expect(newest).toMatchObject({ type: 'charge', resourceId: charge.id, internalId: 'c', direction: 'in' })
    const theirs = (await ask('?type=withdrawal_request', other)).json.data.transactions
    expect(theirs.map(({ direction, amount }: Transaction) => `${direction} ${amount}`)).toEqual([
      'in 10000',
      'out 16000',
    ])
    expect(theirs.map(({ internalId }: { internalId: string }) => internalId)).toEqual(['w', 'w'])
  })

  it('the list has each booking once across pages even if new bookings arrive', async () => {
    await world.user('alice')
    for (let n = 1; n <= 9; n += 1) await tip(n)
    const first = await list('?limit=4')
    await tip(10)
    const second = await list(`?limit=4&after=${first.next}`)
    const third = await list(`?limit=4&after=${second.next}`)
    const seen = [first, second, third].flatMap(({ transactions }) => transactions)
    expect(seen.map(({ amount }) => amount)).toEqual([
      '9000',
      '8000',
      '7000',
      '6000',
      '5000',
      '4000',
      '3000',
      '2000',
      '1000',
      '1000000',
    ])
    expect(third.next).toBeNull()
    proveBalances(seen)
  })

  it('the list has only bookings of the requested type or time, with correct balances', async () => {
    await world.user('alice')
    await tip(1)
    await world.clock.advance(60_000)
    const from = new Date(world.clock.now()).toISOString()
    await tip(2)
    await project.client.createVoucher({ amount: sats(5) })
    await world.clock.advance(60_000)
    const to = new Date(world.clock.now()).toISOString()
    await tip(3)
    const amounts = async (query: string) => (await pages(query)).flat().map(({ amount }) => amount)
    expect(await amounts('type=gamertag_payment')).toEqual(['3000', '2000', '1000'])
    expect(await amounts('type=gamertag_payment&limit=1')).toEqual(['3000', '2000', '1000'])
    expect(await amounts(`from=${from}&to=${to}`)).toEqual(['1000', '5000', '2000'])
    expect(await amounts(`from=${from}&to=${to}&type=voucher`)).toEqual(['1000', '5000'])
    expect(await amounts(`to=${from}`)).toEqual(['1000', '1000000'])
    expect(await amounts('type=keysend')).toEqual([])
    expect((await list(`?to=${to}&limit=1`)).transactions[0].balance).toBe('991000')
  })

  it('text/csv: returns a table without formulas, with the cursor in a header', async () => {
    const body = { amount: sats(5), description: '', internalId: '=1+1' }
    const { data: charge } = await project.client.createCharge(body)
    await world.sandbox.outside.pay(charge.invoice.request)
    await world.until(async () => (await list()).transactions.length === 2)
    const answer = await ask('?limit=1', project, { accept: 'text/csv' })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [newest] = (await list('?limit=1')).transactions
    expect(answer.text.split('\r\n')).toEqual([
      'id,createdAt,type,direction,amount,fee,balance,unit,resourceId,internalId,fiatValue,fiatCurrency',
      `${newest.id},${newest.createdAt},charge,in,5000,0,1005000,msats,${charge.id},'=1+1,,`,
      '',
    ])
    const next = answer.headers.get('x-next-cursor')
    const last = await ask(`?after=${next}`, project, { accept: 'text/csv;q=0.9, application/json;q=0.5' })
    expect(last.text.split('\r\n')).toHaveLength(3)
    expect(last.headers.get('x-next-cursor')).toBeNull()
  })

  it('the list is JSON unless CSV is preferred, and its refusals are always JSON', async () => {
    for (const accept of ['*/*', 'text/*', 'text/csv;q=0', 'text/csv;q=0.1, application/json', ''])
      expect((await ask('', project, { accept })).json.success).toBe(true)
    expectRefusal(await ask('?limit=x', project, { accept: 'text/csv' }), 400, 'invalid_field')
  })

  it('an empty wallet has an empty list', async () => {
    const answer = await ask('', await world.project(sats(0)))
    expect(answer.json.data).toEqual({ transactions: [], next: null })
  })

  it('400 invalid_cursor: refuses another project’s cursor and an invalid cursor', async () => {
    const other = await world.project()
    await world.user('alice')
    await tip(1)
    const { next } = await list('?limit=1')
    expectRefusal(await ask(`?after=${next}`, other), 400, 'invalid_cursor')
    const made = (text: string) => Buffer.from(text).toString('base64url')
    const own = (text: string) => made(`project:${project.projectId} ${text}`)
    for (const after of ['abc', own('1'), own('-1 5'), own('99999999 0'), own('1 5; DROP'), own('1e9 0'), made('1 0')])
      expectRefusal(await ask(`?after=${after}`), 400, 'invalid_cursor')
  })

  it('400 invalid_cursor: refuses the cursor of the other project in a transfer', async () => {
    const other = await world.project(sats(7))
    await world.restart({ transferGroups: [[project.projectId, other.projectId]] })
    const body = { amount: '1000', receiverWalletId: other.projectId }
    await world.raw('POST', '/v0/internal-transfer', { apiKey: project.apiKey, body })
    const { next } = await list('?limit=1')
    expect((await list(`?after=${next}`)).transactions).toMatchObject([{ balance: '1000000' }])
    expectRefusal(await ask(`?after=${next}`, other), 400, 'invalid_cursor')
  })

  it('400: refuses invalid limits, types and times and unknown fields', async () => {
    for (const limit of ['0', '-1', '1.5', 'x', '501', '1e3', ''])
      expectRefusal(await ask(`?limit=${limit}`), 400, 'invalid_field')
    for (const from of ['yesterday', '2030', '2030-13-01', '2030-01-01T25:00:00Z', '2030-01-01T00:00', ''])
      expectRefusal(await ask(`?from=${from}`), 400, 'invalid_field')
    expectRefusal(await ask('?type=tip'), 400, 'invalid_field')
    expectRefusal(await ask('?type=charge&type=voucher'), 400, 'invalid_field')
    expectRefusal(await ask('?after=a b'), 400, 'invalid_field')
    const unknown = await ask('?before=1')
    expectRefusal(unknown, 400, 'unknown_field')
    expect(unknown.json.message).toBe('The query has no field "before". Its fields are: after, limit, type, from, to.')
  })

  it('403: requires a key that may read', async () => {
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['send'] })
    expectRefusal(await ask('', { ...project, apiKey }), 403, 'missing_scope')
  })

  it('the balances in the list add up to the balance in the ledger', async () => {
    await world.user('alice')
    await Promise.all(Array.from({ length: 30 }, (_, n) => tip(n + 1)))
    const seen = (await pages('limit=7')).flat()
    expect(seen).toHaveLength(31)
    proveBalances(seen)
    const account = wallet({ kind: 'project', id: project.projectId })
    expect(BigInt(seen[0]?.balance ?? 0)).toBe(await world.service.parts.ledger.balance(account))
  })
})

itKeepsEveryPromise(operations.listTransactions)
