import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { Problem } from '../../src/lib/problem.ts'
import { copyForAll, postgresPrograms } from './programs.ts'

/** A PostgreSQL server for tests and measurements, on a port of this machine alone. */
export interface PostgresServer {
  /** The address of a database of this name, without a schema. */
  url(database: string): string
  /** Runs statements in the database `postgres`. */
  admin(sql: string): Promise<void>
  /** As a crash of the machine: nothing more is written; `start` recovers. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface ServerOptions {
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[]
  /** The folder for its data; one in memory or for temporary files if left out. */
  readonly below?: string
  readonly say?: (line: string) => void
  /** The password of its user; without one it asks for none. */
  readonly password?: string
  /** It follows a primary that never says anything. */
  readonly standby?: boolean
}

/** What a test machine has room for. Everything is as durable as in earnest: only where the data lie decides what that costs. */
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 300',
  'shared_buffers = 256MB',
  'max_wal_size = 512MB',
]

/** Starts a new server. Throws Problem when there are no programs for it, or it does not start. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(options.below ?? tmpdir(), 'postgres-'))
  chmodSync(folder, 0o755)
  const programs = copyForAll(await postgresPrograms(options.say ?? (() => {})), folder)
  const user = unprivileged()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const env = { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC' }
  const around = { ...user, env, cwd: '/' }
  const port = await freePort()
  const { password } = options
  const secret = join(folder, 'password')
  writeFileSync(secret, password ?? 'unused')
  const auth = `--auth=${password === undefined ? 'trust' : 'scram-sha-256'}`
  const init = ['-D', data, '-U', 'satchel', auth, `--pwfile=${secret}`, '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs, 'initdb'), init, { ...around, stdio: 'pipe' })
  const lines = [...SETTINGS, ...(options.settings ?? []), `port = ${port}`, `unix_socket_directories = '${data}'`]
  writeFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`, { flag: 'a' })
  if (options.standby) writeFileSync(join(data, 'standby.signal'), '')
  let running: ChildProcess | undefined
  const login = password === undefined ? 'satchel' : `satchel:${password}`
  const url = (database: string) => `postgresql://${login}@127.0.0.1:${port}/${database}`
  const server: PostgresServer = {
    url,
    async admin(sql) {
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    },
    async start() {
      running = spawn(join(programs, 'postgres'), ['-D', data], { ...around, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      running.stderr?.on('data', (chunk) => {
        said = `${said}${chunk}`.slice(-4_000)
      })
      await untilReady(server, running, () => said)
    },
    crash: () => end(running, 'SIGQUIT'),
    async stop() {
      await end(running, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  process.on('exit', () => running?.kill('SIGQUIT'))
  await server.start()
  return server
}

async function untilReady(server: PostgresServer, running: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (running.exitCode !== null) throw new Problem(`PostgreSQL did not start:\n${said()}`)
    const ready = await server.admin('SELECT 1').then(
      () => true,
      () => false,
    )
    if (ready) return
    await setTimeout(50)
  }
}

async function end(running: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
  const ended = new Promise((resolve) => running.once('exit', resolve))
  running.kill(signal)
  await ended
}

/** As root PostgreSQL does not start: then it runs as its own user, or as nobody. Undefined for everybody else. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/passwd')) return undefined
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => [line.split(':')[0], line.split(':')]),
  )
  const [, , uid, gid] = users.get('postgres') ?? users.get('nobody') ?? []
  if (uid === undefined)
    throw new Problem('PostgreSQL does not run as root, and there is no user "nobody" here. Run this as another user.')
  return { uid: Number(uid), gid: Number(gid) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
