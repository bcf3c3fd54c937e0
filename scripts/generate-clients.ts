import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Generates the two typed database clients from their schemas. Runs after every install (`prepare`). What Prisma
 * generates for PostgreSQL is the same but for the provider and the query compiler, so only that one class is added.
 *
 * Prisma looks for a native schema engine, which only `prisma migrate` needs, and downloads it from outside the npm
 * registry when it is missing. Naming any existing executable stops that: generating compiles in WebAssembly.
 */
const require = createRequire(import.meta.url)
const cli = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js')

const PARTS = { payments: 'payments-service', tipping: 'tipping' } as const

for (const database of ['payments', 'tipping'] as const) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'generate', '--config', `prisma/${database}/prisma.config.ts`],
    {
      cwd: dirname(import.meta.dirname),
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
      encoding: 'utf8',
    },
  )
  if (status !== 0) {
    console.error(`The ${database} database client could not be generated:\n${stdout}${stderr}`)
    process.exit(1)
  }
  const folder = join(dirname(import.meta.dirname), 'src', PARTS[database], 'generated', 'internal')
  const ofSqlite = readFileSync(join(folder, 'class.ts'), 'utf8')
  writeFileSync(join(folder, 'class-postgres.ts'), classForPostgres(ofSqlite))
}

function classForPostgres(ofSqlite: string): string {
  return [
    ['"activeProvider": "sqlite"', '"activeProvider": "postgresql"'],
    ['provider = \\"sqlite\\"', 'provider = \\"postgresql\\"'],
    ['query_compiler_fast_bg.sqlite.mjs', 'query_compiler_fast_bg.postgresql.mjs'],
    ['query_compiler_fast_bg.sqlite.wasm', 'query_compiler_fast_bg.postgresql.wasm'],
  ].reduce((text, [here = '', there = '']) => {
    if (text.split(here).length !== 2)
      throw new Error(`Prisma's client does not say ${here} once: look at what changed`)
    return text.replace(here, there)
  }, ofSqlite)
}
