import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Goal } from './describe-goals.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { middle } from './middle.ts'
import { rawInvoiceLimit, rawLimit } from './raw-limit.ts'
import { gamertagOf, type Seeded, seed } from './seed.ts'
import { type Server, withServer } from './server-process.ts'

const CONNECTIONS = 64
const FEWER_ACCOUNTS = 1_000
const ROUNDS = 7
/** How long each service is warmed up, so that a large book's working set is in memory. */
const WARM_UP_SECONDS = 10

export interface BenchOptions {
  /** The duration of each measurement, in each round. */
  readonly seconds: number
  /** A folder that keeps the databases for the next run; undefined if each run makes its own. */
  readonly keep: string | undefined
  /** How many accounts the large book has. */
  readonly accounts: number
}

/**
 * Measures how quick the payments service is on this machine, beside the machine's own limits in the same run: the
 * single-transaction commits of raw better-sqlite3, and the answers of a bare route. Resolves to the figures that have
 * goals.
 */
export async function benchService({ seconds, keep, accounts }: BenchOptions): Promise<readonly Goal[]> {
  if (keep !== undefined) mkdirSync(keep, { recursive: true })
  const folder = keep ?? mkdtempSync(join(process.cwd(), '.bench-'))
  try {
    const few = await seed(join(folder, `${FEWER_ACCOUNTS}.sqlite`), FEWER_ACCOUNTS)
    const many = await seed(join(folder, `${accounts}.sqlite`), accounts)
    return [...(await benchRoutes(few, seconds)), ...(await comparePayments(few, many, seconds))]
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true })
  }
}

/** Measures only the creation of invoices and a project's own operations, on a small book. */
export async function benchInvoices({ seconds, keep }: BenchOptions): Promise<void> {
  const folder = keep ?? mkdtempSync(join(process.cwd(), '.bench-'))
  try {
    mkdirSync(folder, { recursive: true })
    const few = await seed(join(folder, `${FEWER_ACCOUNTS}.sqlite`), FEWER_ACCOUNTS)
    const raw = copyOf(few)
    await withServer([few.file], async (server) => {
      await compareInvoicesWithRaw({ few, raw }, server, seconds)
      await compareCharges(few, server, seconds)
      await compareTransfers(few, server, seconds)
    })
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true })
  }
}

async function benchRoutes(few: Seeded, seconds: number): Promise<readonly Goal[]> {
  const bare = await withServer([], ({ url }) => run(url, seconds, () => ({ method: 'POST', path: '/', body: '{}' })))
  report('bare Fastify route', bare)
  const raw = copyOf(few)
  return await withServer([few.file], async (server) => {
    const { url, usage } = server
    const headers = { apikey: few.apiKey }
    const { equal, alone } = await comparePaymentsWithRaw({ few, raw }, server, seconds)
    report('wallet reads', await run(url, seconds, () => ({ method: 'GET', path: '/v0/wallet', headers })))
    report('static-charge creations', await run(url, seconds, () => newStaticCharge(headers)))
    await compareInvoicesWithRaw({ few, raw }, server, seconds)
    const charges = await compareCharges(few, server, seconds)
    const transfers = await compareTransfers(few, server, seconds)
    await benchCallbacks(few, url, seconds)
    const mebibytes = Math.round((await usage()).residentBytes / 2 ** 20)
    console.log(`${'resident memory'.padEnd(28)} ${mebibytes} MiB`)
    return [
      { what: 'service: gamertag payments ÷ raw, 64 in a transaction', measured: equal, goal: { minimum: 0.5 } },
      { what: 'service: payments over one connection ÷ raw, one in each', measured: alone, goal: { minimum: 0.6 } },
      charges,
      transfers,
      { what: 'service: resident memory after all of this, MiB', measured: mebibytes, goal: { maximum: 300 } },
    ]
  })
}

interface Compared {
  readonly name: string
  readonly next: () => LoadRequest
  /** Returns the rate of raw better-sqlite3 with `batch` operations in each transaction. */
  readonly raw: (batch: number) => number
  readonly rounds: number
}

