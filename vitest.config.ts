import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { folderOfRun } from './proof/postgres/temporary-files.ts'
import { COMPILED } from './proof/world/processes/compiled.ts'
import { SERVER, SLOW, THOROUGH, THOROUGH_IN_BROWSER } from './test/suites.ts'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/** With DATABASE=postgres the books are on a server. */
const ON_SERVER = process.env.DATABASE === 'postgres'
/** A server asks for more of a machine that does other work besides. */
const LIMIT_MS = ON_SERVER ? 120_000 : 60_000
const without = ON_SERVER ? [] : SERVER

/** Where the suites keep their books, and how long they may take. The tests of mutants are run in the same way. */
export const SETTINGS: ViteUserConfig['test'] = {
  globalSetup: ['test/support/postgres/server.setup.ts'],
  // Processes, not threads: native modules (SQLite, resvg) are torn down safely only with the process that loaded
  // them. Each process keeps the modules it has loaded from one file of tests to the next: loading and warming them
  // again took a third of the whole run. So nothing in src or test may keep state of its own between tests.
  pool: 'forks',
  isolate: false,
  // V8 may lose a page of code where the processor has protection keys, and ends the process: "Check failed: jit_page.has_value()".
  // Threads that compile WebAssembly bring it about, as Prisma's do.
  execArgv: ['--no-memory-protection-keys'],
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  // A busy machine may keep what is waited for longer than the second that is usual.
  expect: { poll: { timeout: TIMEOUT_MS } },
  env: { TMPDIR: folderOfRun(), ...COMPILED },
}

/** What every file of tests on a server begins with; what stands apart has a process of its own, which must be able to end. */
export function setUp(ends: 'suite' | 'drop-made'): string[] {
  return ON_SERVER ? [`test/support/postgres/${ends}.setup.ts`] : []
}

function suite(name: string, test: object) {
  return { extends: true as const, test: { name, setupFiles: setUp('suite'), ...test } }
}

/** Some start several programs, which takes long on a busy machine. */
const LONGER = { testTimeout: 120_000, hookTimeout: 120_000 }

/** Programs, browsers and nodes of their own: each file has its process, and each test more time. */
const APART = { isolate: true, testTimeout: 120_000, hookTimeout: 300_000, setupFiles: setUp('drop-made') }

/**
 * The suites by name: `npm test` is the quick one, `npm run test:slow` and `test:browser` two others; `npm run prove` runs the rest.
 * `npx vitest run FILE` runs any file.
 */
export default defineConfig({
  test: {
    ...SETTINGS,
    // One more than two processors: a test that waits for its server leaves a processor to another.
    maxWorkers: 3,
    projects: [
      suite('quick', {
        include: ['test/**/*.test.ts'],
        exclude: ['test/browser/**', ...without, ...SLOW, ...THOROUGH],
      }),
      suite('slow', { ...LONGER, include: SLOW, exclude: [...without, ...THOROUGH] }),
      suite('thorough', { ...LONGER, include: THOROUGH, exclude: without }),
      // What is loaded and warm serves the next file, too.
      suite('browser', {
        ...APART,
        isolate: false,
        testTimeout: 300_000,
        include: ['test/browser/**/*.test.ts'],
        exclude: [...THOROUGH_IN_BROWSER],
      }),
      suite('thorough-browser', {
        ...APART,
        include: THOROUGH_IN_BROWSER,
        exclude: ON_SERVER ? THOROUGH_IN_BROWSER : [],
      }),
      suite('packages', { ...APART, testTimeout: 300_000, include: ['proof/packages/**/*.test.ts'] }),
      suite('attacks', { ...APART, testTimeout: 300_000, include: ['proof/attacks/**/*.test.ts'] }),
      suite('wind-down', { include: ['proof/wind-down/**/*.test.ts'] }),
      suite('wallets', { include: ['proof/own-wallets/**/*.test.ts'] }),
      suite('rules', { include: ['proof/rewards/**/*.test.ts'] }),
      suite('fuzz', { include: ['proof/fuzz/**/*.test.ts'] }),
      suite('nodes', { ...APART, include: ['proof/nodes/**/*.test.ts'], fileParallelism: false }),
    ],
  },
})
