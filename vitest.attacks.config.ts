import { defineConfig } from 'vitest/config'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/** `npm run test:attacks`: what an attacker tries on a running bot and service, and what holds. */
export default defineConfig({
  test: {
    include: ['test/attacks/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['verbose'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: TIMEOUT_MS } },
  },
})