/** The service's rate as a fraction of raw better-sqlite3's. */
interface ToRaw {
  /** The fraction over 64 connections, against 64 operations in each transaction. */
  readonly equal: number
  /** The fraction over one connection, against one operation in each transaction. */
  readonly alone: number
}

/**
 * Alternates between the service and raw better-sqlite3: once with the most operations that the service can put in a
 * transaction, and once with one.
 */
async function compareWithRaw(server: Server, seconds: number, { name, next, raw, rounds }: Compared): Promise<ToRaw> {
  const { url, usage } = server
  await run(url, 1, next)
  const results: LoadResult[] = []
  const [equal, single, alone]: [number[], number[], number[]] = [[], [], []]
  let used = 0
  for (let round = 0; round < rounds; round += 1) {
    const before = await usage()
    results.push(await run(url, seconds, next))
    used += (await usage()).cpuMicroseconds - before.cpuMicroseconds
    equal.push(raw(CONNECTIONS))
    single.push(raw(1))
    alone.push((await run(url, seconds, next, 1)).perSecond)
  }
  const answers = results.reduce((sum, result) => sum + result.answers, 0)
  const cpu = used / answers
  const result = middleOf(results)
  report(name, result)
  for (const [what, limits] of [
    [`  raw, ${CONNECTIONS} in a transaction`, equal] as const,
    ['  raw, one in each', single] as const,
  ]) {
    const limit = middle(limits)
    console.log(`${what.padEnd(28)} ${perSecond(limit)}   ratio ${(result.perSecond / limit).toFixed(2)}`)
  }
  const one = middle(alone)
  const toRaw = { equal: result.perSecond / middle(equal), alone: one / middle(single) }
  const ratio = toRaw.alone.toFixed(2)
  console.log(`${'  over one connection'.padEnd(28)} ${perSecond(one)}   ratio to raw, one in each ${ratio}`)
  console.log(`${'  processor time'.padEnd(28)} ${cpu.toFixed(0).padStart(8)} µs each`)
  return toRaw
}

/** A book for the service, and another one with the same rows for raw statements. */
interface Pair {
  readonly few: Seeded
  readonly raw: Seeded
}

function copyOf(seeded: Seeded): Seeded {
  const file = `${seeded.file}.raw`
  for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true })
  copyFileSync(seeded.file, file)
  return { ...seeded, file }
}

async function comparePaymentsWithRaw({ few, raw }: Pair, server: Server, seconds: number): Promise<ToRaw> {
  const before = await balanceOf(few, server)
  let asked = 0
  const toRaw = await compareWithRaw(server, seconds, {
    name: 'gamertag payments',
    next: () => {
      asked += 1
      return newPayment(few)
    },
    raw: (batch) => rawLimit(raw, { seconds, batch }),
    rounds: ROUNDS,
  })
  const spent = before - (await balanceOf(few, server))
  if (spent !== BigInt(asked)) throw new Error(`${asked} msats were paid, and the balance fell by ${spent}`)
  return toRaw
}

/** Resolves to the balance of the project's wallet, in msats. */
async function balanceOf({ apiKey }: Seeded, { url }: Server): Promise<bigint> {
  const answer = await fetch(`${url}/v0/wallet`, { headers: { apikey: apiKey } })
  const { data } = (await answer.json()) as { data: { balance: string } }
  return BigInt(data.balance)
}

/** Compares invoices with raw ones. The sandbox in the same process makes and signs the service's invoices. */
function compareInvoicesWithRaw({ few, raw }: Pair, server: Server, seconds: number): Promise<ToRaw> {
  return compareWithRaw(server, seconds, {
    name: 'invoices made',
    next: () => newInvoice(few),
    raw: (batch) => rawInvoiceLimit(raw, { seconds, batch }),
    rounds: 3,
  })
}

/** Compares charges of the project's own wallet with gamertag charges. */
async function compareCharges(few: Seeded, server: Server, seconds: number): Promise<Goal> {
  const [usual, other] = [
    { name: 'gamertag charges', next: () => newInvoice(few) },
    { name: 'charges', next: () => newCharge(few) },
  ]
  return await compareKinds(usual, other, server, seconds)
}

