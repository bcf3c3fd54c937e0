import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { startPostgres } from '../postgres/server.ts'
import { describeGoals, type Goal } from './goals.ts'
import type { Load, LoadDone } from './ledger-worker.ts'
import { middle } from './middle.ts'
import { type RawRun, ratePerSecond, withDatabase } from './raw-limit.ts'
import type { BenchOptions } from './service.ts'

const CONNECTIONS = 64
/** Four processes with as many callers each as one has elsewhere. */
const MANY_CONNECTIONS = 256
const WALLETS = 1_000
const ROUNDS = 5
const PROCESSES = 4

/** Something that is measured by turns with the others; answers payments a second. */
interface Contender {
  readonly name: string
  readonly measure: (seconds: number) => Promise<Measured>
  readonly rounds: Measured[]
}

interface Measured {
  readonly perSecond: number
  readonly batch: number
  /** Usage of the processes that write, without a server's; for each payment. */
  readonly cpuMicroseconds: number | undefined
}

/**
 * The ledger alone, without HTTP: on SQLite beside raw better-sqlite3 with batches of the same size, and on PostgreSQL,
 * with one process and with four. All of them take turns, on the same disk, with the same rows and indexes. Resolves to
 * the figures that have goals.
 */
export async function benchLedger({ seconds }: BenchOptions): Promise<readonly Goal[]> {
  const folder = mkdtempSync(join(process.cwd(), '.bench-'))
  // The server runs as another user where this one is root.
  chmodSync(folder, 0o755)
  const server = await startPostgres({ below: folder, settings: ['jit = off'], say: console.log })
  const workers: Worker[] = []
  const start = async (url: string, wallets: number) => {
    const worker = new Worker(url, wallets)
    workers.push(worker)
    await worker.ready
    return worker
  }
  const database = async (name: string) => {
    await server.admin(`CREATE DATABASE ${name}`)
    return server.url(name)
  }
  try {
    const sqlite = await start(`file:${join(folder, 'sqlite.sqlite')}`, WALLETS)
    // Made by the migrations, and then written to by nobody but the raw statements.
    const rawFile = join(folder, 'raw.sqlite')
    await (await start(`file:${rawFile}`, WALLETS)).end()
    const [shared, slow] = [await database('shared'), await database('slow')]
    // As a standby elsewhere that answers 10 ms later, for each flush of the log.
    await server.admin('ALTER DATABASE slow SET commit_delay = 10000')
    await server.admin('ALTER DATABASE slow SET commit_siblings = 0')
    const first = await start(shared, WALLETS)
    const four = [first]
    while (four.length < PROCESSES) four.push(await start(shared, 0))
    const later = await start(slow, WALLETS)
    const fourLater = [later]
    while (fourLater.length < PROCESSES) fourLater.push(await start(slow, 0))
    const pay = (worker: Worker, load: Partial<Load> = {}) => worker.pay({ ...FULL, ...load })
    const contenders: Contender[] = [
      contender('raw, a payment a commit', async (seconds) => payRaw(rawFile, { seconds, batch: 1 })),
      contender('SQLite, one connection', (time) => pay(sqlite, { connections: 1, seconds: time })),
      contender('SQLite, 64 connections', (time) => pay(sqlite, { seconds: time })),
      contender('raw, 64 payments a commit', async (seconds) => payRaw(rawFile, { seconds, batch: CONNECTIONS })),
      contender('PostgreSQL, 64 connections', (time) => pay(first, { seconds: time })),
      contender('PostgreSQL, two wallets alone', (time) => pay(first, { seconds: time, wallets: 2 })),
      contender('PostgreSQL, flush 10 ms later', (time) => pay(later, { seconds: time })),
      contender('SQLite, 256 connections', (time) => pay(sqlite, { connections: MANY_CONNECTIONS, seconds: time })),
      contender('PostgreSQL, four processes of 64', (time) => payTogether(four, time)),
      contender('… flush 10 ms later', (time) => payTogether(fourLater, time)),
    ]
    for (const { measure } of contenders) await measure(1)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { measure, rounds } of contenders) rounds.push(await measure(seconds))
    return report(contenders)
  } finally {
    for (const worker of workers) await worker.end()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

const FULL: Load = { connections: CONNECTIONS, seconds: 1, wallets: WALLETS }

function contender(name: string, measure: Contender['measure']): Contender {
  return { name, measure, rounds: [] }
}

async function payTogether(workers: readonly Worker[], seconds: number): Promise<Measured> {
  const load = { ...FULL, connections: MANY_CONNECTIONS / workers.length, seconds }
  const all = await Promise.all(workers.map((worker) => worker.pay(load)))
  const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0)
  const mean = (of: (each: Measured) => number) =>
    all.reduce((sum, each) => sum + of(each) * each.perSecond, 0) / perSecond
  return { perSecond, batch: mean(({ batch }) => batch), cpuMicroseconds: mean((each) => each.cpuMicroseconds ?? 0) }
}

