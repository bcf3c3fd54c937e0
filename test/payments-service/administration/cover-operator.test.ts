import { beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../../src/lib/money/amount.ts'
import { coverOperator } from '../../../src/payments-service/administration/cover-operator.ts'
import { NODE, OPERATOR, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { AdministrationWorld, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
let shop: string

beforeEach(async () => {
  world = await AdministrationWorld.open()
  shop = (await world.administration.createProject('The shop', msats(100_000))).projectId
})
const holds = async () => [await world.balance(OPERATOR), await world.balance(wallet({ kind: 'project', id: shop }))]
const cover = (amount: number, id = shop) => world.administration.coverOperator(id, msats(amount))

/** Makes the operator bear this many msats that a node took beyond a fee limit. */
async function bore(amount: number): Promise<void> {
  const moves = [{ from: OPERATOR, to: NODE, amount: msats(amount) }]
  const operation = `bore:${(await world.entries()).length}`
  await world.ledger.commit({ entries: [{ operation, step: 'post', moves }] })
}

describe('the operator’s losses', () => {
  it('can be covered from a project’s wallet, and so can new losses later', async () => {
    await bore(5_000)
    const { lastMoveId } = await world.database.read.account.findUniqueOrThrow({ where: { kind_owner: OPERATOR } })
    expect(await cover(3_000)).toEqual({ projectId: shop, covered: '3000', operator: '-2000', balance: '97000' })
    expect((await world.entries()).at(-1)).toBe(`cover:${lastMoveId} post`)
    expect(await cover(2_000)).toEqual({ projectId: shop, covered: '2000', operator: '0', balance: '95000' })
    await bore(1_000)
    expect(await cover(1_000)).toMatchObject({ operator: '0', balance: '94000' })
  })

  it('can be covered only up to their amount, rounded up to a whole sat', async () => {
    await bore(1_001)
    const tooMuch = "The operator's account lacks 1001 msats. An excess could not be taken out again, so nothing moved."
    for (const amount of [2_001, 3_000]) expect(await refusalOf(cover(amount))).toBe(tooMuch)
    expect(await holds()).toEqual([-1_001n, 100_000n])
    expect(await cover(2_000)).toMatchObject({ operator: '999' })
  })

  it('cannot be covered if the operator’s account has no deficit', async () => {
    const nothing = "The operator's account lacks nothing. An excess could not be taken out again, so nothing moved."
    expect(await refusalOf(cover(1_000))).toBe(nothing)
    await world.fill(OPERATOR, msats(1_500))
    for (const amount of [1, 1_000, 2_000]) expect(await refusalOf(cover(amount))).toBe(nothing)
    await bore(1_500)
    for (const amount of [1, 1_000]) expect(await refusalOf(cover(amount))).toBe(nothing)
    expect(await holds()).toEqual([0n, 100_000n])
  })

  it('are covered only from an existing wallet with enough sats', async () => {
    await bore(50_000)
    expect(await refusalOf(cover(1_000, 'nobody'))).toBe(
      'There is no project nobody. "project list" shows all projects.',
    )
    const { projectId } = await world.administration.createProject('Another', msats(1_500))
    expect(await refusalOf(cover(2_000, projectId))).toBe(
      `The wallet of project ${projectId} holds 1.5 sats, which is too little. Pay more in first, with "project deposit SATS".`,
    )
    expect(await world.balance(OPERATOR)).toBe(-50_000n)
  })

  it('are covered once if two operators try together, and the second try is refused', async () => {
    await bore(5_000)
    const both = await Promise.allSettled([cover(2_000), cover(2_000)])
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []))
    expect(refused).toEqual([
      "The operator's account has just changed. Nothing moved. Run npm run audit, then try again.",
    ])
    expect(await holds()).toEqual([-3_000n, 98_000n])
  })

  it('are not covered if the account changes between the check and the move', async () => {
    await bore(5_000)
    const { read } = world.database
    const account = { findUnique: async () => ({ balance: -5_000n, lastMoveId: null }) }
    // Defined, not assigned: the client would take over what is assigned to an heir of it.
    const database = { ...world.database, read: Object.create(read, { account: { value: account } }) }
    const stale = coverOperator({ ledger: world.ledger, database })
    expect(await refusalOf(stale.coverOperator(shop, msats(1_000)))).toMatch('has just changed')
    expect(await holds()).toEqual([-5_000n, 100_000n])
  })

  it('remain if the book cannot be written to, and the error says why', async () => {
    await bore(5_000)
    const { database, ledger } = world
    const full = { ...ledger, commit: () => Promise.reject(new Error('the disk is full')) } as typeof ledger
    const failing = coverOperator({ database, ledger: full })
    await expect(failing.coverOperator(shop, msats(1_000))).rejects.toThrow('the disk is full')
    await world.haveMany('Invoice', [invoice('a', 9_000n)])
    await expect(failing.bearShort('a')).rejects.toThrow('the disk is full')
    expect(await holds()).toEqual([-5_000n, 100_000n])
  })
})

/** Returns the row of an invoice for ten sats, for which this amount arrived. */
const invoice = (id: string, receivedAmount: bigint | null, payeeKind = 'project', payeeId = shop) => ({
  ...{ paymentHash: id, request: `ln-${id}`, purpose: 'static-charge', resourceId: 'charge', payeeKind, payeeId },
  ...{ amount: 10_000n, status: receivedAmount === null ? 'open' : 'settled', createdAt: world.time() },
  ...{ expiresAt: world.time(), receivedAmount },
})

describe('the shortfall of an invoice', () => {
  it('is taken only once from the wallet of the project that made the invoice', async () => {
    await world.haveMany('Invoice', [invoice('a', 9_000n), invoice('b', 9_999n)])
    await bore(1_001)
    expect(await world.administration.bearShort('a')).toBe(1_000n)
    expect((await world.entries()).at(-1)).toBe('short:a post')
    expect(await world.administration.bearShort('a')).toBe(1_000n)
    expect(await holds()).toEqual([-1n, 99_000n])
    expect(await world.administration.bearShort('b')).toBe(1n)
    expect(await holds()).toEqual([0n, 98_999n])
  })

  it('is 0 if all or nothing has arrived, or if no project made the invoice', async () => {
    const user = (await world.administration.createUser('alice')).userId
    await world.fill(wallet({ kind: 'user', id: user }), msats(10_000))
    await world.haveMany('Invoice', [
      invoice('all', 10_000n),
      invoice('more', 10_001n),
      invoice('open', null),
      invoice('of a user', 9_000n, 'user', user),
    ])
    for (const id of ['all', 'more', 'open', 'of a user', 'unknown']) {
      expect(await world.administration.bearShort(id)).toBe(0n)
    }
    expect(await holds()).toEqual([0n, 100_000n])
    expect(await world.balance(wallet({ kind: 'user', id: user }))).toBe(10_000n)
  })

  it('is not taken if the project’s wallet holds too little, and the refusal says so', async () => {
    const { projectId } = await world.administration.createProject('Poor', msats(500))
    await world.haveMany('Invoice', [invoice('a', 9_000n, 'project', projectId)])
    expect(await refusalOf(world.administration.bearShort('a'))).toMatch(`project ${projectId} holds 0.5 sats`)
  })
})
