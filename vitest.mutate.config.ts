import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/**
 * For `npm run mutate` and `npm run guards`: only the tests that answer for what is changed; they say which. A change that
 * makes a test wait for ever is found out sooner than a person would lose patience.
 */
const PATIENCE_MS = Number(process.env.MUTATE_PATIENCE_MS)

export default defineConfig({
  test: {
    ...all.test,
    include: process.env.MUTATE_TESTS?.split(',') ?? [],
    exclude: [],
    maxWorkers: 1,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
})
