import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { moveBooks } from '../../../src/assembly/backup/move-books.ts'
import { allowNewBook } from '../../../src/assembly/books/check-books.ts'
import { startSandbox } from '../../../src/assembly/start-sandbox.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { createEmulator } from '../../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { sandboxToken } from '../../../src/payments-service/backends/sandbox/sandbox-token.ts'
import { createSandboxPhone } from '../../../src/playground/world/sandbox-phone.ts'
import { BookWatch } from '../../judge/book-watch.ts'
import type { Evidence } from '../../judge/evidence.ts'
import { BOT_SIDES, SERVICE_SIDES } from '../../judge/sides.ts'
import { freePort } from '../../nodes/lnd-process.ts'
import { type Balancer, balance } from '../../world/processes/balancer.ts'
import { KillableProcess } from '../../world/processes/killable-process.ts'
import { beforeAnybodyActs, populate } from '../../world/processes/stage.ts'
import { OPEN_HERE, OPEN_THERE } from '../proof.ts'
import { OPEN_DEPOSITS, type TrafficStage } from '../traffic.ts'

/** One of several processes behind a balancer. */
export interface Instance {
  readonly name: string
  readonly url: string
  readonly process: KillableProcess
}

/** The addresses of two empty databases on a PostgreSQL server. */
export interface Books {
  readonly tipping: string
  readonly payments: string
}

/**
 * A stage with Discord and the Lightning network in this process, and fronts and services as separate processes, each
 * kind on one book and behind a balancer. Discord sends people's actions to the fronts by HTTP.
 */
export interface FrontsStage extends TrafficStage {
  readonly fronts: { readonly all: readonly Instance[]; readonly balancer: Balancer }
  readonly services: { readonly all: readonly Instance[]; readonly balancer: Balancer }
  /** Starts every process. Resolves when Discord sends people's actions to the fronts. */
  start(): Promise<void>
  /** The API key of the bot's project. */
  readonly apiKey: string
  /** Resolves when all fronts and services are ready. */
  allReady(): Promise<void>
  /** Queries a book from outside the processes that use it. */
  ask<Row>(book: keyof Books, sql: string): Promise<Row[]>
  /** Resolves to the codes of the latest open deposits. */
  readonly openDeposits: () => Promise<string[]>
  /** Returns the number of payments of the services' node that are in flight. */
  inFlight(): number
  /** Describes open records, each in a few words. */
  open(): Promise<string[]>
  /** Stops every process and copies the books into files for the judge. The caller closes these files. */
  judgeable(): Promise<Evidence & { close(): void }>
  /** Ends all processes and servers, in whatever state, and removes the files. */
  close(): Promise<void>
}

const READY_LIMIT_MS = 100_000
const COUNT = 2

/** Additional settings for each kind of process. */
export interface Besides {
  readonly services?: Readonly<Record<string, string>>
  readonly fronts?: Readonly<Record<string, string>>
}

