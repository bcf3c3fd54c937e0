import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sql } from '@prisma/client/runtime/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { TippingDatabase } from '../../../src/tipping/core/database.ts'
import { warmTippingDatabase } from '../../support/warm-databases.ts'

let folder: string
let database: TippingDatabase

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'raw-'))
  database = await warmTippingDatabase(join(folder, 'book.sqlite'))
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (owner: string) =>
  new Sql(['INSERT INTO "Account" ("kind", "owner") VALUES (', ', ', ')'], ['member', owner])
const ask = (owner: string) =>
  new Sql(['SELECT "owner", "balance", "lastMoveId" FROM "Account" WHERE "owner" = ', ''], [owner])

const owners = async () => (await database.read.account.findMany()).map(({ owner }) => owner)

it('a raw transaction commits and returns rows with column names', async () => {
  const rows = await database.writeRaw(async (client) => {
    expect(await client.$executeRaw(insert('alice'))).toBe(1)
    return await client.$queryRaw(ask('alice'))
  })
  expect(rows).toEqual([{ owner: 'alice', balance: 0n, lastMoveId: null }])
  expect(await owners()).toEqual(['alice'])
})

it('a raw transaction with a failed statement writes nothing and releases its lock', async () => {
  const twice = database.writeRaw(async (client) => {
    await client.$executeRaw(insert('alice'))
    await client.$executeRaw(insert('alice'))
  })
  await expect(twice).rejects.toMatchObject({ cause: { kind: 'UniqueConstraintViolation' } })
  await database.writeRaw((client) => client.$executeRaw(insert('bob')))
  expect(await owners()).toEqual(['bob'])
})

it('raw transactions and Prisma’s transactions wait for each other', async () => {
  const happened: string[] = []
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = database.write.$transaction(async (tx) => {
    begun.resolve()
    await goOn.promise
    await tx.account.create({ data: { kind: 'member', owner: 'alice' } })
    happened.push('Prisma')
  })
  await begun.promise
  const second = database.writeRaw(async (client) => {
    happened.push(`raw, after ${(await client.$queryRaw<unknown[]>(ask('alice'))).length}`)
    await client.$executeRaw(insert('bob'))
  })
  const third = database.write.$transaction(async (tx) => {
    happened.push(`Prisma, after ${await tx.account.count()}`)
  })
  goOn.resolve()
  await Promise.all([first, second, third])
  expect(happened).toEqual(['Prisma', 'raw, after 1', 'Prisma, after 2'])
})

it('the raw reader reads committed rows and cannot write', async () => {
  await database.writeRaw((client) => client.$executeRaw(insert('alice')))
  expect(await database.readRaw.$queryRaw(ask('alice'))).toEqual([{ owner: 'alice', balance: 0n, lastMoveId: null }])
  await expect(database.readRaw.$queryRaw(insert('bob'))).rejects.toThrow(/read-?only/)
  expect(await owners()).toEqual(['alice'])
})

it('the raw reader does not see uncommitted rows', async () => {
  await database.writeRaw(async (client) => {
    await client.$executeRaw(insert('alice'))
    expect(await database.readRaw.$queryRaw(ask('alice'))).toEqual([])
  })
  expect(await database.readRaw.$queryRaw(ask('alice'))).toHaveLength(1)
})
