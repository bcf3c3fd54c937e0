import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../proof/postgres/server.ts'
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingDatabase, type Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Meddler, meddleWith } from '../support/postgres/meddler.ts'

class Ended extends Error {}

/** A process on the book. Its connections go through a proxy that can hold back its messages. */
interface Process {
  readonly meddler: Meddler
  readonly database: TippingDatabase
  readonly ledger: Ledger<Tx>
  /** The number of times that the process would have ended. */
  ended: number
  close(): Promise<void>
}

let server: PostgresServer
let count = 0
let url: string
let one: Process
let other: Process

beforeAll(async () => {
  // What nobody waits for stays off the disk for so long that a crash surely takes it back.
  server = await startPostgres({ settings: ['wal_writer_delay = 10s', 'autovacuum = off', 'jit = off'] })
  await server.admin('CREATE DATABASE migrated')
  await (await openTippingDatabase(server.url('migrated'))).close()
}, 120_000)

afterAll(() => server.stop(), 60_000)

beforeEach(async () => {
  count += 1
  await server.admin(`CREATE DATABASE flushes_${count} TEMPLATE migrated`)
  // Who opens a book trusts nothing that a server says by itself.
  await server.admin(`ALTER DATABASE flushes_${count} SET client_min_messages = 'error'`)
  url = server.url(`flushes_${count}`)
  one = await start()
  other = await start()
}, 60_000)

afterEach(async () => {
  for (const each of [one, other]) await each.close()
}, 60_000)

async function start(): Promise<Process> {
  const meddler = await meddleWith(url)
  const database = await openTippingDatabase(url.replace(/:\d+\//, `:${meddler.port}/`), undefined, () => {
    self.ended += 1
    throw new Ended()
  })
  const ledger = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock: new ManualClock() })
  const self: Process = {
    ...{ meddler, database, ledger, ended: 0 },
    async close() {
      meddler.onClient = () => 'pass'
      meddler.letGo()
      await ledger.close()
      await database.close()
      await meddler.close()
    },
  }
  return self
}

/** Keeps a process's requests to flush the log from the server. */
function holdFlushes({ meddler }: Process): void {
  meddler.onClient = (bytes) => (bytes.includes('pg_logical_emit_message') ? 'hold' : 'pass')
}

function letGo({ meddler }: Process): void {
  meddler.onClient = () => 'pass'
  meddler.letGo()
}

const isHeld = (process: Process) => expect.poll(() => process.meddler.held).toBe(1)

const fund = ({ ledger }: Process, operation: string, who = 'alice') =>
  ledger.commit({
    entries: [{ operation, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(1_000) }] }],
  })

const NEW_MEMBER = { table: 'Member', values: { id: '7', seenAt: new Date(0) } } as const

const spend = ({ ledger }: Process, operation: string) =>
  ledger.commit({
    entries: [{ operation, step: 'post', moves: [{ from: member('alice'), to: member('bob'), amount: msats(1_000) }] }],
    rows: [NEW_MEMBER],
  })

/** Returns the entries that are seen by a reader that waits for nothing. */
async function entries(at = url): Promise<string[]> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  const { rows } = await client.query('SELECT "operation" FROM tipping."Entry" ORDER BY "id"')
  await client.end()
  return rows.map(({ operation }) => operation)
}

/**
 * Keeps the server from writing its log on its own until the next crash: the next record begins a page, because full
 * pages are written, and the process that flushes the log every ten seconds is stopped.
 */
async function beginPage(): Promise<void> {
  await server.admin(
    `SELECT pg_logical_emit_message(true, '', repeat(' ', 8192 - ((pg_current_wal_insert_lsn() - '0/0') % 8192)::int))`,
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`SELECT "pid" FROM pg_stat_activity WHERE "backend_type" = 'walwriter'`)
  await client.end()
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
}

async function crash(): Promise<void> {
  await server.crash()
  await server.start()
}

/** Records the answer that a process receives, or `nothing` if the process ends first. */
function listen(process: Process, answer: Promise<unknown>): { heard: unknown } {
  const ear = { heard: 'nothing' as unknown }
  const hear = (what: unknown) => {
    if (process.ended === 0) ear.heard = what
  }
  answer.then(hear, hear)
  return ear
}