/** Compares transfers to another project with payments to gamertags. */
async function compareTransfers(few: Seeded, server: Server, seconds: number): Promise<Goal> {
  const [usual, other] = [
    { name: 'gamertag payments', next: () => newPayment(few) },
    { name: 'transfers', next: () => newTransfer(few) },
  ]
  return await compareKinds(usual, other, server, seconds)
}

interface Kind {
  readonly name: string
  readonly next: () => LoadRequest
}

/** Alternates between a kind of request and a usual one, and compares their rates. */
async function compareKinds(usual: Kind, other: Kind, { url }: Server, seconds: number): Promise<Goal> {
  const kinds = [usual, other].map((kind) => ({ ...kind, results: [] as LoadResult[] }))
  for (const { next } of kinds) await run(url, 1, next)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { next, results } of kinds) results.push(await run(url, seconds, next))
  for (const { name, results } of kinds) report(name, middleOf(results))
  const [rate = 0, beside = 1] = kinds.map(({ results }) => middle(results.map(rateOf))).reverse()
  const measured = rate / beside
  console.log(`${`  ${other.name} ÷ ${usual.name}`.padEnd(28)} ${measured.toFixed(2).padStart(8)}`)
  return { what: `service: ${other.name} ÷ ${usual.name}`, measured, goal: { minimum: 0.95 } }
}

interface Side {
  readonly seeded: Seeded
  readonly server: Server
  readonly results: LoadResult[]
  /** The service's processor time for one payment, which hardly depends on the machine's other load. */
  readonly cpuMicroseconds: number[]
}

/** Alternates between a book with few and one with many accounts, so that the machine's other load affects both. */
async function comparePayments(few: Seeded, many: Seeded, seconds: number): Promise<readonly Goal[]> {
  return await withServer([few.file], (one) =>
    withServer([many.file], async (other) => {
      const sides = [newSide(few, one), newSide(many, other)] as const
      for (const { seeded, server } of sides) await run(server.url, WARM_UP_SECONDS, () => newPayment(seeded))
      for (let round = 0; round < ROUNDS; round += 1) for (const side of sides) await takeTurn(side, seconds)
      for (const side of sides) reportSide(side)
      const [a, b] = sides
      const growth = middle(a.results.map(rateOf)) / middle(b.results.map(rateOf))
      const work = middle(b.cpuMicroseconds) / middle(a.cpuMicroseconds)
      console.log(
        `${'cost at many accounts'.padEnd(28)} ${growth.toFixed(2)} times the cost at few by the clock, ` +
          `${work.toFixed(2)} times in processor time (target: at most 1.2)`,
      )
      const what = `service: ${many.accounts.toLocaleString('en')} accounts ÷ ${FEWER_ACCOUNTS.toLocaleString('en')}, processor time`
      return [{ what, measured: work, goal: { maximum: 1.2 } }, await benchStatement(b, seconds)]
    }),
  )
}

/** Measures reading the newest bookings of a wallet that has a million, over one connection. */
async function benchStatement({ seeded, server }: Side, seconds: number): Promise<Goal> {
  const headers = { apikey: seeded.apiKey }
  const before = await server.usage()
  const result = await run(server.url, seconds, () => ({ method: 'GET', path: '/v0/transactions', headers }), 1)
  const cpu = ((await server.usage()).cpuMicroseconds - before.cpuMicroseconds) / result.answers
  report(`transactions of ${seeded.accounts.toLocaleString('en')}`, result)
  console.log(`${'  processor time'.padEnd(28)} ${cpu.toFixed(0).padStart(8)} µs a page`)
  const what = 'service: first page of all transactions, p50 in ms'
  return { what, measured: result.p50Ms, goal: { maximum: 5 } }
}

function newSide(seeded: Seeded, server: Server): Side {
  return { seeded, server, results: [], cpuMicroseconds: [] }
}

async function takeTurn({ seeded, server, results, cpuMicroseconds }: Side, seconds: number): Promise<void> {
  const before = await server.usage()
  const result = await run(server.url, seconds, () => newPayment(seeded))
  const after = await server.usage()
  results.push(result)
  cpuMicroseconds.push((after.cpuMicroseconds - before.cpuMicroseconds) / result.answers)
}

