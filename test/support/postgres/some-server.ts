import { startPostgres } from '../../../proof/postgres/server.ts'
import { disconnect } from './databases.ts'

/** For tests that also run if the suite has no server: then starts one for them. Returns a function that stops it. */
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
