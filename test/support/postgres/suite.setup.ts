import './watch-queries.ts'
import { afterAll } from 'vitest'
import { dropMade } from './databases.ts'

// Each removal waits for a checkpoint of the server.
afterAll(dropMade, 600_000)