describe('a change that PostgreSQL commits', () => {
  it('releases the book’s lock before its flush, and is answered only after the flush', async () => {
    holdFlushes(one)
    const first = listen(one, fund(one, 'a'))
    await isHeld(one)
    holdFlushes(other)
    const second = listen(other, fund(other, 'b'))
    await isHeld(other)
    // Both are written, and both wait for the disk at the same time.
    expect(await entries()).toEqual(['a', 'b'])
    expect([first.heard, second.heard]).toEqual(['nothing', 'nothing'])
    letGo(other)
    await expect.poll(() => second.heard).toBeUndefined()
    expect(first.heard).toBe('nothing')
    letGo(one)
    await expect.poll(() => first.heard).toBeUndefined()
  })

  it('survives a crash of the server immediately after its answer', async () => {
    await Promise.all([fund(one, 'a'), fund(other, 'b')])
    await one.ledger.commit({ write: (tx) => tx.member.create({ data: { id: '1', seenAt: new Date(0) } }) })
    await other.database.write.$transaction((tx) => tx.member.create({ data: { id: '2', seenAt: new Date(0) } }))
    await fund(one, 'c')
    await crash()
    expect((await entries()).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await other.database.read.member.count()).toBe(2)
  })

  it('waits for the next flush if it is committed while a flush is under way', async () => {
    holdFlushes(one)
    const first = listen(one, fund(one, 'a'))
    await isHeld(one)
    const second = listen(one, fund(one, 'b'))
    await expect.poll(() => entries()).toEqual(['a', 'b'])
    one.meddler.letGo()
    await expect.poll(() => first.heard).toBeUndefined()
    await isHeld(one)
    expect(second.heard).toBe('nothing')
    letGo(one)
    await expect.poll(() => second.heard).toBeUndefined()
  })

  it('ends the process without an answer if a crash undoes it before the flush', async () => {
    await fund(one, 'a')
    await beginPage()
    holdFlushes(one)
    const answer = listen(one, fund(one, 'b'))
    await isHeld(one)
    expect(await entries()).toEqual(['a', 'b'])
    await crash()
    await expect.poll(() => one.ended).toBe(1)
    expect(answer.heard).toBe('nothing')
    expect(await entries()).toEqual(['a'])
    letGo(one)
    await fund(other, 'c')
    expect((await other.ledger.prove()).faults).toEqual([])
  })

  it('ends the process if the change’s connection is lost, even if another one flushes', async () => {
    await fund(one, 'a')
    const write = async (tx: Tx) => {
      await tx.member.create({ data: { id: '1', seenAt: new Date(0) } })
      const flushing = `query LIKE '%pg_logical_emit_message%' AND pid <> pg_backend_pid()`
      await server.admin(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${flushing}`)
      // What begins now finds another connection that flushes.
      await expect.poll(() => one.ledger.balance(member('alice')).catch(() => 'not yet')).toBe(1_000n)
    }
    const answer = listen(one, one.ledger.commit({ write }))
    await expect.poll(() => one.ended).toBe(1)
    expect(answer.heard).toBe('nothing')
  })

  it('is durable even if the server turns synchronous_commit off meanwhile', async () => {
    await fund(one, 'a')
    await server.admin('ALTER SYSTEM SET synchronous_commit = off')
    await server.admin('SELECT pg_reload_conf()')
    try {
      const setting = async () => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        const { rows } = await client.query('SHOW synchronous_commit')
        await client.end()
        return rows[0]?.synchronous_commit
      }
      await expect.poll(setting).toBe('off')
      await fund(one, 'b')
      await crash()
      expect(await entries()).toEqual(['a', 'b'])
    } finally {
      await server.admin('ALTER SYSTEM RESET synchronous_commit')
      await server.admin('SELECT pg_reload_conf()')
    }
  })

  it('is flushed on the server that wrote it, even if the address led elsewhere before', async () => {
    const settings = ['wal_writer_delay = 10s', 'autovacuum = off', 'jit = off', 'synchronous_commit = off']
    const second = await startPostgres({ settings })
    try {
      await second.admin(`CREATE DATABASE flushes_${count}`)
      const there = second.url(`flushes_${count}`)
      await (await openTippingDatabase(there)).close()
      await fund(one, 'a')
      one.meddler.leadTo(there)
      // Only the connection that writes is lost.
      const writing = `query = 'COMMIT' AND datname = 'flushes_${count}'`
      await server.admin(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${writing}`)
      await expect.poll(() => fund(one, 'b').catch(() => 'not yet')).toBeUndefined()
      await second.crash()
      await second.start()
      expect(await entries(there)).toEqual(['b'])
      expect(one.ended).toBe(0)
    } finally {
      await second.stop()
    }
  })

  it('waits for a standby without holding the lock; a canceled wait ends the process', async () => {
    const others = listen(other, other.ledger.balance(member('alice')))
    await expect.poll(() => others.heard).toBe(0n)
    await server.admin(`ALTER SYSTEM SET synchronous_standby_names = 'nowhere'`)
    await server.admin('SELECT pg_reload_conf()')
    try {
      const answer = listen(one, fund(one, 'a'))
      const waiting = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
      const backends = async () => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        const { rows } = await client.query(`SELECT pid ${waiting}`)
        await client.end()
        return rows.length
      }
      await expect.poll(backends).toBe(1)
      expect(await entries()).toEqual(['a'])
      await server.admin(`SELECT pg_cancel_backend(pid) ${waiting}`)
      await expect.poll(() => one.ended).toBe(1)
      expect(answer.heard).toBe('nothing')
    } finally {
      await server.admin('ALTER SYSTEM RESET synchronous_standby_names')
      await server.admin('SELECT pg_reload_conf()')
    }
  })
})

