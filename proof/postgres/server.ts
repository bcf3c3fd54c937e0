import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { Problem } from '../../src/lib/problem.ts'
import { copyForAll, postgresPrograms } from './programs.ts'

/** A PostgreSQL server for tests and measurements, on a port of this machine alone. */
export interface PostgresServer {
  /** Returns the address of a database with this name, without a schema. */
  url(database: string): string
  /** Runs statements in the database `postgres`. */
  admin(sql: string): Promise<void>
  /** Stops the server as a crash of the machine would: nothing more is written, and `start` recovers. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Promotes this server, a standby: it no longer follows a primary, and accepts changes. */
  promote(): Promise<void>
  /** Starts another server with a copy of the data; the new server follows this one under the name `name`. */
  startStandby(name: string, options?: ServerOptions): Promise<PostgresServer>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

export interface ServerOptions {
  /** Additional lines for postgresql.conf. */
  readonly settings?: readonly string[]
  /** The folder for the server's data; by default, a folder in memory or the one for temporary files. */
  readonly below?: string
  readonly say?: (line: string) => void
  /** The password of the server's user; without one, the server requires none. */
  readonly password?: string
  /** Whether the server starts as a standby whose primary never sends anything. */
  readonly standby?: boolean
}

/**
 * Settings that suit a test machine. Everything is as durable as in production; only the place of the data determines
 * the cost.
 */
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 300',
  'shared_buffers = 256MB',
  'max_wal_size = 512MB',
]

/** The running servers, which end with this process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT')
})

/** Starts a new server. Throws a Problem if PostgreSQL's programs are missing, or if the server does not start. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const place = await makePlace(options)
  const { password } = options
  const secret = join(place.folder, 'password')
  writeFileSync(secret, password ?? 'unused')
  const auth = `--auth=${password === undefined ? 'trust' : 'scram-sha-256'}`
  const { data } = place
  const init = ['-D', data, '-U', 'satchel', auth, `--pwfile=${secret}`, '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(place.programs, 'initdb'), init, { ...place.around, stdio: 'pipe' })
  if (options.standby) writeFileSync(join(data, 'standby.signal'), '')
  return await startAt(place, options)
}

/** A server's folders, and how its programs run. */
interface ServerFiles {
  readonly folder: string
  readonly data: string
  readonly programs: string
  /** The user, the environment and the working folder of the server's programs. */
  readonly around: { readonly env: NodeJS.ProcessEnv; readonly cwd: string } & Partial<Owner>
}

async function makePlace({ below, say }: ServerOptions): Promise<ServerFiles> {
  const folder = mkdtempSync(join(below ?? tmpdir(), 'postgres-'))
  chmodSync(folder, 0o755)
  const programs = copyForAll(await postgresPrograms(say ?? (() => {})), folder)
  const user = unprivileged()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  return {
    folder,
    data,
    programs,
    around: { ...user, env: { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC' }, cwd: '/' },
  }
}

/** Starts a server on existing data. */
async function startAt(
  { folder, data, programs, around }: ServerFiles,
  options: ServerOptions,
): Promise<PostgresServer> {
  const port = await freePort()
  const lines = [...SETTINGS, ...(options.settings ?? []), `port = ${port}`, `unix_socket_directories = '${data}'`]
  // The last line of a setting counts.
  writeFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`, { flag: 'a' })
  let child: ChildProcess | undefined
  const login = options.password === undefined ? 'satchel' : `satchel:${options.password}`
  const url = (database: string) => `postgresql://${login}@127.0.0.1:${port}/${database}`
  const server: PostgresServer = {
    url,
    async admin(sql) {
      await asAdmin(url('postgres'), (client) => client.query(sql))
    },
    async start() {
      child = spawn(join(programs, 'postgres'), ['-D', data], { ...around, stdio: ['ignore', 'ignore', 'pipe'] })
      running.add(child)
      let said = ''
      child.stderr?.on('data', (chunk) => {
        said = `${said}${chunk}`.slice(-4_000)
      })
      await untilReady(server, child, () => said)
    },
    promote: () => server.admin('SELECT pg_promote()'),
    startStandby: (name, more = {}) => startCopy(url('postgres'), data, name, { ...options, ...more }),
    crash: () => end(child, 'SIGQUIT'),
    async stop() {
      await end(child, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** Matches files that no copy includes: the running server's own, and its log, which is sent through the connection. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|standby\.signal|backup_label|pg_wal\/.+)$/

/** Copies the data of a running server, and starts the copy as its standby. */
async function startCopy(primary: string, from: string, name: string, options: ServerOptions): Promise<PostgresServer> {
  const place = await makePlace(options)
  await asAdmin(primary, async (client) => {
    await client.query(`SELECT pg_backup_start('${name}', true)`)
    copyWhileWritten(from, place.data, place.around)
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    const label = join(place.data, 'backup_label')
    writeFileSync(label, rows[0].labelfile)
    own(label, place.around)
  })
  writeFileSync(join(place.data, 'standby.signal'), '')
  const { port, username } = new URL(primary)
  const conninfo = `host=127.0.0.1 port=${port} user=${username} application_name=${name}`
  const settings = [...(options.settings ?? []), `primary_conninfo = '${conninfo}'`]
  return await startAt(place, { ...options, settings })
}

/**
 * Copies files that may appear, vanish and change meanwhile; the write-ahead log that the copy then receives makes it
 * complete.
 */
function copyWhileWritten(from: string, to: string, owner: Partial<Owner>): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name))
    if (NOT_COPIED.test(path)) continue
    const copy = join(to, path)
    if (entry.isDirectory()) mkdirSync(copy, { recursive: true, mode: 0o700 })
    else if (entry.isFile()) copyUnlessGone(join(from, path), copy)
    else continue
    own(copy, owner)
  }
}

function own(path: string, { uid, gid }: Partial<Owner>): void {
  if (uid !== undefined && gid !== undefined && existsSync(path)) chownSync(path, uid, gid)
}

function copyUnlessGone(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function asAdmin<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // The server may crash meanwhile, and the running query reports that.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function untilReady(server: PostgresServer, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Problem(`PostgreSQL did not start:\n${said()}`)
    const ready = await server.admin('SELECT 1').then(
      () => true,
      () => false,
    )
    if (ready) return
    await setTimeout(50)
  }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
  running.delete(child)
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the user as whom PostgreSQL runs if this process is root's, since PostgreSQL does not start as root:
 * PostgreSQL's own user, or `nobody`. Undefined if this process is another user's.
 */
function unprivileged(): Owner | undefined {
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
