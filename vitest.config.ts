import { defineConfig } from 'vitest/config'
import { folderOfRun } from './proof/postgres/temporary-files.ts'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/**
 * What goes wrong on purpose, takes its time, lives through weeks, or starts programs of its own: `npm run
 * test:reliability`.
 */
export const RELIABILITY = [
  'test/reliability/**/*.test.ts',
  'test/assembly/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/**/crashes.test.ts',
  // End to end, beyond the first light.
  'test/e2e/{drops,giveaways,message-tips,old-friends,pools,proof,public-api,vouchers,withdrawals}.test.ts',
  'test/e2e/{no-secrets,without-an-account}.test.ts',
  // Outcomes that nobody knows, and who decides them.
  'test/tipping/{deposit-polls,payouts,payout-proof,poll-after-reconnect,stored-replay-keys}.test.ts',
  'test/tipping/{audit/*,adjustments/*,withdrawals/polls,withdrawals/proof}.test.ts',
  'test/payments-service/{forgetting,graceful-stop,backends/sandbox-restart,payments/outcomes}.test.ts',
  // A whole service over each kind of node, killed and started again.
  'test/payments-service/backends/service-over-nodes.test.ts',
  'test/discord-emulator/storm.test.ts',
  // Start programs of their own.
  'test/scripts/{commands-in-docs,real-nodes}.test.ts',
]

/** With DATABASE=postgres the books are on a server. */
const ON_SERVER = process.env.DATABASE === 'postgres'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/attacks/**',
      'test/browser/**',
      // What is true of a server alone.
      ...(ON_SERVER ? [] : ['test/postgres/**']),
      'test/fuzz/**',
      'test/real-nodes/**',
      ...RELIABILITY,
    ],
    globalSetup: ['test/support/postgres/server.setup.ts'],
    setupFiles: ON_SERVER ? ['test/support/postgres/suite.setup.ts'] : [],
    // Processes, not threads: native modules (SQLite, resvg) are torn down safely only with the process that loaded
    // them. Each process keeps the modules it has loaded from one file of tests to the next: loading and warming them
    // again took a third of the whole run. So nothing in src or test may keep state of its own between tests.
    pool: 'forks',
    isolate: false,
    // One more than two processors: a test that waits for its server leaves a processor to another.
    maxWorkers: 3,
    // A server asks for more of a machine that does other work besides.
    testTimeout: ON_SERVER ? 120_000 : 60_000,
    hookTimeout: ON_SERVER ? 120_000 : 60_000,
    // A busy machine may keep what is waited for longer than the second that is usual.
    expect: { poll: { timeout: TIMEOUT_MS } },
    env: { TMPDIR: folderOfRun() },
  },
})
