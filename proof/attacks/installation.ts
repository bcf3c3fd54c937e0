import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { type SeededWorld, seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { type Administration, openAdministration } from '../../src/payments-service/administration/administration.ts'
import { sandboxToken } from '../../src/payments-service/backends/sandbox/sandbox-token.ts'
import { storedPorts } from '../../src/playground/world/ports.ts'
import { createSandboxPhone } from '../../src/playground/world/sandbox-phone.ts'
import type { Phone } from '../../src/playground/world.ts'
import { emptyDatabaseFor, onPostgres } from '../../test/support/postgres/databases.ts'
import { KillableProcess } from '../world/processes/killable-process.ts'
import { slowdown } from '../world/slowdown.ts'

const SOURCES = join(import.meta.dirname, '../../src/cli')
const FLOAT = sats(100_000)

/**
 * Returns how long, in ms, somebody who does not attack may wait before they count as blocked. This time grows with the
 * machine's other load. Benchmarks show how fast a calm machine is.
 */
export function blockedAfterMs(): number {
  return 30_000 * slowdown()
}

/** A project of the service, as its owner knows it. */
export interface Project {
  readonly projectId: string
  readonly apiKey: string
}

/** A response to a request, with a body of any form. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire carries; attacks look into it
  readonly json: any
}

/**
 * Bot and service in one process, as `npm start` runs them, with a fresh installation's settings, on this process's
 * Discord emulator. Attackers have only the ports, a Discord account, and a project or a wallet of their own.
 */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'satchel-attacks-'))
  readonly discord: Emulator
  readonly seeded: SeededWorld
  readonly phone: Phone
  readonly administration: Administration & { close(): Promise<void> }
  readonly url: string
  readonly callbacksUrl: string
  readonly #program: KillableProcess
  readonly #environment: Readonly<Record<string, string>>
  readonly #ports: { giveBack(): Promise<void> }

  private constructor(parts: {
    discord: Emulator
    seeded: SeededWorld
    administration: Installation['administration']
    program: KillableProcess
    environment: Readonly<Record<string, string>>
    ports: { service: number; callbacks: number; giveBack(): Promise<void> }
    folder: string
  }) {
    rmSync(this.folder, { recursive: true })
    this.folder = parts.folder
    this.discord = parts.discord
    this.seeded = parts.seeded
    this.administration = parts.administration
    this.#program = parts.program
    this.#environment = parts.environment
    this.#ports = parts.ports
    this.url = `http://127.0.0.1:${parts.ports.service}`
    this.callbacksUrl = `http://127.0.0.1:${parts.ports.callbacks}`
    this.phone = createSandboxPhone(
      { url: () => this.url, token: sandboxToken(parts.folder, systemEntropy) },
      () => undefined,
    )
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-attacks-'))
    const ports = await storedPorts(folder, systemEntropy)
    const discord = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
    const seeded = seedWorld(discord, Date.now())
    const books = await booksFor(folder)
    const environment = {
      PATH: process.env.PATH ?? '',
      DATA_FOLDER: '.',
      LOG_LEVEL: 'warn',
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.restUrl,
      SERVICE_PORT: String(ports.service),
      CALLBACK_PORT: String(ports.callbacks),
      PUBLIC_API_SERVERS: seeded.serverId,
      ...books,
      ...settings,
    }
    const program = new KillableProcess('start.ts', folder, environment, /connected to Discord/)
    await program.start()
    const administration = await openAdministration({
      databaseUrl: books.PAYMENTS_DATABASE_URL ?? `file:${folder}/payments.sqlite`,
      clock: systemClock,
      entropy: systemEntropy,
      settings: { gamertagReservedDays: 30, reservedNames: [] },
      sandbox: true,
    })
    return new Installation({ discord, seeded, administration, program, environment, ports, folder })
  }

  /** The program's output, for a test that looks for secrets or bugs in it. */
  get said(): string {
    return this.#program.said
  }

  project(fund = FLOAT): Promise<Project> {
    return this.administration.createProject('attacker', fund === 0n ? undefined : fund)
  }

  /** Sends one request exactly as it is written. A body that is not text is sent as JSON. */
  async ask(
    path: string,
    options: { method?: string; apiKey?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<WireAnswer> {
    const { body, apiKey, method = body === undefined ? 'GET' : 'POST' } = options
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const response = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(apiKey !== undefined && { apikey: apiKey }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(text !== undefined && { body: text }),
    })
    const read = await response.text()
    return { status: response.status, headers: response.headers, text: read, json: parse(read) }
  }

  /**
   * Runs a query on a book from outside the program. Resolves to the first column of the first row, as a number, or to
   * 0 if there is no row.
   */
  async stored(book: 'tipping' | 'payments', sql: string): Promise<bigint> {
    const url = this.#environment[`${book.toUpperCase()}_DATABASE_URL`]
    if (url !== undefined) {
      const client = new pg.Client({ connectionString: url, options: `-c search_path=${book}` })
      await client.connect()
      const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end())
      return BigInt(rows[0]?.[0] ?? 0)
    }
    const file = new DatabaseSync(join(this.folder, `${book}.sqlite`), { readOnly: true, readBigInts: true })
    const [value = 0n] = Object.values(file.prepare(sql).get() ?? {})
    file.close()
    return value as bigint
  }

  async balance({ apiKey }: Project): Promise<bigint> {
    return BigInt((await this.ask('/v0/wallet', { apiKey })).json.data.balance)
  }

  /**
   * Compares both books, the wallet and open operations from outside, as an operator does. Rejects with the
   * differences.
   */
  async audit(): Promise<void> {
    const command = [join(SOURCES, 'audit.ts')]
    await promisify(execFile)(process.execPath, command, { cwd: this.folder, env: this.#environment })
  }

  async close(): Promise<void> {
    await this.administration.close()
    await this.#program.stop()
    await this.discord.close()
    await this.#ports.giveBack()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Returns the addresses of empty databases if DATABASE=postgres: each book has its own database on the suite's server.
 */
async function booksFor(folder: string): Promise<{ TIPPING_DATABASE_URL?: string; PAYMENTS_DATABASE_URL?: string }> {
  if (!onPostgres()) return {}
  return {
    TIPPING_DATABASE_URL: await emptyDatabaseFor(`${folder} tipping`),
    PAYMENTS_DATABASE_URL: await emptyDatabaseFor(`${folder} payments`),
  }
}

/**
 * Starts an installation for a file of attacks, and returns a function that returns it. After all attacks the
 * installation must still answer, its log must report no bug, and its books must be proven.
 */
export function installed(settings: Readonly<Record<string, string>> = {}): () => Installation {
  const opened: { installation?: Installation } = {}
  beforeAll(async () => {
    opened.installation = await Installation.open(settings)
  })
  afterAll(async () => {
    const { installation } = opened
    if (installation === undefined) return
    try {
      expect((await installation.ask('/health')).status).toBe(200)
      expect(installation.said).not.toMatch(/"level":(?:50|60)|unexpectedly|unhandled/i)
      await installation.audit()
    } finally {
      await installation.close()
    }
  })
  return () => {
    if (opened.installation === undefined) throw new Error('it is not open yet')
    return opened.installation
  }
}

/** Declares an attack: what the attacker tries, and what must hold. */
export function attack(tried: string, held: string, perform: () => Promise<void>): void {
  it(`${tried} → ${held}`, perform)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
