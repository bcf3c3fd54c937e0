import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/**
 * For `npm run mutate`: only the tests that answer for what is mutated; scripts/mutate.ts says which. A mutant that makes a
 * test wait for ever is found out sooner than a person would lose patience.
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
