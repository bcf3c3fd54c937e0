import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { startPostgres } from '../postgres/server.ts'
import { describeGoals, type Goal } from './describe-goals.ts'
import type { Load, LoadDone } from './ledger-worker.ts'
import { middle } from './middle.ts'
import { processorTimeOfChildren } from './processor-time.ts'
import { type RawRun, ratePerSecond, withDatabase } from './raw-limit.ts'
import type { BenchOptions } from './service.ts'

const CONNECTIONS = 64
/** The number of connections of each process: as many as the largest batch of both engines. */
const MANY_CONNECTIONS = 256
const WALLETS = 1_000
const ROUNDS = 5
const PROCESSES = 4

/** One of the candidates that take turns. Its rate is in payments a second. */
interface Contender {
  readonly name: string
  readonly measure: (seconds: number) => Promise<Measured>
  readonly rounds: Measured[]
}

interface Measured {
  readonly perSecond: number
  readonly batch: number
  /** Processor time of the writing processes, without the server's, for each payment. */
  readonly cpuMicroseconds: number | undefined
  /** Processor time of the server for each payment; 0 without a server. */
  readonly serverMicroseconds?: number
}

/**
 * Measures the ledger alone, without HTTP: on SQLite against raw better-sqlite3 with batches of the same size, and on
 * PostgreSQL with one process and with four. The candidates alternate on the same disk, with the same rows and indexes.
 * Resolves to the figures that have goals.
 */
export async function benchLedger({ seconds }: BenchOptions): Promise<readonly Goal[]> {
  const folder = mkdtempSync(join(process.cwd(), '.bench-'))
  // As root, the server runs as another user.
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
    // The migrations make this file, and then only the raw statements write to it.
    const rawFile = join(folder, 'raw.sqlite')
    await (await start(`file:${rawFile}`, WALLETS)).end()
    const [shared, slow] = [await database('shared'), await database('slow')]
    // Imitates a standby elsewhere that answers each flush of the log 10 ms later.
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
      contender('SQLite, 256 connections', (time) => payTogether([sqlite], time)),
      contender('PostgreSQL, 256 connections', (time) => payTogether([first], time)),
      contender('PostgreSQL, two wallets alone', (time) => payTogether([first], time, 2)),
      contender('PostgreSQL, four processes of 256', (time) => payTogether(four, time)),
      contender('… flush 10 ms later', (time) => payTogether(fourLater, time)),
    ]
    for (const { measure } of contenders) await measure(1)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { measure, rounds } of contenders) rounds.push(await withServersTime(measure, seconds))
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

/**
 * Measures a candidate, and adds the server's processor time: that of all processes below this one, less that of the
 * writing ones.
 */
async function withServersTime(measure: Contender['measure'], seconds: number): Promise<Measured> {
  const before = processorTimeOfChildren()
  const measured = await measure(seconds)
  const [after, { perSecond, cpuMicroseconds = 0 }] = [processorTimeOfChildren(), measured]
  if (before === undefined || after === undefined) return { ...measured, serverMicroseconds: Number.NaN }
  const all = (after - before) / (perSecond * seconds)
  return { ...measured, serverMicroseconds: Math.max(0, all - cpuMicroseconds) }
}

async function payTogether(workers: readonly Worker[], seconds: number, wallets = WALLETS): Promise<Measured> {
  const load = { connections: MANY_CONNECTIONS, seconds, wallets }
  const all = await Promise.all(workers.map((worker) => worker.pay(load)))
  const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0)
  const mean = (of: (each: Measured) => number) =>
    all.reduce((sum, each) => sum + of(each) * each.perSecond, 0) / perSecond
  return { perSecond, batch: mean(({ batch }) => batch), cpuMicroseconds: mean((each) => each.cpuMicroseconds ?? 0) }
}

/** A worker process with a ledger. */
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

/**
 * Measures how fast a payment's rows are written with prepared statements and the pragmas of a book's writer, without
 * any checks.
 */
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
  const of = (name: string, figure: (measured: Measured) => number) =>
    middle(contenders.find((each) => each.name === name)?.rounds.map(figure) ?? [])
  const rate = (name: string) => of(name, ({ perSecond }) => perSecond)
  const client = (name: string) => of(name, ({ cpuMicroseconds = 0 }) => cpuMicroseconds)
  const server = (name: string) => of(name, ({ serverMicroseconds = 0 }) => serverMicroseconds)
  for (const { name } of contenders) {
    const batch = of(name, (each) => each.batch).toFixed(0)
    const atServer =
      name.startsWith('raw') || name.startsWith('SQLite') ? '' : ` + ${server(name).toFixed(0)} µs of the server`
    console.log(
      `${name.padEnd(34)} ${Math.round(rate(name)).toLocaleString('en').padStart(8)}/s   ${batch.padStart(3)} a commit   ${client(name).toFixed(0).padStart(5)} µs each${atServer}`,
    )
  }
  const [one, four, sqlite] = [
    'PostgreSQL, 256 connections',
    'PostgreSQL, four processes of 256',
    'SQLite, 256 connections',
  ] as const
  const atLeast = (what: string, measured: number, minimum: number): Goal => ({ what, measured, goal: { minimum } })
  const noMore = (what: string, measured: number, maximum: number): Goal => ({ what, measured, goal: { maximum } })
  const goals = [
    atLeast(
      'ledger: SQLite, one connection ÷ raw, a payment a commit',
      rate('SQLite, one connection') / rate('raw, a payment a commit'),
      0.6,
    ),
    atLeast('ledger: PostgreSQL, four processes of 256 ÷ SQLite, 256', rate(four) / rate(sqlite), 0.8),
    noMore('ledger: the same in processor time', (client(four) + server(four)) / client(sqlite), 1.6),
    noMore('ledger: processor time of the server for a payment, µs', server(four), 15),
    atLeast('ledger: four processes ÷ one, 256 connections each', rate(four) / rate(one), 1.3),
    atLeast('ledger: two wallets alone ÷ a thousand', rate('PostgreSQL, two wallets alone') / rate(one), 1),
    atLeast(
      'ledger: flush 10 ms later ÷ without, four processes of 256',
      rate('… flush 10 ms later') / rate(four),
      0.8,
    ),
  ]
  for (const line of describeGoals(goals)) console.log(line)
  const toRaw = rate('SQLite, 64 connections') / rate('raw, 64 payments a commit')
  console.log(`SQLite, 64 connections ÷ raw, as many a commit: ${toRaw.toFixed(2)}; load ${loadavg()[0]?.toFixed(1)}`)
  return goals
}
