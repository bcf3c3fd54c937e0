import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { openPaymentsDatabase, type PaymentsDatabase } from '../../../src/payments-service/core/database.ts'
import { createSender } from '../../../src/payments-service/engine/sending/sender.ts'
import { PrismaClient } from '../../../src/payments-service/generated/client.ts'
import { readFigures } from '../../../src/payments-service/monitoring/figures.ts'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld
let folder: string
beforeEach(async () => {
  world = await ServiceWorld.open()
  folder = mkdtempSync(join(tmpdir(), 'figures-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens a database that records its queries. */
async function listening(asked: SqlQuery[]): Promise<PaymentsDatabase> {
  const noting = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
    ...factory,
    async connect() {
      const adapter = await factory.connect()
      const queryRaw = adapter.queryRaw.bind(adapter)
      adapter.queryRaw = (query) => {
        asked.push(query)
        return queryRaw(query)
      }
      return adapter
    },
  })
  return openPaymentsDatabase(`file:${join(folder, 'payments.sqlite')}`, (adapter) => {
    return new PrismaClient({ adapter: noting(adapter) })
  })
}

/** Matches tables that may be read in full, because they contain only open records, or a row for each kind. */
const SMALL =
  /^SCAN (main\.(PaymentTotal|RoutingFee)$|Account USING COVERING INDEX Account_holding$|\(subquery-\d+\)$|sub$)/

it('figures are read without scanning the growing tables of the book', async () => {
  const asked: SqlQuery[] = []
  const database = await listening(asked)
  const sender = createSender({ ...world.service.parts, database })
  const { nodeWatch, bookClock } = world.service.parts
  await readFigures({ database, sender, nodeWatch, bookClock, clock: world.clock })
  expect(asked.length).toBeGreaterThanOrEqual(7)
  await database.close()

  const raw = new Sqlite(join(folder, 'payments.sqlite'))
  const plans = asked.flatMap(({ sql, args }) => {
    const rows = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...args.map((arg) => (arg instanceof Date ? 0 : arg)))
    return (rows as { detail: string }[]).map(({ detail }) => ({ detail, sql }))
  })
  raw.close()
  for (const table of ['PaymentTotal', 'GamertagPayment', 'Payment ', 'Callback', 'Account']) {
    expect(
      plans.some(({ detail }) => detail.includes(table)),
      table,
    ).toBe(true)
  }
  expect(plans.filter(({ detail }) => detail.startsWith('SCAN') && !SMALL.test(detail))).toEqual([])
  const callbacks = plans.filter(({ detail }) => detail.includes('Callback'))
  for (const { detail } of callbacks) expect(detail).toMatch(/^SEARCH (main\.)?Callback USING COVERING INDEX/)
})

it('the figures equal a count of all records', async () => {
  const { client } = await world.project()
  await world.user('alice')
  await client.payToGamertag({ gamertag: 'alice', amount: sats(7), description: '' })
  await client.createVoucher({ amount: sats(50) })
  const pay = () => world.clock.advanceUntil(client.sendPayment({ invoice: invoice() }))
  const invoice = () => world.sandbox.outside.createInvoice({ amount: sats(10) }).invoice
  await pay()
  world.sandbox.setFault('fail')
  await pay()
  world.sandbox.setFault('unknown-then-paid', { delayMs: 600_000 })
  await pay()
  const { read } = world.service.parts.database
  const figures = await readFigures(world.service.parts)
  const counted = await read.payment.groupBy({ by: ['kind', 'status'], _count: true, orderBy: { status: 'asc' } })
  expect(counted).toHaveLength(3)
  expect(figures.payments.filter(({ kind }) => kind === 'invoice').sort(byStatus)).toEqual(
    counted.map(({ kind, status, _count }) => ({ kind, status, count: _count })),
  )
  expect(figures.payments.find(({ kind }) => kind === 'gamertag')?.count).toBe(await read.gamertagPayment.count())
  const users = { kind: 'wallet', owner: { startsWith: 'user:' } }
  const { _sum } = await read.account.aggregate({ where: users, _sum: { balance: true } })
  expect(figures.accounts.get('user_wallet')).toBe(_sum.balance)
  expect(_sum.balance).toBe(sats(7))
  for (const { kind, _sum } of await read.account.groupBy({ by: ['kind'], _sum: { balance: true } })) {
    if (kind !== 'wallet') expect(figures.accounts.get(kind), kind).toBe(_sum.balance)
  }
  expect([...figures.accounts.values()].reduce((sum, total) => sum + total, 0n)).toBe(0n)
})

const byStatus = (a: { status: string }, b: { status: string }) => (a.status < b.status ? -1 : 1)
