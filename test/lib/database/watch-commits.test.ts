import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sql } from '@prisma/client/runtime/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Chance } from '../../../proof/world/chance.ts'
import { onSickDisk } from '../../../proof/world/crashing-database.ts'
import { warmTipping } from '../../../proof/world/warm-clients.ts'
import { fileOfUrl } from '../../../src/lib/database/database.ts'
import { openTippingDatabase, type TippingDatabase } from '../../../src/tipping/core/database.ts'

class Ended extends Error {}

let folder: string
let database: TippingDatabase
let sick: boolean
let heard: { file: string; error: unknown }[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commits-'))
  sick = false
  heard = []
  const failed = (): never => {
    throw new Error('nobody asks the disk itself')
  }
  const disk = { chance: () => new Chance('commits'), risk: () => (sick ? 1 : 0), failed }
  database = await openTippingDatabase(
    `file:${join(folder, 'book.sqlite')}`,
    (adapter) => warmTipping(onSickDisk(adapter, disk)),
    (file, error) => {
      heard.push({ file, error })
      throw new Ended()
    },
  )
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const seenAt = new Date(0)
const INSERT = new Sql([`INSERT INTO "Member" ("id", "seenAt") VALUES ('9', '1970-01-01T00:00:00.000+00:00')`], [])

describe('an error at COMMIT', () => {
  it('reaches the process-ending handler in every kind of transaction', async () => {
    sick = true
    const { write } = database
    await expect(write.$transaction((tx) => tx.member.create({ data: { id: '1', seenAt } }))).rejects.toThrow()
    const both = ['2', '3'].map((id) => write.member.create({ data: { id, seenAt } }))
    await expect(write.$transaction(both)).rejects.toThrow()
    await expect(database.writeRaw((client) => client.$executeRaw(INSERT))).rejects.toThrow()
    expect(heard.map(({ file }) => file)).toEqual(Array(3).fill(fileOfUrl(database)))
    for (const { error } of heard) expect(error).toMatchObject({ cause: { originalMessage: 'disk I/O error' } })
  })

  it('is not confused with a failed statement, a rollback or a read transaction', async () => {
    sick = true
    const { write, read } = database
    const thrown = new Error('a refusal')
    const refused = write.$transaction(async (tx) => {
      await tx.member.create({ data: { id: '1', seenAt } })
      throw thrown
    })
    await expect(refused).rejects.toBe(thrown)
    await expect(write.$transaction((tx) => tx.$executeRawUnsafe('INSERT INTO "Nowhere" VALUES (1)'))).rejects.toThrow()
    const undone = database.writeRaw(async (client) => {
      await client.$executeRaw(INSERT)
      throw thrown
    })
    await expect(undone).rejects.toBe(thrown)
    expect(await read.$transaction((tx) => tx.member.count())).toBe(0)
    expect(heard).toEqual([])
  })
})
