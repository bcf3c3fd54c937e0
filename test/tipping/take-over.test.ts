import { beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../src/lib/money/amount.ts'
import { OwnershipLost } from '../../src/lib/ownership/ownership.ts'
import type { Outcome, OutgoingContext, OutgoingKind, OutgoingRow } from '../../src/tipping/engine/outgoing/outgoing.ts'
import { pollUnknown, takeOverOutgoing } from '../../src/tipping/engine/outgoing/take-over.ts'
import { scriptedOwnership } from '../support/scripted-ownership.ts'

const NOW = Date.UTC(2030, 0, 10)
const HOUR = 3_600_000

interface Free {
  readonly OR: [{ process: null }, { process: { notIn: string[] } }]
}

type Row = { -readonly [Column in keyof OutgoingRow]: OutgoingRow[Column] }

let rows: Row[]
let told: unknown[]
let jobs: { id: string; nextAt: Date | null }[]
/** The recorded outcomes, by the row's id. */
let outcomes: Record<string, Outcome>
/** Changes the book between a read and the transaction that follows. */
let meanwhile: () => void

beforeEach(() => {
  ;[rows, told, jobs, outcomes, meanwhile] = [[], [], [], {}, () => undefined]
})

function rowOf(id: string, state: string, process: string | null): Row {
  const row = {
    ...{ id, member: 'alice', state, card: null, reason: null, key: id, process },
    ...{ provider: 'provider', replays: true, sentAt: new Date(NOW - HOUR), createdAt: new Date(NOW - HOUR) },
  }
  rows.push(row)
  return row
}

function contextOf(some: Partial<OutgoingKind> = {}, also: object = {}): OutgoingContext {
  const isFree = (row: Row, { OR: [none, { process }] }: Free) =>
    row.process === none.process || !process.notIn.includes(row.process ?? '')
  const table = {
    findMany: async ({ where }: { where: { state: string | { in: string[] } } & Partial<Free> }) => {
      const { state, OR } = where
      const isIn = (row: Row) => (typeof state === 'string' ? row.state === state : state.in.includes(row.state))
      return rows.filter((row) => isIn(row) && (OR === undefined || isFree(row, { OR }))).map((row) => ({ ...row }))
    },
    findFirst: async ({ where }: { where: Partial<Free> & { id: string; state: string | { in: string[] } } }) => {
      const { id, state, OR } = where
      const row = rows.find((one) => one.id === id)
      const isIn = typeof state === 'string' ? row?.state === state : state.in.includes(row?.state ?? '')
      return row !== undefined && isIn && (OR === undefined || isFree(row, { OR })) ? { ...row } : null
    },
    updateMany: async ({ where: { id }, data }: { where: { id: string }; data: Partial<Row> }) =>
      void Object.assign(rows.find((row) => row.id === id) ?? {}, data),
  }
  const kind = {
    ...{ name: 'withdrawal', reservedOf: () => msats(0n), table: () => table },
    failed(_: unknown, { id }: Row, outcome: Outcome) {
      outcomes[id] = outcome
      return { data: { state: 'returned' } }
    },
    ...some,
  } as unknown as OutgoingKind
  type JobUpdate = { where: { id: { in: string[] }; OR?: { nextAt?: null | { gt: Date } }[] }; data: { nextAt: Date } }
  const isAt = (at: Date | null, wanted: null | { gt: Date }) => (at && wanted ? at > wanted.gt : at === wanted)
  const pollJob = {
    upsert: async ({ create }: { create: (typeof jobs)[number] }) => void jobs.push(create),
    updateMany: async ({ where: { id, OR = [{}] }, data }: JobUpdate) => {
      const isDue = (job: (typeof jobs)[number]) =>
        OR.some(({ nextAt }) => nextAt === undefined || isAt(job.nextAt, nextAt))
      for (const job of jobs) if (id.in.includes(job.id) && isDue(job)) Object.assign(job, data)
    },
  }
  let commits = 0
  return {
    ...{
      outgoingKinds: [kind],
      database: { read: {} },
      clock: { now: () => NOW },
      poller: { wake: async () => undefined },
    },
    ownership: scriptedOwnership({ living: ['us', 'neighbour'] }),
    activity: { closed: false },
    logger: { info: (...words: unknown[]) => void told.push(words) },
    commit: async ({ write }: { write: (tx: object) => Promise<unknown> }) => {
      if (commits === 0) meanwhile()
      commits += 1
      return await write({ pollJob })
    },
    ...also,
  } as unknown as OutgoingContext
}

const stateOf = (id: string) => rows.find((row) => row.id === id)?.state

describe('the operations of a dead bot', () => {
  it('are returned if not marked as sent, and are polled immediately if marked', async () => {
    rowOf('one', 'reserved', 'gone')
    rowOf('two', 'sending', 'gone')
    rowOf('three', 'sending', null)
    await takeOverOutgoing(contextOf())
    expect(outcomes).toEqual({ one: { kind: 'failed', because: 'interrupted', reason: null } })
    expect(rows).toMatchObject([
      { state: 'returned', process: 'us' },
      { state: 'unknown', process: 'us', reason: 'the bot was stopped while it was sent' },
      { state: 'unknown', process: 'us' },
    ])
    expect(jobs).toMatchObject([
      { id: 'two', nextAt: new Date(NOW) },
      { id: 'three', nextAt: new Date(NOW) },
    ])
    const facts = { kind: 'withdrawal', rows: 3 }
    expect(told).toEqual([[facts, 'what a bot that is gone has left is taken over']])
  })

  it('are left alone if unknown or ended, as are those of a living process', async () => {
    rowOf('one', 'sending', 'neighbour')
    rowOf('two', 'unknown', 'gone')
    rowOf('three', 'paid', 'gone')
    rowOf('four', 'sending', 'gone')
    await takeOverOutgoing(contextOf({ isOpen: ({ id }) => id === 'four' }))
    expect(rows.map(({ state }) => state)).toEqual(['sending', 'unknown', 'paid', 'sending'])
    expect([told, jobs]).toEqual([[], []])
  })

  it.each<[string, Partial<Row>]>([
    ['a living process has taken them over meanwhile', { process: 'neighbour' }],
    ['they have changed meanwhile', { state: 'paid' }],
  ])('are left alone if %s', async (_, change) => {
    const row = rowOf('one', 'sending', 'gone')
    const expected = { ...row, ...change }
    meanwhile = () => Object.assign(row, change)
    await takeOverOutgoing(contextOf())
    expect(rows).toEqual([expected])
  })

  it('are not taken over by a process that itself counts as dead', async () => {
    rowOf('one', 'reserved', 'gone')
    const ownership = scriptedOwnership({ isLive: () => false })
    await expect(takeOverOutgoing(contextOf({}, { ownership }))).rejects.toThrow(OwnershipLost)
    expect(stateOf('one')).toBe('reserved')
  })
})

it('at its start, a bot polls unknown operations unless they are due within an hour', async () => {
  const due = { never: null, late: new Date(NOW + HOUR + 1), soon: new Date(NOW + HOUR), paid: null }
  for (const [id, nextAt] of Object.entries(due)) {
    rowOf(id, id === 'paid' ? 'paid' : 'unknown', 'us')
    jobs.push({ id, nextAt })
  }
  await pollUnknown(contextOf())
  const at = new Date(NOW)
  expect(Object.fromEntries(jobs.map(({ id, nextAt }) => [id, nextAt]))).toEqual({ ...due, never: at, late: at })
})
