import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/amount.ts'
import { FEE_INCOME } from '../../../src/payments-service/books.ts'
import { redeemVoucher } from '../../../src/payments-service/vouchers/end-voucher.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
})

afterEach(() => world.close())

const post = (path: string, body: object, by: TestProject = project) =>
  world.raw('POST', path, { apiKey: by.apiKey, body })
const create = (body: object = { amount: '250000', description: 'a gift' }) => post('/v1/create-voucher', body)
const redeem = (code: string, by: TestProject = project) => post('/v0/redeem-voucher', { code }, by)
const revoke = (code: string, by: TestProject = project) => post('/v0/revoke-voucher', { code }, by)
const retrieve = (id: string, by: TestProject = project) =>
  world.raw('GET', `/v0/vouchers/${id}`, { apiKey: by.apiKey })
const balanceOf = ({ projectId }: TestProject) => world.balance({ kind: 'project', id: projectId })

/** A user redeems, as the wallet page lets them. */
const redeemAsUser = (id: string, code: string) => {
  const { parts } = world.service
  const by = { redeemer: { kind: 'user', id }, guesser: { user: id }, code } as const
  return redeemVoucher(parts, by, (change) => parts.ledger.commit(change))
}

describe('Create Voucher', () => {
  it('debits amount and fee, and answers with a code of 8 characters', async () => {
    const { status, json } = await create()
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      data: {
        amount: '250000',
        code: expect.stringMatching(/^[2346789ACDEFGHJKMNPQRTVWXY]{8}$/),
        createdAt: '2030-01-01T00:00:00.000Z',
        createTransactionId: expect.any(String),
        description: 'a gift',
        fee: '2500',
        id: expect.any(String),
        unit: 'msats',
        walletId: project.projectId,
      },
      message: expect.stringMatching(/\w/),
    })
    expect(await balanceOf(project)).toBe(10_000_000n - 252_500n)
    expect(await world.service.parts.ledger.balance(FEE_INCOME)).toBe(2_500n)
  })

  it.each([
    ['1', '1000'],
    ['100000', '1000'],
    ['100001', '1001'],
    ['5000099', '50001'],
  ])('of %s msats costs %s: 1 %%, rounded up to a msat, at least a sat', async (amount, fee) => {
    expect((await create({ amount })).json.data).toMatchObject({ amount, fee, description: '' })
  })

  it.each([
    ['more than the wallet holds with the fee', { amount: '9900991' }, 400, 'insufficient_funds'],
    ['more than the operator lets pass', { amount: '10000000001' }, 400, 'amount_too_high'],
    ['zero', { amount: '0' }, 400, 'invalid_amount'],
    ['a number', { amount: 1_000 }, 400, 'invalid_amount'],
    ['no amount', {}, 422, 'missing_field'],
    ['an unknown field', { amount: '1000', code: 'MYCODE22' }, 400, 'unknown_field'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectRefusal(await create(body), status, code)
    expect(await balanceOf(project)).toBe(sats(10_000))
  })

  it('spends the last msat: amount and fee may empty the wallet', async () => {
    expect((await create({ amount: '9900990' })).status).toBe(200)
    expect(await balanceOf(project)).toBe(0n)
  })

  it('is repeated byte for byte for the same Idempotency-Key, and debits once', async () => {
    const headers = { 'idempotency-key': 'voucher-1' }
    const options = { apiKey: project.apiKey, body: { amount: '1000' }, headers }
    const first = await world.raw('POST', '/v1/create-voucher', options)
    const second = await world.raw('POST', '/v1/create-voucher', options)
    expect(second.text).toBe(first.text)
    expect(await balanceOf(project)).toBe(10_000_000n - 2_000n)
  })
})

describe('Retrieve Voucher', () => {
  it('shows whether it is valid, redeemed or revoked', async () => {
    const { data: created } = (await create()).json
    const { fee: _fee, ...shared } = created
    const ends = { redeemedAt: null, redeemedById: null, redeemedTransactionId: null }
    const revoked = { revokedAt: null, revokedById: null, revokedTransactionId: null }
    expect((await retrieve(created.id)).json.data).toEqual({ ...shared, ...ends, ...revoked, updatedAt: null })
    await revoke(created.code)
    expect((await retrieve(created.id)).json.data).toMatchObject({
      revokedAt: '2030-01-01T00:00:00.000Z',
      revokedById: project.projectId,
      revokedTransactionId: expect.any(String),
      redeemedAt: null,
      updatedAt: '2030-01-01T00:00:00.000Z',
    })
  })

  it("knows no other project's voucher, and none that does not exist", async () => {
    const { data } = (await create()).json
    expectRefusal(await retrieve(data.id, await world.project(msats(0))), 404, 'voucher_not_found')
    expectRefusal(await retrieve('nothing'), 404, 'voucher_not_found')
  })
})

