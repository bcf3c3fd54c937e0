import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/**
 * `npm run test:postgres`: what reads and writes books most, and what is true of a server alone, on PostgreSQL, in two minutes. The
 * whole suite with all of this: `DATABASE=postgres npm test`.
 */
process.env.DATABASE = 'postgres'

export default defineConfig({
  test: {
    ...all.test,
    include: [
      'test/postgres/**/*.test.ts',
      'test/ledger/**/*.test.ts',
      // Several processes on one book, each with connections of its own.
      'test/tipping/two-bots/*.test.ts',
      'test/payments-service/two-services/*.test.ts',
    ],
    exclude: [],
    setupFiles: ['test/support/postgres/suite.setup.ts'],
  },
})
