import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { rawLimit } from './raw-limit.ts'
import { gamertagOf, type Seeded, seed } from './seed.ts'

const CONNECTIONS = 64
const FEW = 1_000
const MANY = 1_000_000

/**
 * How quick the payments service is on this machine, beside the limits of the same machine in the same run: what raw
 * better-sqlite3 commits one transaction at a time, and what a bare route answers.
 */
export async function benchService(options: { readonly seconds: number; readonly many?: number }): Promise<void> {
  const { seconds, many = MANY } = options
  const folder = mkdtempSync(join(process.cwd(), '.bench-'))
  try {
    const few = await seed(join(folder, 'few.sqlite'), FEW)
    const bare = await withServer(undefined, (url) =>
      run(url, seconds, () => ({ method: 'POST', path: '/', body: '{}' })),
    )
    report('bare Fastify route', bare)
    const first = await benchPayments(few, seconds)
    await withServer(few.file, async (url, server) => {
      const headers = { apikey: few.apiKey }
      report('wallet reads', await run(url, seconds, () => ({ method: 'GET', path: '/v0/wallet', headers })))
      report('static-charge creations', await run(url, seconds, () => newStaticCharge(headers)))
      await benchCallbacks(few, url, seconds)
      console.log(`${'resident memory'.padEnd(28)} ${Math.round((await residentBytes(server)) / 2 ** 20)} MiB`)
    })
    console.log(`making ${many.toLocaleString('en')} accounts …`)
    const second = await benchPayments(await seed(join(folder, 'many.sqlite'), many), seconds)
    const growth = first.perSecond / second.perSecond
    console.log(
      `${'cost at many accounts'.padEnd(28)} ${growth.toFixed(2)} times the cost at ${FEW} (target: at most 1.2)`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function benchPayments(seeded: Seeded, seconds: number): Promise<LoadResult> {
  const headers = { apikey: seeded.apiKey }
  const next = (): LoadRequest => {
    const gamertag = gamertagOf(Math.floor(Math.random() * seeded.accounts))
    const body = JSON.stringify({ amount: '1', gamertag, description: 'bench' })
    return { method: 'POST', path: '/v0/gamertag/send-payment', headers, body }
  }
  const raw = rawLimit(seeded, seconds)
  const result = await withServer(seeded.file, async (url) => {
    await run(url, 1, next)
    return run(url, seconds, next)
  })
  const again = rawLimit(seeded, seconds)
  const limit = (raw + again) / 2
  report(`payments, ${seeded.accounts.toLocaleString('en')} accounts`, result)
  console.log(
    `${'  raw better-sqlite3'.padEnd(28)} ${perSecond(limit)}   ratio ${(result.perSecond / limit).toFixed(2)} (target: 1.0)`,
  )
  return result
}

/** Callbacks that wait in the outbox, delivered to a receiver in this process. */
async function benchCallbacks({ file, projectId }: Seeded, url: string, seconds: number): Promise<void> {
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
    for (let n = 0; n < count; n += 1) insert.run(`msg_${n}`, projectId, `charge:${n}`, origin, `${origin}/c`, at, at)
  })()
  database.close()
  // Any change that may hold a callback wakes the outbox.
  await fetch(`${url}/v0/static-charges/none`, { method: 'PATCH', body: '{}', headers: { apikey: 'none' } })
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

function newStaticCharge(headers: Record<string, string>): LoadRequest {
  const body = '{"minAmount":"1000","maxAmount":"1000","description":"bench"}'
  return { method: 'POST', path: '/v0/static-charges', headers, body }
}

function run(url: string, seconds: number, next: () => LoadRequest): Promise<LoadResult> {
  return load({ url, connections: CONNECTIONS, seconds, next })
}

async function withServer<T>(
  file: string | undefined,
  use: (url: string, server: ChildProcess) => Promise<T>,
): Promise<T> {
  const server = fork(join(import.meta.dirname, 'serve.ts'), file === undefined ? [] : [file], {
    ...(process.env.BENCH_PROFILE && { execArgv: ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] }),
  })
  const [{ url }] = (await once(server, 'message')) as [{ url: string }]
  try {
    return await use(url, server)
  } finally {
    server.disconnect()
    await once(server, 'exit')
  }
}

async function residentBytes(server: ChildProcess): Promise<number> {
  server.send('memory')
  const [{ residentBytes: bytes }] = (await once(server, 'message')) as [{ residentBytes: number }]
  return bytes
}

function report(name: string, { perSecond: rate, p50Ms, p99Ms, failures }: LoadResult): void {
  const times = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`
  console.log(`${name.padEnd(28)} ${perSecond(rate)}   ${times}${failures > 0 ? `   ${failures} FAILED` : ''}`)
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en').padStart(8)}/s`
}
