import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { type PlayedWorld, playWorld } from '../assembly/played-world.ts'
import { databaseFor } from '../support/postgres/databases.ts'

/** The commands for operators, on two books on PostgreSQL with at least one record of each kind. */

let played: PlayedWorld
let urls: { TIPPING_DATABASE_URL: string; PAYMENTS_DATABASE_URL: string }

beforeAll(async () => {
  played = await playWorld()
  urls = {
    TIPPING_DATABASE_URL: await databaseFor(join(played.folder, 'tipping.sqlite'), 'tipping'),
    PAYMENTS_DATABASE_URL: await databaseFor(join(played.folder, 'payments.sqlite'), 'payments'),
  }
}, 300_000)

afterAll(() => played.remove())

/** Runs a command of the command line; resolves to its exit code and output. */
async function run(command: string, args: readonly string[] = [], change: Partial<typeof urls> = {}) {
  const env = { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: played.folder, ...urls, ...change }
  const said = promisify(execFile)(process.execPath, [`src/cli/${command}.ts`, ...args], { env })
  return await said.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code: code as number, said: stdout + stderr }),
  )
}

/** Copies a database as the server's own tools would; resolves to the address of the copy. */
async function copyOf(url: string): Promise<string> {
  const [from, to] = [new URL(url), new URL(url)]
  to.pathname = `${from.pathname}_copy`
  const admin = new pg.Client({ connectionString: process.env.DATABASE_TEST_URL })
  await admin.connect()
  try {
    await admin.query(`DROP DATABASE IF EXISTS ${to.pathname.slice(1)} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${to.pathname.slice(1)} TEMPLATE ${from.pathname.slice(1)}`)
  } finally {
    await admin.end()
  }
  return to.href
}

it('an audit finds no fault while all processes run', async () => {
  const { code, said } = await run('audit', ['--json'])
  expect({ code, said: JSON.parse(said).holds }, said).toEqual({ code: 0, said: true })
})

it('the admin command works while the service runs', async () => {
  const { projectId } = JSON.parse((await run('admin', ['project', 'create', 'shop', '--fund', '5'])).said)
  expect((await run('admin', ['project', 'list'])).said).toContain(projectId)
  expect(JSON.parse((await run('admin', ['user', 'create', 'zoe'])).said)).toMatchObject({ gamertag: 'zoe' })
  for (const args of [
    ['callbacks', 'list'],
    ['fees', 'show'],
    ['node', 'show'],
    ['key', 'list', projectId],
  ]) {
    expect(await run('admin', args), args.join(' ')).toMatchObject({ code: 0 })
  }
})

it('backup and restore with files are refused on PostgreSQL; pg_dump is suggested', async () => {
  for (const command of ['backup', 'restore']) {
    const { code, said } = await run(command, [join(played.folder, 'a-backup')])
    expect(code).toBe(1)
    expect(said).toMatch(
      /PostgreSQL server\. Use PostgreSQL’s own tools instead: pg_dump.*npm run restore -- --in-place/,
    )
  }
})

it('a book restored with PostgreSQL’s own tools is checked, and payments are paused', async () => {
  const inPlace = ['--in-place', '--made-at', '2026-01-01T00:00:00Z']
  await played.stop()
  const copies = {
    TIPPING_DATABASE_URL: await copyOf(urls.TIPPING_DATABASE_URL),
    PAYMENTS_DATABASE_URL: await copyOf(urls.PAYMENTS_DATABASE_URL),
  }
  for (const args of [['--in-place'], [...inPlace, '--force'], ['--made-at', '2026-01-01', 'a-folder']]) {
    expect((await run('restore', args, copies)).said).toMatch(/satchel restore FOLDER/)
  }
  expect((await run('restore', ['--in-place', '--made-at', '2999-01-01'], copies)).said).toMatch(/in the future/)
  const book = new pg.Client({ connectionString: copies.TIPPING_DATABASE_URL })
  await book.connect()
  await book.query(`INSERT INTO "tipping"."Lease" VALUES ('process:x', 'x', 1, now())`)
  const beat = setInterval(() => void book.query(`UPDATE "tipping"."Lease" SET "fence" = "fence" + 1`), 500)
  expect((await run('restore', inPlace, copies)).said).toMatch(/Stop every bot and service/)
  // From here on it is the lease of a bot that died.
  clearInterval(beat)
  const { code, said } = await run('restore', inPlace, copies)
  expect({ code, said }, said).toMatchObject({ code: 0, said: expect.stringMatching(/hold.*[\s\S]*\/admin resume/) })
  expect(said).toMatch(/open vouchers can be redeemed by their code alone/)
  const payments = new pg.Client({ connectionString: copies.PAYMENTS_DATABASE_URL })
  await payments.connect()
  const claimable = await payments.query('SELECT 1 FROM "payments"."Voucher" WHERE "walletSecret" IS NOT NULL')
  await payments.end()
  expect(claimable.rows).toEqual([])
  const pauses = await book.query('SELECT "source" FROM "tipping"."ExitPause" WHERE "until" IS NULL ORDER BY 1')
  await book.end()
  expect(pauses.rows).toEqual([{ source: 'operator' }, { source: 'restore' }])
  expect(await run('audit', [], copies)).toMatchObject({ code: 0 })
}, 120_000)