function reportSide({ seeded, results, cpuMicroseconds }: Side): void {
  report(`payments, ${seeded.accounts.toLocaleString('en')} accounts`, middleOf(results))
  console.log(`${'  processor time'.padEnd(28)} ${middle(cpuMicroseconds).toFixed(0).padStart(8)} µs a payment`)
}

function rateOf({ perSecond }: LoadResult): number {
  return perSecond
}

/** Returns the run with the median rate. */
function middleOf(results: readonly LoadResult[]): LoadResult {
  const median = middle(results.map(rateOf))
  return results.find((result) => result.perSecond === median) as LoadResult
}

function newPayment({ apiKey, accounts }: Seeded): LoadRequest {
  const gamertag = gamertagOf(Math.floor(Math.random() * accounts))
  const body = JSON.stringify({ amount: '1', gamertag, description: 'bench' })
  return { method: 'POST', path: '/v0/gamertag/send-payment', headers: { apikey: apiKey }, body }
}

function newInvoice({ apiKey, accounts }: Seeded): LoadRequest {
  const gamertag = gamertagOf(Math.floor(Math.random() * accounts))
  const body = JSON.stringify({ amount: '1000', gamertag, description: 'bench' })
  return { method: 'POST', path: '/v0/gamertag/charges', headers: { apikey: apiKey }, body }
}

function newCharge({ apiKey }: Seeded): LoadRequest {
  const body = JSON.stringify({ amount: '1000', description: 'bench' })
  return { method: 'POST', path: '/v0/charges', headers: { apikey: apiKey }, body }
}

function newTransfer({ apiKey, receiverId }: Seeded): LoadRequest {
  const body = JSON.stringify({ amount: '1', receiverWalletId: receiverId })
  return { method: 'POST', path: '/v0/internal-transfer', headers: { apikey: apiKey }, body }
}

/** Measures the delivery of waiting callbacks to a receiver in this process. */
async function benchCallbacks({ file, projectId, apiKey }: Seeded, url: string, seconds: number): Promise<void> {
  let received = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const count = seconds * 5_000
  const database = new Database(file)
  const insert = database.prepare(
    `INSERT INTO "Callback" ("messageId", "projectId", "resource", "receiver", "url", "body", "createdAt", "nextAttemptAt")
     VALUES (?, ?, ?, ?, ?, '{"status":"CHARGE_COMPLETED"}', ?, ?)`,
  )
  const at = new Date().toISOString()
  database.transaction(() => {
    for (let n = 0; n < count; n += 1)
      insert.run(`msg_${at}_${n}`, projectId, `charge:${n}`, origin, `${origin}/c`, at, at)
  })()
  database.close()
  await wakeOutbox(url, apiKey)
  const began = performance.now()
  let first = 0
  while (received < count && performance.now() - began < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (first === 0 && received > 0) first = performance.now()
  }
  const took = (performance.now() - first) / 1_000
  console.log(`${'callbacks delivered'.padEnd(28)} ${perSecond(received / took)}`)
  receiver.closeAllConnections()
  receiver.close()
}

/** Changes a record that could have a callback, which wakes the outbox. */
async function wakeOutbox(url: string, apiKey: string): Promise<void> {
  const headers = { apikey: apiKey, 'content-type': 'application/json' }
  const { path, body = '' } = newStaticCharge(headers)
  const created = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const { data } = (await created.json()) as { data: { id: string } }
  await fetch(`${url}${path}/${data.id}`, { method: 'PATCH', headers, body: '{"description":"bench"}' })
}

function newStaticCharge(headers: Record<string, string>): LoadRequest {
  const body = '{"minAmount":"1000","maxAmount":"1000","description":"bench"}'
  return { method: 'POST', path: '/v0/static-charges', headers, body }
}

function run(url: string, seconds: number, next: () => LoadRequest, connections = CONNECTIONS): Promise<LoadResult> {
  return load({ url, connections, seconds, next })
}

function report(name: string, { perSecond: rate, p50Ms, p99Ms, failures }: LoadResult): void {
  const times = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`
  console.log(`${name.padEnd(28)} ${perSecond(rate)}   ${times}${failures > 0 ? `   ${failures} FAILED` : ''}`)
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en').padStart(8)}/s`
}
