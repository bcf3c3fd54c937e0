import { defineConfig } from 'vitest/config'
import all, { RELIABILITY } from './vitest.config.ts'

/** `npm run test:reliability`: kills between any two commits, sick disks, bad databases, clocks that are set, strange answers, audits, backups, and what the command line starts. */
export default defineConfig({ test: { ...all.test, include: RELIABILITY, exclude: [] } })
