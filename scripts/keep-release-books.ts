import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { fail } from '../src/cli/run.ts'
import { createRuntime } from '../src/cli/runtime.ts'
import { createWorld } from '../src/playground/create-world.ts'
import { flows } from '../src/playground/tour/flows.ts'
import { Stage } from '../src/playground/tour/stage.ts'

/**
 * `node scripts/keep-release-books.ts`: plays the flows of the tour, and stores the books that they leave in
 * `test/releases/VERSION`, as small as they get. To be run once for each release, with its code; test/releases/books.test.ts opens them from then on.
 */
async function main(): Promise<void> {
  const root = join(import.meta.dirname, '..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const target = join(root, 'test/releases', version)
  // Released books stay as they were: this throws where there are some.
  mkdirSync(join(root, 'test/releases'), { recursive: true })
  mkdirSync(target)
  const folder = mkdtempSync(join(tmpdir(), 'release-books-'))
  try {
    const world = await createWorld({ ...createRuntime({ logLevel: 'error' }), folder, gamertagReservedDays: 0 })
    const stage = new Stage(world, { chapter: console.log, line: () => undefined, picture: () => undefined })
    for (const flow of flows) await flow.play(stage)
    await world.close()
    for (const name of ['tipping', 'payments']) keep(join(folder, `${name}.sqlite`), join(target, `${name}.sqlite.gz`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(target)
}

function keep(from: string, to: string): void {
  const database = new Database(from)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.pragma('journal_mode = DELETE')
  database.exec('VACUUM')
  database.close()
  writeFileSync(to, gzipSync(readFileSync(from), { level: 9 }))
}

await main().catch(fail)
process.exit(0)
