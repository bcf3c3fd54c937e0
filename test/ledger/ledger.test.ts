import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AlreadyWritten, createLedger, InsufficientFunds, type Ledger, type Move } from '../../src/ledger/ledger.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

let folder: string
let database: TippingDatabase
let ledger: Ledger<Tx>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  database = await warmTippingDatabase(`${folder}/book.sqlite`)
  ledger = createLedger({ database, chart: CHART, clock: systemClock })
})

afterEach(async () => {
  const proof = await ledger.prove()
  await ledger.close()
  await database.close()
  rmSync(folder, { recursive: true })
  expect(proof.faults).toEqual([])
})

const move = (from: string, to: string, amount: number): Move => ({
  from: member(from),
  to: member(to),
  amount: msats(amount),
})
const fund = (who: string, amount: number) =>
  ledger.commit({
    entries: [
      { operation: `fund-${who}`, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(amount) }] },
    ],
  })
const send = (operation: string, ...moves: Move[]) => ledger.commit({ entries: [{ operation, step: 'post', moves }] })

describe('a change', () => {
  it('moves sats between accounts and opens missing accounts', async () => {
    await fund('alice', 5_000)
    await send('tip', move('alice', 'bob', 1_500))
    expect(await ledger.balance(member('alice'))).toBe(3_500n)
    expect(await ledger.balance(member('bob'))).toBe(1_500n)
    expect(await ledger.balance(WALLET)).toBe(-5_000n)
  })

  it('is refused if it would overdraw an account, and the refusal names the shortfall', async () => {
    await fund('alice', 1_000)
    const refusal = await send('tip', move('alice', 'bob', 1_500)).catch((error) => error)
    expect(refusal).toBeInstanceOf(InsufficientFunds)
    expect(refusal).toMatchObject({ balance: 1_000n, missing: 500n, account: member('alice') })
    expect(await ledger.balance(member('bob'))).toBe(0n)
  })

  it('can spend sats that were received in one of its own earlier moves', async () => {
    await fund('alice', 1_000)
    await send('chain', move('alice', 'bob', 1_000), move('bob', 'carol', 700))
    expect(await ledger.balance(member('carol'))).toBe(700n)
  })

  it('is refused if its step was already written or its operation has ended', async () => {
    await fund('alice', 1_000)
    const entry = (step: string) => ({ operation: 'payout', step, moves: [move('alice', 'bob', 10)] })
    await ledger.commit({ entries: [entry('reserve')] })
    await expect(ledger.commit({ entries: [entry('reserve')] })).rejects.toBeInstanceOf(AlreadyWritten)
    await ledger.commit({ entries: [entry('post')] })
    await expect(ledger.commit({ entries: [entry('void')] })).rejects.toBeInstanceOf(AlreadyWritten)
    expect(await ledger.balance(member('bob'))).toBe(20n)
  })

  it('is refused if it moves nothing', async () => {
    await expect(send('nothing')).rejects.toThrow('moves nothing')
  })

  it('runs its own statements in the transaction and returns their result', async () => {
    const moves = [{ from: WALLET, to: member('alice'), amount: msats(5) }]
    const value = await ledger.commit({
      entries: [{ operation: 'alone', step: 'post', moves }],
      rows: [{ table: 'Account', values: { kind: 'pot', owner: 'row' } }],
      write: async (tx) => (await tx.account.create({ data: { kind: 'pot', owner: 'statement' } })).owner,
    })
    expect(value).toBe('statement')
    expect(await ledger.balance(member('alice'))).toBe(5n)
    expect(await database.read.account.count({ where: { kind: 'pot' } })).toBe(2)
  })

  it('writes nothing and rejects with the error if its own statements throw', async () => {
    await fund('alice', 1_000)
    const thrown = new Error('the reason of this change')
    const change = ledger.commit({
      entries: [{ operation: 'tip', step: 'post', moves: [move('alice', 'bob', 100)] }],
      write: async (tx) => {
        await tx.account.create({ data: { kind: 'pot', owner: 'left-over' } })
        throw thrown
      },
    })
    await expect(change).rejects.toBe(thrown)
    expect(await ledger.balance(member('bob'))).toBe(0n)
    expect(await database.read.account.count({ where: { kind: 'pot' } })).toBe(0)
  })
})

