/**
 * `node proof/postgres-server.ts`: a PostgreSQL server for trying things, on this machine alone, until Ctrl-C; its data go with
 * it. It is what `DATABASE=postgres npm test` starts.
 */
import { startPostgres } from './postgres/server.ts'

const server = await startPostgres({ say: console.log })
console.log(`TIPPING_DATABASE_URL=${server.url('postgres')}\nPAYMENTS_DATABASE_URL=${server.url('postgres')}`)
process.once('SIGINT', () => void server.stop())