describe('an answer that rests on an unflushed change', () => {
  class Refused extends Error {}
  const answers: Readonly<Record<string, (process: Process) => Promise<unknown>>> = {
    'a refusal for lack of funds': (process) => spend(process, 'another'),
    'a refusal of a repeated operation': (process) => spend(process, 'spent'),
    'a refusal of a row that exists already': ({ ledger }) => ledger.commit({ rows: [NEW_MEMBER] }),
    'a refusal by code of the change itself': ({ ledger }) =>
      ledger.commit({
        write: async (tx) => {
          if ((await tx.entry.count()) === 2) throw new Refused()
        },
      }),
    'the answer of a change that only reads': ({ ledger }) => ledger.commit({ write: (tx) => tx.entry.count() }),
    'a transaction that wrote nothing': ({ database }) => database.write.$transaction((tx) => tx.entry.count()),
    'a refusal of a transaction': ({ database }) =>
      database.write.$transaction(async (tx) => {
        if ((await tx.entry.count()) === 2) throw new Refused()
      }),
    'a query through the writer': ({ database }) => database.write.entry.count(),
    'a balance': ({ ledger }) => ledger.balance(member('bob')),
    'a query through the reader': ({ database }) => database.read.entry.count(),
  }

  it.each(Object.keys(answers))('is given neither before the flush nor after a crash: %s', async (kind) => {
    await fund(one, 'funds')
    await beginPage()
    holdFlushes(one)
    const spent = listen(one, spend(one, 'spent'))
    await isHeld(one)
    holdFlushes(other)
    const answer = listen(other, (answers[kind] as (process: Process) => Promise<unknown>)(other))
    await isHeld(other)
    expect([spent.heard, answer.heard]).toEqual(['nothing', 'nothing'])
    await crash()
    await expect.poll(() => other.ended > 0 || answer.heard !== 'nothing').toBe(true)
    if (other.ended === 0) expect(String(answer.heard)).toMatch(/connection|nothing happened/)
    expect(await entries()).toEqual(['funds'])
  })

  it.each(Object.keys(answers))(
    'is given after the answering process itself has flushed the change: %s',
    async (kind) => {
      await fund(one, 'funds')
      holdFlushes(one)
      const spent = listen(one, spend(one, 'spent'))
      await isHeld(one)
      const answer = (answers[kind] as (process: Process) => Promise<unknown>)(other)
      await answer.catch(() => {})
      expect(spent.heard).toBe('nothing')
      expect(other.ended).toBe(0)
      await crash()
      expect(await entries()).toEqual(['funds', 'spent'])
    },
  )

  it('is given inside a read-only transaction only after a flush', async () => {
    await fund(one, 'funds')
    holdFlushes(one)
    listen(one, spend(one, 'spent'))
    await isHeld(one)
    let seen = 0
    const reading = other.database.read.$transaction(async (tx) => {
      holdFlushes(other)
      seen = await tx.entry.count()
    })
    await isHeld(other)
    expect(seen).toBe(0)
    letGo(other)
    await reading
    expect(seen).toBe(2)
  })
})
