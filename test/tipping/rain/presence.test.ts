import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { TippingDatabase } from '../../../src/tipping/core/database.ts'
import { DEFAULT_SETTINGS } from '../../../src/tipping/core/settings.ts'
import { Presence } from '../../../src/tipping/rain/presence.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { warmTippingDatabase } from '../../support/warm-databases.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Parts = ConstructorParameters<typeof Presence>[0]

let folder: string
let database: TippingDatabase
let clock: ManualClock
let presence: Presence
/** The tasks that run at intervals. */
let repeated: { name: string; everyMs: number; task: () => Promise<unknown> }[]
/** The number of rows after each transaction. */
let commits: number[]
let transaction: (write: (tx: unknown) => Promise<void>) => Promise<void>

function open(alone: boolean): Presence {
  const commit = ({ write }: { write?: (tx: unknown) => Promise<void> }) => transaction(async (tx) => await write?.(tx))
  const every = (name: string, everyMs: number, task: () => Promise<unknown>) => repeated.push({ name, everyMs, task })
  const around = { activity: { every }, ownership: { alone }, settings: DEFAULT_SETTINGS }
  return new Presence({ clock, database, commit, ...around } as unknown as Parts)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presence-'))
  database = await warmTippingDatabase(join(folder, 'tipping.sqlite'))
  clock = new ManualClock()
  repeated = []
  commits = []
  transaction = async (write) => {
    await database.write.$transaction(write)
    commits.push(await database.read.presence.count())
  }
  presence = open(true)
  await presence.since('guild', new Date(0))
  // What was forgotten at the start: nothing.
  expect(commits.splice(0)).toEqual([0])
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const since = (ago: number) => presence.since('guild', new Date(clock.now() - ago))
const heard = (...members: string[]) => {
  for (const member of members) presence.heard('guild', member)
}

it('active people are listed in the order of their ids', async () => {
  heard('dave', 'bob')
  await since(0)
  await clock.advance(MINUTE_MS)
  heard('carol')
  expect(await since(MINUTE_MS)).toEqual(['bob', 'carol', 'dave'])
  expect(await since(0)).toEqual(['carol'])
})

it('a person’s activity is stored at most once a minute, however much they write', async () => {
  heard('bob', 'carol')
  expect(await since(0)).toEqual(['bob', 'carol'])
  heard('bob', 'carol')
  heard('bob', 'dave')
  expect(await since(0)).toEqual(['bob', 'carol', 'dave'])
  heard('bob', 'carol', 'dave')
  await since(0)
  expect(commits).toEqual([2, 3])
})

it('a person’s activity is stored again if they write in the next minute', async () => {
  heard('bob', 'carol')
  await since(0)
  await clock.advance(MINUTE_MS)
  heard('carol')
  expect(await since(0)).toEqual(['carol'])
  heard('bob')
  expect(await since(0)).toEqual(['bob', 'carol'])
  heard('bob', 'carol')
  await since(0)
  expect(commits).toHaveLength(3)
})

it('a person whose last message came a minute ago does not count as active now', async () => {
  heard('bob', 'carol')
  await clock.advance(MINUTE_MS)
  heard('bob')
  expect(await since(0)).toEqual(['bob'])
  heard('bob')
  expect(await since(0)).toEqual(['bob'])
  expect(commits).toEqual([2])
  heard('carol')
  expect(await since(0)).toEqual(['bob', 'carol'])
})

it('of 501 active people, 500 are stored in one write, and the last in the next', async () => {
  heard(...Array.from({ length: 501 }, (_, n) => `member-${n}`))
  let written = 0
  const upsert = async () => {
    written += 1
  }
  transaction = async (write) => {
    await write({ member: { findMany: async () => [] }, presence: { upsert } })
    commits.push(written)
  }
  await since(0)
  expect(commits).toEqual([500, 501])
})

it('activity that is more than a month old is deleted, in one run a day', async () => {
  heard('bob')
  await since(0)
  for (let day = 1; day <= 30; day += 1) {
    await clock.advance(DAY_MS - 1)
    expect(await since(32 * DAY_MS)).toEqual(['bob'])
    await clock.advance(1)
    expect(await since(32 * DAY_MS)).toEqual(['bob'])
  }
  expect(commits.splice(0)).toHaveLength(31)
  await clock.advance(DAY_MS)
  heard('carol')
  expect(await since(32 * DAY_MS)).toEqual(['bob', 'carol'])
  expect(commits.splice(0)).toEqual([2, 2])
  await clock.advance(DAY_MS)
  await since(0)
  expect(await since(40 * DAY_MS)).toEqual(['carol'])
  expect(commits).toEqual([1])
})

it('a person’s activity up to the deletion of their data is not stored afterwards', async () => {
  const forgetNow = async (member: string) => {
    const at = new Date(clock.now())
    await database.write.member.create({ data: { id: member, seenAt: at, forgottenAt: at } })
  }
  heard('bob')
  await clock.advance(1)
  heard('carol')
  for (const member of ['bob', 'carol', 'dave', 'erin']) await forgetNow(member)
  await clock.advance(1)
  heard('dave')
  expect(await since(MINUTE_MS)).toEqual(['dave'])
})

it.each([
  ['every minute', true, MINUTE_MS],
  ['every 10 seconds beside other bots', false, 10_000],
])('activity is written %s by a task named “note who is active”', async (_, alone, everyMs) => {
  presence = open(alone)
  presence.start()
  expect(repeated).toEqual([{ name: 'note who is active', everyMs, task: expect.any(Function) }])
  heard('bob')
  await repeated[0]?.task()
  expect(await database.read.presence.count()).toBe(1)
})
