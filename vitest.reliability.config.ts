import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** `npm run test:reliability`: sick disks, clocks that are set, strange answers, bad databases, and the simulation itself. */
export default defineConfig({ test: { ...all.test, include: ['test/reliability/**/*.test.ts'], exclude: [] } })
