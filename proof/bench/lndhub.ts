import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Problem } from '../../src/lib/problem.ts'
import { buildLnd } from '../nodes/build-lnd.ts'
import { type LndNetwork, startLndNetwork } from '../nodes/lnd-network.ts'
import { freePort, until } from '../nodes/lnd-process.ts'
import { lightningOf } from '../nodes/lnd-scene.ts'
import { type PostgresServer, startPostgres } from '../postgres/server.ts'
import { type LoadRequest, type LoadResult, load, type NextRequest } from './load.ts'
import { processorTimeOfChildren } from './processor-time.ts'
import { gamertagOf, type Seeded, seed } from './seed.ts'
import { withServer } from './server-process.ts'

const CONNECTIONS = 64
const ACCOUNTS = 1_000
const ROUNDS = 7

export interface LndhubOptions {
  readonly seconds: number
  /** The program: lndhub.go's own server, or one of yours with the mock of an lnd that its tests use. */
  readonly lndhub: string | undefined
  /** Whether both use a real lnd, the same one. Otherwise the program needs none, and the service has its sandbox. */
  readonly realLnd: boolean
}

/**
 * The service beside lndhub.go, by turns, on the same machine, with the same client and as many connections: invoices made,
 * and invoices made and paid by another account of the same service.
 */
export async function compareWithLndhub({ seconds, lndhub, realLnd }: LndhubOptions): Promise<void> {
  if (lndhub === undefined)
    throw new Problem('Name the program: npm run prove -- bench lndhub --lndhub PROGRAM [--real-lnd]')
  const folder = mkdtempSync(join(process.cwd(), '.bench-'))
  // Started as root, PostgreSQL runs as another user, who must find its folder here.
  chmodSync(folder, 0o755)
  const network = realLnd ? await startLndNetwork(await buildLnd(console.error)) : undefined
  const postgres = await startPostgres({ below: folder })
  try {
    const hub = await startLndhub(lndhub, postgres, network)
    try {
      const few = await seed(join(folder, 'book.sqlite'), ACCOUNTS)
      const args = network === undefined ? [few.file] : [few.file, await writeLndOptions(folder, network)]
      await withServer(args, ({ url }) =>
        compare({ url: hub.url, ...callsOfLndhub(hub.tokens) }, { url, ...callsOf(few) }, seconds),
      )
    } finally {
      await hub.stop()
    }
  } finally {
    await postgres.stop()
    await network?.close()
    rmSync(folder, { recursive: true })
  }
}

interface Side {
  readonly url: string
  readonly invoice: NextRequest
  /** Makes an invoice and pays it, by turns. */
  readonly cycle: NextRequest
}

interface Turn extends LoadResult {
  /** Usage of everything that serves: the service, its database's server, its node. */
  readonly cpuMicroseconds: number
}

async function takeTurn({ url, ...next }: Side, what: 'invoice' | 'cycle', seconds: number): Promise<Turn> {
  const before = processorTimeOfChildren() ?? Number.NaN
  const result = await load({ url, connections: CONNECTIONS, seconds, next: next[what] })
  return { ...result, cpuMicroseconds: (processorTimeOfChildren() ?? Number.NaN) - before }
}

async function compare(hub: Side, satchel: Side, seconds: number): Promise<void> {
  for (const what of ['invoice', 'cycle'] as const) {
    const hubs: Turn[] = []
    const satchels: Turn[] = []
    for (let round = -1; round < ROUNDS; round += 1) {
      const [one, other] = [await takeTurn(hub, what, seconds), await takeTurn(satchel, what, seconds)]
      // The first round warms both up.
      if (round < 0) continue
      hubs.push(one)
      satchels.push(other)
    }
    const [theirs, ours] = [report('lndhub.go', what, hubs), report('Satchel', what, satchels)]
    const ratios = satchels.map(({ perSecond }, i) => perSecond / (hubs[i]?.perSecond ?? Number.NaN))
    const [low, mid, high] = [0, 0.5, 0.99].map((share) => at(ratios, share).toFixed(2))
    console.log(
      `${'  ratio'.padEnd(34)} ${mid} by the clock (${low} to ${high} in ${ROUNDS} rounds; target: 1.0), ` +
        `${(theirs / ours).toFixed(2)} in processor time`,
    )
  }
}

const NAMES = { invoice: 'invoices made', cycle: 'invoices made and paid' }

