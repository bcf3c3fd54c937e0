import { defineConfig } from 'vitest/config'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/**
 * `npm run test:attacks`: what an attacker tries on a running bot and service, and what holds. With DATABASE=postgres both books
 * are on a server.
 */
export default defineConfig({
  test: {
    include: ['test/attacks/**/*.test.ts'],
    globalSetup: ['test/support/postgres/server.setup.ts'],
    setupFiles: process.env.DATABASE === 'postgres' ? ['test/support/postgres/drop-made.setup.ts'] : [],
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['verbose'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: TIMEOUT_MS } },
  },
})
