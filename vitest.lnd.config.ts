import { defineConfig } from 'vitest/config'
import { TIMEOUT_MS } from './test/support/until-it-holds.ts'

/** `npm run test:lnd`: the lnd backend on real lnd, in a Lightning network of its own on this machine. */
export default defineConfig({
  test: {
    include: ['test/real-nodes/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: TIMEOUT_MS } },
  },
})