export async function createFrontsStage(books: Books, besides: Besides = {}): Promise<FrontsStage> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-fronts-'))
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const token = sandboxToken(folder, systemEntropy)
  const sandbox = await startSandbox(parseConfig({ DATA_FOLDER: folder, SANDBOX_PORT: '0' }), runtime)
  const emulator = await createEmulator({ ...runtime, requestsPerSecond: 100_000 })
  const seeded = seedWorld(emulator, Date.now())
  const { project, users } = await populate(books.payments, true, seeded.people)
  const services = await createInstances('service.ts', folder, {
    path: '/ready/instance',
    environment: (port, url) => ({
      ...{ SERVICE_PORT: port, SERVICE_PUBLIC_URL: url, PAYMENTS_DATABASE_URL: books.payments },
      ...{ LIGHTNING_BACKEND: 'remote-sandbox', SANDBOX_URL: sandbox.url, SANDBOX_TOKEN: token },
      ...{ CALLBACKS_ALLOW_LOOPBACK: 'true', PUBLIC_REQUESTS_PER_SECOND: '0', INVOICES_PER_MINUTE: '0' },
      ...besides.services,
    }),
  })
  const fronts = await createInstances('bot.ts', folder, {
    path: '/ready',
    environment: (port, url) => ({
      ...{ CALLBACK_PORT: port, CALLBACK_PUBLIC_URL: url, CALLBACK_SIGNING_SECRET: project.callbackSecret },
      ...{ TIPPING_DATABASE_URL: books.tipping, DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.restUrl },
      ...{ DISCORD_GATEWAY: 'off', DISCORD_PUBLIC_KEY: emulator.publicKey },
      ...{ PAYMENTS_BASE_URL: services.balancer.url, PAYMENTS_API_KEY: project.apiKey },
      ...besides.fronts,
    }),
  })
  const kinds = [services, fronts]
  const allReady = async () => {
    const late = AbortSignal.timeout(READY_LIMIT_MS)
    while (kinds.some(({ all, balancer }) => balancer.ready.size < all.length)) {
      if (late.aborted) throw new Error('the fronts and services do not get ready')
      await pause(20)
    }
  }
  const lightning = new BookWatch('lightning', join(folder, 'lightning-sandbox.sqlite'), {})
  const ask = <Row>(book: keyof Books, sql: string) => askBook<Row>(books[book], book, sql)
  return {
    ...{ emulator, seeded, fronts, services, allReady, ask, apiKey: project.apiKey },
    phone: createSandboxPhone({ url: () => sandbox.url, token }, () => undefined),
    async start() {
      for (const { all } of kinds) for (const { process } of all) await process.start()
      await allReady()
      await emulator.setInteractionsEndpoint(`${fronts.balancer.url}/interactions`)
    },
    openDeposits: async () => (await ask<{ request: string }>('tipping', OPEN_DEPOSITS)).map(({ request }) => request),
    inFlight: () => lightning.rows(`SELECT 1 FROM payment WHERE payer = 'ours' AND state = 'pending'`).length,
    open: async () => [...(await unheardIn(ask, lightning)), ...(await openIn(ask))],
    async judgeable() {
      for (const { all } of [fronts, services]) await Promise.all(all.map(({ process }) => process.stop()))
      const copies = { ...(await copyBooks(books, folder)), lightning }
      const projects = { bot: { id: project.projectId }, stranger: { id: '' } }
      const close = () => {
        for (const copy of Object.values(copies)) copy.close()
      }
      return { ...copies, ...beforeAnybodyActs(), projects, users, close }
    },
    async close() {
      lightning.close()
      for (const { all, balancer } of kinds) {
        await Promise.all(all.map(({ process }) => process.discard()))
        await balancer.close()
      }
      await Promise.all([emulator.close(), sandbox.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openIn(ask: FrontsStage['ask']): Promise<string[]> {
  const here = Object.entries(OPEN_HERE).map(([noun, sql]) => ({ book: 'tipping' as const, noun, sql }))
  const there = { book: 'payments' as const, noun: 'payment', sql: OPEN_THERE }
  const found = [...here, there].map(async ({ book, noun, sql }) =>
    (await ask<{ id: string }>(book, sql)).map(({ id }) => `${noun} ${id}`),
  )
  return [...(await Promise.all(found)).flat(), ...(await uncreditedIn(ask))]
}

/** Returns the payments that the node has received and the service has not yet settled. */
async function unheardIn(ask: FrontsStage['ask'], lightning: BookWatch): Promise<string[]> {
  const settled = await ask<{ hash: string }>(
    'payments',
    `SELECT "paymentHash" AS hash FROM "Invoice" WHERE "status" = 'settled'`,
  )
  const known = new Set(settled.map(({ hash }) => hash))
  const arrived = lightning.rows<{ hash: string }>(`SELECT paymentHash AS hash FROM arrival WHERE payee = 'ours'`)
  return arrived.filter(({ hash }) => !known.has(hash)).map(({ hash }) => `arrival ${hash}`)
}

/**
 * Returns the payments from outside that are in no balance yet: a killed service may have had the job of crediting
 * them, which nobody else can take for another half minute.
 */
async function uncreditedIn(ask: FrontsStage['ask']): Promise<string[]> {
  const waiting = await ask<{ id: string }>('tipping', 'SELECT "id" FROM "Deposit" WHERE "credited" = 0')
  const paid = await ask<{ id: string }>('payments', 'SELECT "internalId" AS id FROM "StaticCharge" WHERE "slots" > 0')
  const ids = new Set(paid.map(({ id }) => id))
  return waiting.filter(({ id }) => ids.has(id)).map(({ id }) => `uncredited deposit ${id}`)
}

/** Copies the books into files, and proves both sides as an operator would. */
async function copyBooks(books: Books, folder: string) {
  const config = { dataFolder: folder, tippingDatabaseUrl: books.tipping, service: { databaseUrl: books.payments } }
  const files = { tipping: join(folder, 'tipping.sqlite'), payments: join(folder, 'payments.sqlite') }
  const targets = { tipping: `file:${files.tipping}`, payments: `file:${files.payments}` }
  await moveBooks(config as never, targets, systemClock)
  return {
    botBook: new BookWatch('bot', files.tipping, BOT_SIDES),
    serviceBook: new BookWatch('service', files.payments, SERVICE_SIDES),
  }
}

interface Kind {
  /** The path of an instance's readiness check. */
  readonly path: string
  /** Returns an instance's other variables, given its port and the balancer's address. */
  readonly environment: (port: string, url: string) => Readonly<Record<string, string>>
}

async function createInstances(program: string, folder: string, { path, environment }: Kind) {
  const ports: string[] = []
  while (ports.length < COUNT) ports.push(String(await freePort()))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const balancer = await balance(urls, path)
  const all = ports.map((port, index): Instance => {
    const name = `${program.replace('.ts', '')}-${index + 1}`
    const shared = { DATA_FOLDER: name, INSTANCE_NAME: name, LOG_LEVEL: 'silent', OUTGOING_ALLOW_LOOPBACK: 'true' }
    // The wallet is filled before a bot begins the book, as an operator would do.
    mkdirSync(join(folder, name), { recursive: true })
    allowNewBook(parseConfig({ DATA_FOLDER: join(folder, name) }), 'bot')
    const process = new KillableProcess(program, folder, { ...shared, ...environment(port, balancer.url) })
    return { name, url: urls[index] ?? '', process }
  })
  return { all, balancer }
}

async function askBook<Row>(url: string, schema: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  // The server may crash meanwhile, and the running query reports that.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}
