import { beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../../src/lib/money/amount.ts'
import { suspense } from '../../../src/payments-service/administration/suspense.ts'
import { OPERATOR, SUSPENSE, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { AdministrationWorld, MORE_THAN_A_PAGE, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
let shop: string
let alice: string

beforeEach(async () => {
  world = await AdministrationWorld.open()
  shop = (await world.administration.createProject('The shop')).projectId
  alice = (await world.administration.createUser('alice')).userId
})
const hash = (id: string) => Buffer.from(id).toString('hex').padEnd(64, '0')

/** Returns the row of a receipt that belongs to nobody. */
const receipt = (id: string, settledAt = world.time()) => ({
  ...{ id, paymentHash: hash(id), amount: 7_000n, reason: 'keysend', note: `note of ${id}`, settledAt },
})

async function arrived(...receipts: ReturnType<typeof receipt>[]): Promise<void> {
  await world.haveMany('UnclaimedReceipt', receipts)
  await world.fill(SUSPENSE, msats(7_000 * receipts.length))
}

/** Returns the row of an invoice of the service: settled by a receipt, or closed. */
const invoice = (id: string, settledBy: string | null) => ({
  ...{ paymentHash: hash(id), request: `ln-${id}`, purpose: 'charge', resourceId: `charge-of-${id}` },
  ...{ payeeKind: 'user', payeeId: alice, amount: 7_000n, status: settledBy === null ? 'closed' : 'settled' },
  ...{ createdAt: world.time(), expiresAt: world.time(), settledBy },
})

const gift = (receiptId: string, to = 'operator', reason = 'ticket 5', by = 'ops') => ({ receiptId, to, reason, by })
const give = (...words: Parameters<typeof gift>) => world.administration.giveSuspense(gift(...words))
const ids = async (asked?: Parameters<typeof world.administration.listSuspense>[0]) =>
  (await world.administration.listSuspense(asked)).map(({ receiptId }) => receiptId)

describe('sats without an owner', () => {
  it('are listed in detail, with any invoice that has the same payment hash', async () => {
    await world.clock.advance(60_000)
    await arrived(receipt('a'), receipt('b'), receipt('c'), receipt('d'))
    await world.haveMany('Invoice', [invoice('b', 'inside'), invoice('c', '17'), invoice('d', null)])
    await world.haveMany('Invoice', [invoice('not asked for', 'inside')])
    const same = { amount: '7000', reason: 'keysend', settledAt: '2030-01-01T00:01:00.000Z', given: null }
    const line = (id: string) => ({ ...same, receiptId: id, paymentHash: hash(id), note: `note of ${id}` })
    const asked = (id: string, paidBy: string | null) => ({
      ...{ ...line(id), invoice: { purpose: 'charge', resource: `charge-of-${id}`, payee: `user:${alice}`, paidBy } },
    })
    expect(await world.administration.listSuspense()).toEqual([
      { ...line('a'), invoice: null },
      asked('b', 'inside'),
      asked('c', 'node'),
      asked('d', null),
    ])
  })

  it('are listed by time of arrival, then by id, starting after any given entry', async () => {
    const [early, late] = [world.time(), world.time(1_000)]
    await arrived(receipt('d', late), receipt('c', early), receipt('a', late), receipt('b', early))
    expect(await ids()).toEqual(['b', 'c', 'a', 'd'])
    expect(await ids({ after: 'b' })).toEqual(['c', 'a', 'd'])
    expect(await ids({ after: 'c' })).toEqual(['a', 'd'])
    expect(await ids({ after: 'a' })).toEqual(['d'])
    expect(await ids({ after: 'd' })).toEqual([])
    expect(await refusalOf(ids({ after: 'nothing' }))).toBe(
      'There is no receipt nothing. "suspense list" shows the receipts in suspense.',
    )
  })

  it('are listed separately from sats that have been assigned', async () => {
    await arrived(receipt('a'), receipt('b'), receipt('c'), receipt('d'))
    for (const id of ['a', 'c', 'd']) await give(id)
    expect(await ids()).toEqual(['b'])
    expect(await ids({ given: false })).toEqual(['b'])
    expect(await ids({ given: true })).toEqual(['a', 'c', 'd'])
    expect(await ids({ given: true, after: 'a' })).toEqual(['c', 'd'])
    // A list goes on also after what was given away since its last page.
    expect(await ids({ after: 'a' })).toEqual(['b'])
  })

  it('are listed in pages of 1,000', async () => {
    const all = Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => `r${String(at).padStart(4, '0')}`)
    await world.haveMany(
      'UnclaimedReceipt',
      all.map((id) => receipt(id)),
    )
    expect(await ids()).toEqual(all.slice(0, 1_000))
    expect(await ids({ after: 'r0999' })).toEqual(['r1000'])
  })
})

describe('an assignment from suspense', () => {
  it.each([
    ['a user', () => `user:${alice}`, () => wallet({ kind: 'user', id: alice })],
    ['a project', () => `project:${shop}`, () => wallet({ kind: 'project', id: shop })],
    ['the operator', () => 'operator', () => OPERATOR],
  ])('gives %s the full amount and is recorded with giver, receiver, reason and time', async (_, to, account) => {
    await arrived(receipt('a'), receipt('b'))
    await world.clock.advance(1_000)
    const given = { to: to(), by: 'ops', reason: 'ticket 5', at: world.time().toISOString() }
    const line = await give('a', to(), '  ticket 5 ')
    expect(line).toMatchObject({ receiptId: 'a', amount: '7000', note: 'note of a', given })
    expect(await world.administration.listSuspense({ given: true })).toEqual([line])
    expect([await world.balance(account()), await world.balance(SUSPENSE)]).toEqual([7_000n, 7_000n])
    expect((await world.entries()).at(-1)).toBe('suspense:a post')
    expect(await ids()).toEqual(['b'])
  })

  it('needs a reason that fits on one line', async () => {
    await arrived(receipt('a'))
    for (const reason of ['', '  ', 'one\ntwo', 'a\u0000b', 'x'.repeat(501)]) {
      expect(await refusalOf(give('a', 'operator', reason))).toBe(
        'Say in one line of at most 500 characters why the sats belong to the recipient: --reason "…". This line is kept with the books.',
      )
    }
    expect(await world.balance(SUSPENSE)).toBe(7_000n)
    const longest = 'x'.repeat(500)
    expect((await give('a', 'operator', ` ${longest} `)).given?.reason).toBe(longest)
  })

  it('needs an existing receipt and an existing receiver, named by kind and id', async () => {
    await arrived(receipt('a'))
    for (const to of ['alice', 'user', 'user:', `user:${alice}:1`, `node:${alice}`, 'operator:', `:${alice}`, '']) {
      expect(await refusalOf(give('a', to))).toBe(
        `Give the sats to user:USERID, project:PROJECTID or operator, not to "${to}".`,
      )
    }
    // A project's id is not a user's, nor a user's a project's.
    for (const [kind, id] of [
      ['user', shop],
      ['project', alice],
    ] as const) {
      expect(await refusalOf(give('a', `${kind}:${id}`))).toBe(
        `There is no ${kind} ${id}. "${kind} list" shows all ${kind}s.`,
      )
    }
    expect(await refusalOf(give('nothing'))).toBe(
      'There is no receipt nothing. "suspense list" shows the receipts in suspense.',
    )
    expect([await world.balance(SUSPENSE), await ids()]).toEqual([7_000n, ['a']])
  })

  const BEFORE = `alex has already given these sats to operator, for this reason: ticket 1. Nothing moved this time.`

  it('can be made only once, and a later operator is told who made it and why', async () => {
    await arrived(receipt('a'), receipt('b'))
    await give('a', 'operator', 'ticket 1', 'alex')
    expect(await refusalOf(give('a', `user:${alice}`))).toBe(BEFORE)
    expect(await world.balance(SUSPENSE)).toBe(7_000n)
  })

  it('is made only once even if two operators saw the same list', async () => {
    await arrived(receipt('a'), receipt('b'))
    const stale = await world.database.read.unclaimedReceipt.findUniqueOrThrow({ where: { id: 'a' } })
    await give('a', 'operator', 'ticket 1', 'alex')
    const { read } = world.database
    // Defined, not assigned: the client would take over what is assigned to an heir of it.
    const unclaimedReceipt = Object.create(read.unclaimedReceipt, { findUnique: { value: async () => stale } })
    const database = { ...world.database, read: Object.create(read, { unclaimedReceipt: { value: unclaimedReceipt } }) }
    const late = suspense({ ...world.parts, database })
    expect(await refusalOf(late.giveSuspense(gift('a')))).toBe(BEFORE)
    expect([await world.balance(OPERATOR), await world.balance(SUSPENSE)]).toEqual([7_000n, 7_000n])
    expect((await world.administration.listSuspense({ given: true }))[0]?.given).toMatchObject({ by: 'alex' })
  })

  it('moves nothing if its receipt is already marked as assigned', async () => {
    await arrived(receipt('a'), receipt('b'))
    const { ledger } = world
    const marking = {
      ...ledger,
      commit: async (change: Parameters<typeof ledger.commit>[0]) => {
        const data = { givenTo: 'operator', givenBy: 'alex', givenReason: 'ticket 1', givenAt: world.time() }
        await world.have((tx) => tx.unclaimedReceipt.update({ where: { id: 'a' }, data }))
        return await ledger.commit(change)
      },
    } as typeof ledger
    const late = suspense({ ...world.parts, ledger: marking })
    expect(await refusalOf(late.giveSuspense(gift('a')))).toBe(BEFORE)
    expect(await world.balance(SUSPENSE)).toBe(14_000n)
  })

  it('that cannot be written to the book fails and leaves the sats in suspense', async () => {
    await arrived(receipt('a'))
    const full = { ...world.ledger, commit: () => Promise.reject(new Error('the disk is full')) }
    const late = suspense({ ...world.parts, ledger: full as typeof world.ledger })
    await expect(late.giveSuspense(gift('a'))).rejects.toThrow('the disk is full')
    expect(await ids()).toEqual(['a'])
  })
})
