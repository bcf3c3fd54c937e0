/**
 * `node proof/postgres-server.ts`: runs a PostgreSQL server for experiments, reachable from this machine alone, until
 * Ctrl-C, and then deletes its data. `DATABASE=postgres npm test` starts the same kind of server.
 */
import { startPostgres } from './postgres/server.ts'

const server = await startPostgres({ say: console.log })
console.log(`TIPPING_DATABASE_URL=${server.url('postgres')}\nPAYMENTS_DATABASE_URL=${server.url('postgres')}`)
process.once('SIGINT', () => void server.stop())