describe('changes that share a transaction', () => {
  it('are refused individually', async () => {
    await fund('alice', 1_000)
    const results = await Promise.allSettled([
      send('first', move('alice', 'bob', 600)),
      send('too-much', move('alice', 'bob', 600)),
      ledger.commit({
        entries: [{ operation: 'thrown', step: 'post', moves: [move('alice', 'bob', 1)] }],
        write: async () => Promise.reject(new Error('no')),
      }),
      send('last', move('alice', 'carol', 400)),
      send('first', move('carol', 'bob', 1)),
    ])
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    expect(await ledger.balance(member('alice'))).toBe(0n)
    expect(await ledger.balance(member('bob'))).toBe(600n)
  })

  it('are all written except the one that breaks a unique key', async () => {
    await fund('alice', 1_000)
    const account = (owner: string) => ledger.commit({ rows: [{ table: 'Account', values: { kind: 'pot', owner } }] })
    const results = await Promise.allSettled([account('same'), account('same'), send('tip', move('alice', 'bob', 5))])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await ledger.balance(member('bob'))).toBe(5n)
  })

  it('never overdraw an account together', async () => {
    await fund('alice', 10_000)
    const tips = Array.from({ length: 100 }, (_, i) => send(`tip-${i}`, move('alice', `member-${i}`, 300)))
    const results = await Promise.allSettled(tips)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(33)
    expect(await ledger.balance(member('alice'))).toBe(100n)
  })
})

describe('the book', () => {
  it('shows an account’s history newest first, one page at a time', async () => {
    await fund('alice', 1_000)
    await send('one', move('alice', 'bob', 1))
    await send('two', move('bob', 'alice', 1))
    const page = await ledger.history(member('alice'), { limit: 2 })
    expect(page.map((line) => [line.operation, line.amount, line.other.owner])).toEqual([
      ['two', 1n, 'bob'],
      ['one', -1n, 'bob'],
    ])
    const rest = await ledger.history(member('alice'), { limit: 2, before: page[1]?.id })
    expect(rest.map((line) => line.operation)).toEqual(['fund-alice'])
  })

  it('refuses edits and deletions in its journal', async () => {
    await fund('alice', 1_000)
    await expect(database.write.move.updateMany({ data: { amount: 1n } })).rejects.toThrow()
    await expect(database.write.entry.deleteMany({})).rejects.toThrow()
    expect(await database.read.move.findMany()).toMatchObject([{ amount: 1_000n }])
  })

  it('refuses accounts that its chart forbids, even if created without the ledger', async () => {
    await expect(database.write.account.create({ data: { kind: 'member', owner: 'x', balance: -1n } })).rejects.toThrow(
      /Account_sign/,
    )
    await expect(database.write.account.create({ data: { kind: 'unheard-of', owner: 'x' } })).rejects.toThrow(
      /Account_sign/,
    )
  })

  it('fails its proof if a balance was edited by hand', async () => {
    await fund('alice', 1_000)
    await database.write.account.updateMany({ where: { kind: 'member', owner: 'alice' }, data: { balance: 999n } })
    const proof = await ledger.prove()
    expect(proof.faults).toEqual([
      'all balances together are -1 msats, not 0',
      'member alice shows 999 msats, but its moves make 1000',
    ])
    await database.write.account.updateMany({ where: { kind: 'member', owner: 'alice' }, data: { balance: 1000n } })
  })

  it('fails its proof if a chain of moves was cut by hand', async () => {
    await fund('alice', 1_000)
    await send('tip', move('alice', 'bob', 1))
    const alice = { kind: 'member', owner: 'alice' }
    const { id, lastMoveId } = await database.read.account.findFirstOrThrow({ where: alice })
    await database.write.account.update({ where: { id }, data: { lastMoveId: 1 } })
    expect((await ledger.prove()).faults).toEqual(['the moves of member alice are not chained as they were made'])
    await database.write.account.update({ where: { id }, data: { lastMoveId } })
  })

  it('stores amounts above 2^53 exactly', async () => {
    const huge = 2_099_999_999_999_999_999n
    await ledger.commit({
      entries: [{ operation: 'huge', step: 'post', moves: [{ from: WALLET, to: OPERATOR, amount: msats(huge) }] }],
    })
    expect(await ledger.balance(OPERATOR)).toBe(huge)
  })
})
