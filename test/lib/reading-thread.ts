import { readFile } from 'node:fs/promises'
import { serveThread } from '../../src/lib/thread.ts'

const jobs = { read: async (file: string) => await readFile(file, 'utf8') }
export type ReadingJobs = typeof jobs

serveThread(() => jobs)
