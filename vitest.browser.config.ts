import { defineConfig } from 'vitest/config'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/** `npm run test:browser`: the playground's page in the system's Chromium. Two browsers at a time, each test in a tab of its own. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    // Most of a test is waiting for what is seen.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: TIMEOUT_MS } },
  },
})