/** The work of a ledger in a process of its own. */
class Worker {
  readonly #child: ChildProcess
  readonly ready: Promise<unknown>

  constructor(url: string, wallets: number) {
    this.#child = fork(join(import.meta.dirname, 'ledger-worker.ts'), [url, String(wallets)])
    this.ready = once(this.#child, 'message')
  }

  async pay(load: Load): Promise<Measured> {
    this.#child.send(load)
    const [{ payments, batches, cpuMicroseconds }] = (await once(this.#child, 'message')) as [LoadDone]
    return {
      perSecond: payments / load.seconds,
      batch: payments / batches,
      cpuMicroseconds: cpuMicroseconds / payments,
    }
  }

  async end(): Promise<void> {
    if (!this.#child.connected) return
    this.#child.disconnect()
    await once(this.#child, 'exit')
  }
}

/** The rows of a payment with prepared statements and the pragmas of a book's writer, without a check of anything. */
function payRaw(file: string, run: RawRun): Measured {
  return withDatabase(file, (database) => {
    const account = database.prepare('SELECT "id", "lastMoveId" FROM "Account" WHERE "kind" = ? AND "owner" = ?')
    const entry = database.prepare(`INSERT INTO "Entry" ("operation", "step", "at") VALUES (?, 'post', ?)`)
    const move = database.prepare(
      `INSERT INTO "Move" ("entryId", "fromId", "toId", "amount", "fromPreviousId", "toPreviousId") VALUES (?, ?, ?, 1, ?, ?)`,
    )
    const balance = database.prepare('UPDATE "Account" SET "balance" = "balance" + ?, "lastMoveId" = ? WHERE "id" = ?')
    const open = (index: number) =>
      account.get('wallet', `user:${index}`) as { readonly id: number; readonly lastMoveId: number | null }
    const pay = () => {
      const index = Math.floor(Math.random() * WALLETS)
      const [from, to] = [open(index), open((index + 1 + Math.floor(Math.random() * (WALLETS - 1))) % WALLETS)]
      const { lastInsertRowid: id } = entry.run(`payment:${systemEntropy.uuid()}`, new Date().toISOString())
      const { lastInsertRowid: moved } = move.run(id, from.id, to.id, from.lastMoveId, to.lastMoveId)
      balance.run(-1, moved, from.id)
      balance.run(1, moved, to.id)
    }
    const before = process.cpuUsage()
    const perSecond = ratePerSecond(database, run, pay)
    const { user, system } = process.cpuUsage(before)
    return { perSecond, batch: run.batch, cpuMicroseconds: (user + system) / (perSecond * run.seconds) }
  })
}

function report(contenders: readonly Contender[]): readonly Goal[] {
  const rates = new Map(contenders.map(({ name, rounds }) => [name, middle(rounds.map(({ perSecond }) => perSecond))]))
  for (const { name, rounds } of contenders) {
    const rate = Math.round(rates.get(name) ?? 0).toLocaleString('en')
    const batch = middle(rounds.map((each) => each.batch)).toFixed(0)
    const cpu = middle(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds ?? 0)).toFixed(0)
    console.log(`${name.padEnd(30)} ${rate.padStart(8)}/s   ${batch.padStart(3)} a commit   ${cpu.padStart(5)} µs each`)
  }
  const [rawOne, one, many, rawMany, server, hot, late, more, four, fourLate] = contenders.map(
    ({ name }) => rates.get(name) ?? 0,
  )
  const ratio = (what: string, [over = 0, under = 0]: readonly (number | undefined)[], minimum: number): Goal => ({
    what,
    measured: over / under,
    goal: { minimum },
  })
  const goals = [
    ratio('ledger: SQLite, one connection ÷ raw, a payment a commit', [one, rawOne], 0.6),
    ratio('ledger: PostgreSQL ÷ SQLite, 64 connections', [server, many], 1.5),
    ratio('ledger: PostgreSQL, four processes of 64 ÷ SQLite, 256', [four, more], 1.8),
    ratio('ledger: two wallets alone ÷ a thousand', [hot, server], 0.6),
    ratio('ledger: flush 10 ms later ÷ without, 64 connections', [late, server], 0.7),
    ratio('ledger: flush 10 ms later ÷ without, four processes of 64', [fourLate, four], 0.7),
  ]
  for (const line of describeGoals(goals)) console.log(line)
  console.log(`SQLite, 64 connections ÷ raw, as many a commit: ${((many ?? 0) / (rawMany ?? 0)).toFixed(2)}`)
  return goals
}
