import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** `npm run fuzz`: FUZZ_CASES (100,000) hostile inputs; FUZZ_SEED plays a failure again. */
export default defineConfig({ test: { ...all.test, include: ['test/fuzz/**/*.test.ts'], exclude: [] } })
