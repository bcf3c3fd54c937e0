import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Generates the two typed database clients from their schemas. Runs after every install (`prepare`).
 *
 * Prisma looks for a native schema engine, which only `prisma migrate` needs, and downloads it from outside the npm
 * registry when it is missing. Naming any existing executable stops that: generating compiles in WebAssembly.
 */
const require = createRequire(import.meta.url)
const cli = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js')

for (const database of ['payments', 'tipping']) {
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
}
