import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { postgresPrograms } from '../proof/postgres/programs.ts'
import { runSeed } from '../proof/simulation/run-seed.ts'
import { withTemplate } from '../proof/simulation/template.ts'
import type { SimWorld } from '../proof/world/world.ts'
import { fail } from '../src/cli/run.ts'
import { Problem } from '../src/lib/problem.ts'

/**
 * The seed and the number of steps, after which everybody has done nearly everything, but the books are still small.
 */
const LIFE = { seed: '1', steps: 600 }

/**
 * `node scripts/keep-release-books.ts`: plays a seed of the simulation on each kind of database, and stores its proven
 * books in `test/releases/VERSION`: SQLite files, and pg_dump's output of a server. Run this once for each release,
 * with the release's code; test/releases and test/postgres/released-books.test.ts then open them.
 */
async function main(): Promise<void> {
  const root = join(import.meta.dirname, '..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const target = join(root, 'test/releases', version)
  if (existsSync(target)) throw new Problem(`${target} is there, and released books stay as they were.`)
  const folder = mkdtempSync(join(tmpdir(), 'release-books-'))
  try {
    await live(false, (world) => keepFiles(world, folder))
    const pgDump = join(await postgresPrograms(console.log), 'pg_dump')
    if (!existsSync(pgDump)) throw new Problem(`There is no ${pgDump}. Install PostgreSQL (apt install postgresql).`)
    await live(true, ({ botUrl }) => keepDump(pgDump, botUrl, folder))
    mkdirSync(target, { recursive: true })
    cpSync(folder, target, { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(target)
}

async function live(onServer: boolean, keep: (world: SimWorld) => void): Promise<void> {
  const { failure } = await withTemplate(onServer, (template) => runSeed({ ...LIFE, template, atEnd: keep }))
  if (failure !== undefined) throw new Problem(`The world went wrong:\n  ${failure.what.join('\n  ')}`)
}

function keepFiles({ botUrl, serviceUrl }: SimWorld, folder: string): void {
  for (const [name, url] of Object.entries({ tipping: botUrl, payments: serviceUrl })) {
    const copy = join(folder, `${name}.sqlite`)
    const database = new Database(url.slice('file:'.length))
    database.prepare('VACUUM INTO ?').run(copy)
    database.close()
    writeFileSync(`${copy}.gz`, gzipSync(readFileSync(copy), { level: 9 }))
    rmSync(copy)
  }
}

/**
 * Dumps both books, which share a database on a server. Leaves out the lines that only psql understands, so that any
 * client can run the dump.
 */
function keepDump(pgDump: string, url: string, folder: string): void {
  const words = ['--no-owner', '--no-privileges', '--rows-per-insert=100', `--dbname=${url}`]
  const dump = execFileSync(pgDump, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const sql = dump.replace(/^(?:\\|--).*\n/gm, '').replace(/\n{2,}/g, '\n')
  writeFileSync(join(folder, 'books.postgres.sql.gz'), gzipSync(sql, { level: 9 }))
}

await main().catch(fail)
process.exit(0)
