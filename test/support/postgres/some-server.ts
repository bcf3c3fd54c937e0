import { startPostgres } from '../../../proof/postgres/server.ts'
import { disconnect } from './databases.ts'

/**
 * Starts a server for tests that also run if the suite has none; if the suite has one, starts nothing. Returns a
 * function that stops the server.
 */
export async function someServer(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_TEST_URL !== undefined) return async () => {}
  const server = await startPostgres({ settings: ['autovacuum = off', 'jit = off'] })
  process.env.DATABASE_TEST_URL = server.url('postgres')
  return async () => {
    delete process.env.DATABASE_TEST_URL
    await disconnect()
    await server.stop()
  }
}