describe('Redeem Voucher', () => {
  it('credits another project, whatever the case of the code', async () => {
    const { data } = (await create()).json
    const other = await world.project(msats(0))
    const { status, json } = await redeem(data.code.toLowerCase(), other)
    expect([status, json.data]).toMatchObject([
      200,
      { redeemedById: other.projectId, revokedAt: null, code: data.code },
    ])
    expect(await balanceOf(other)).toBe(250_000n)
  })

  it('credits a user on the wallet page', async () => {
    const id = await world.user('alice')
    const { data } = (await create()).json
    await redeemAsUser(id, data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(250_000n)
    expect((await retrieve(data.id)).json.data).toMatchObject({ redeemedById: id })
  })

  it('works once', async () => {
    const { data } = (await create()).json
    await redeem(data.code)
    expectRefusal(await redeem(data.code), 409, 'voucher_redeemed')
    expectRefusal(await revoke(data.code), 409, 'voucher_redeemed')
  })

  it('fault 13: of a hundred at once, one is credited', async () => {
    const { data } = (await create()).json
    const other = await world.project(msats(0))
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(data.code, other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.code === 'voucher_redeemed')).toHaveLength(99)
    expect(await balanceOf(other)).toBe(250_000n)
  })

  it.each([
    ['no code', {}, 422, 'missing_field'],
    ['a code that is too short', { code: 'ABC' }, 400, 'invalid_field'],
    ['a code that is no text', { code: 12_345_678 }, 400, 'invalid_field'],
    ['a code that nobody has', { code: 'AAAAAAAA' }, 404, 'voucher_not_found'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectRefusal(await post('/v0/redeem-voucher', body), status, code)
  })
})

describe('Revoke Voucher', () => {
  it('returns the amount, not the fee', async () => {
    const { data } = (await create()).json
    const { status, json } = await revoke(data.code)
    expect(status).toBe(200)
    expect(Object.keys(json.data).sort()).toEqual(
      [
        'amount code createdAt description id redeemedAt redeemedById redeemedTransactionId',
        'revokedAt revokedById revokedTransactionId unit',
      ]
        .join(' ')
        .split(' '),
    )
    expect(await balanceOf(project)).toBe(10_000_000n - 2_500n)
    expectRefusal(await revoke(data.code), 409, 'voucher_revoked')
    expectRefusal(await redeem(data.code), 409, 'voucher_revoked')
  })

  it('is for the project that made it alone; to others the voucher does not exist', async () => {
    const { data } = (await create()).json
    expectRefusal(await revoke(data.code, await world.project(msats(0))), 404, 'voucher_not_found')
    expect((await redeem(data.code)).status).toBe(200)
  })

  it('races with redeeming: one of them wins, and the money is at one place', async () => {
    const other = await world.project(msats(0))
    for (let round = 0; round < 10; round += 1) {
      const { data } = (await create({ amount: '1000' })).json
      const answers = await Promise.all([redeem(data.code, other), revoke(data.code), redeem(data.code, other)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
    }
    expect((await balanceOf(project)) + (await balanceOf(other))).toBe(10_000_000n - 10n * 1_000n)
  })
})

describe('guessers of codes', () => {
  it('a user is locked out after ten wrong codes, even for the right one, and for ten minutes', async () => {
    const id = await world.user('alice')
    const { data } = (await create()).json
    for (let i = 0; i < 10; i += 1) {
      await expect(redeemAsUser(id, 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher_not_found' })
    }
    await expect(redeemAsUser(id, data.code)).rejects.toMatchObject({
      code: 'too_many_wrong_codes',
      headers: { 'retry-after': '600' },
    })
    await world.clock.advance(599_999)
    await expect(redeemAsUser(id, data.code)).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
    await world.clock.advance(1)
    await redeemAsUser(id, data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(250_000n)
  })

  it('right codes do not count', async () => {
    const id = await world.user('alice')
    for (let i = 0; i < 15; i += 1) await redeemAsUser(id, (await create({ amount: '1000' })).json.data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(15_000n)
  })

  it("a project's key is locked out after 300, guesses at once included; another key is not", async () => {
    const other = await world.project(msats(0))
    const guesses = await Promise.all(Array.from({ length: 320 }, () => redeem('AAAAAAAA', other)))
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(300)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20)
    const locked = await revoke('AAAAAAAA', other)
    expectRefusal(locked, 429, 'too_many_wrong_codes')
    expect(locked.headers.get('retry-after')).toBe('600')
    expectRefusal(await redeem('AAAAAAAA'), 404, 'voucher_not_found')
  })
})
