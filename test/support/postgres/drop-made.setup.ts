import { afterAll } from 'vitest'
import { disconnect, dropMade } from './databases.ts'

// Each removal waits for a checkpoint of the server. A file runs alone in its process.
afterAll(async () => {
  await dropMade()
  await disconnect()
}, 600_000)
