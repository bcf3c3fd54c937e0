import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** For `npm run mutate`: only the tests that answer for what is mutated; scripts/mutate.ts says which. */
export default defineConfig({
  test: { ...all.test, include: process.env.MUTATE_TESTS?.split(',') ?? [], maxWorkers: 1 },
})