/** Returns the processor time of one, in microseconds. */
function report(name: string, what: 'invoice' | 'cycle', turns: readonly Turn[]): number {
  const requests = what === 'invoice' ? 1 : 2
  const rate = at(
    turns.map(({ perSecond }) => perSecond / requests),
    0.5,
  )
  const middle = at(
    turns.map(({ p50Ms }) => p50Ms),
    0.5,
  )
  const slow = at(
    turns.map(({ p99Ms }) => p99Ms),
    0.5,
  )
  const cpu = at(
    turns.map(({ cpuMicroseconds, answers }) => (cpuMicroseconds / answers) * requests),
    0.5,
  )
  const failures = turns.reduce((sum, turn) => sum + turn.failures, 0)
  const times = `p50 ${middle.toFixed(1)} ms  p99 ${slow.toFixed(1)} ms a request  ${cpu.toFixed(0)} µs each`
  const failed = failures > 0 ? `   ${failures} FAILED` : ''
  console.log(`${`${name}: ${NAMES[what]}`.padEnd(34)} ${rate.toFixed(0).padStart(6)}/s   ${times}${failed}`)
  return cpu
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

function callsOf({ apiKey, accounts }: Seeded): Pick<Side, 'invoice' | 'cycle'> {
  const headers = { apikey: apiKey }
  const invoice = (): LoadRequest => {
    const gamertag = gamertagOf(Math.floor(Math.random() * accounts))
    const body = JSON.stringify({ amount: '1000', gamertag, description: 'bench' })
    return { method: 'POST', path: '/v0/gamertag/charges', headers, body }
  }
  const cycle: NextRequest = (_, answer) => {
    const made = /"invoiceRequest":"(\w+)"/.exec(answer ?? '')?.[1]
    const isNew = made !== undefined && answer?.includes('"CHARGE_')
    return isNew
      ? { method: 'POST', path: '/v0/payments', headers, body: JSON.stringify({ invoice: made }) }
      : invoice()
  }
  return { invoice, cycle }
}

/** Each connection is an account of its own; its invoices are paid by its neighbour, so that nobody waits for a lock. */
function callsOfLndhub(tokens: readonly string[]): Pick<Side, 'invoice' | 'cycle'> {
  const headers = (account: number) => ({ authorization: `Bearer ${tokens[account % tokens.length]}` })
  const invoice = (account: number): LoadRequest => {
    return { method: 'POST', path: '/addinvoice', headers: headers(account), body: '{"amt":1,"memo":"bench"}' }
  }
  const cycle: NextRequest = (account, answer) => {
    const made = /"pay_req":"(\w+)"/.exec(answer ?? '')?.[1]
    const isNew = made !== undefined && !answer?.includes('payment_preimage')
    if (!isNew) return invoice(account)
    return {
      method: 'POST',
      path: '/payinvoice',
      headers: headers(account + 1),
      body: JSON.stringify({ invoice: made }),
    }
  }
  return { invoice, cycle }
}

async function writeLndOptions(folder: string, network: LndNetwork): Promise<string> {
  const { url, macaroon, certificate } = await lightningOf(network)
  const file = join(folder, 'lnd.json')
  writeFileSync(file, JSON.stringify({ url, macaroon: macaroon.reveal(), certificate }), { mode: 0o600 })
  return file
}

const NO_LIMIT = '1000000000'

async function startLndhub(program: string, postgres: PostgresServer, network: LndNetwork | undefined) {
  const port = await freePort()
  const database = postgres.url('postgres')
  const child = spawn(program, {
    cwd: '/',
    stdio: 'ignore',
    env: {
      DATABASE_URI: `${database}?sslmode=disable`,
      DATABASE_MAX_CONNS: '32',
      DATABASE_MAX_IDLE_CONNS: '32',
      JWT_SECRET: 'bench',
      PORT: String(port),
      DEFAULT_RATE_LIMIT: NO_LIMIT,
      STRICT_RATE_LIMIT: NO_LIMIT,
      BURST_RATE_LIMIT: NO_LIMIT,
      ...(network !== undefined && {
        LND_ADDRESS: network.ours.rpc,
        LND_MACAROON_HEX: network.ours.macaroon,
        LND_CERT_HEX: Buffer.from(network.ours.certificate).toString('hex'),
      }),
    },
  })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    await until('lndhub.go answers', async () => (await fetch(`${url}/getinfo`)).status === 401)
    const tokens: string[] = []
    while (tokens.length < CONNECTIONS) tokens.push(await newAccount(url))
    await fund(database)
    return { url, tokens, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function newAccount(url: string): Promise<string> {
  const { login, password } = await post(`${url}/create`, {})
  return (await post(`${url}/auth`, { login, password })).access_token ?? ''
}

async function post(url: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

/** Gives each account of lndhub.go a million sats, as if an invoice had been paid. */
async function fund(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(`INSERT INTO invoices (type, user_id, amount, state, destination_pubkey_hex, preimage, settled_at, created_at)
      SELECT 'incoming', id, 1000000, 'settled', '', 'bench', now(), now() FROM users`)
    await client.query(`INSERT INTO transaction_entries
        (user_id, invoice_id, credit_account_id, debit_account_id, amount, entry_type, created_at)
      SELECT i.user_id, i.id, to_.id, from_.id, i.amount, 'incoming', now() FROM invoices i
        JOIN accounts to_ ON to_.user_id = i.user_id AND to_.type = 'current'
        JOIN accounts from_ ON from_.user_id = i.user_id AND from_.type = 'incoming'`)
  } finally {
    await client.end()
  }
}
