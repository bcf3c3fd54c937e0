import { DatabaseProblem } from '../engine/migrations.ts'
import type { Address } from './address.ts'

/** Remedies for PostgreSQL's errors, by code or its first part. Clauses without a full stop. */
const REMEDIES: readonly (readonly [code: string, why: string])[] = [
  ['ECONNREFUSED', 'nothing listens there. Start the server, or correct its host and port'],
  ['ENOTFOUND', 'the host does not exist. Correct its name'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up. Correct it, or check the network'],
  ['ETIMEDOUT', 'the server does not answer. Check the network and its firewall'],
  ['ECONNRESET', 'the server closed the connection. Look at its log'],
  ['28P01', 'the password is wrong. Correct it in the address'],
  ['28', 'the server does not let this user in. Look at its pg_hba.conf and the user in the address'],
  ['3D000', 'there is no such database. Create it: createdb --template=template0 --encoding=UTF8 --locale=C NAME'],
  [
    '42501',
    'the database user is not allowed to create tables there. Make this user the owner of the database: ALTER DATABASE … OWNER TO …',
  ],
  ['25006', 'the server is read-only: it is a standby, or was set to read-only. Give the address of the primary'],
  ['53100', 'the disk of the server is full. Free some space there'],
  ['53300', 'the server has no free connection. Raise max_connections, or stop what holds them'],
  ['53', 'the server lacks resources. Look at its log'],
  ['55P03', 'another process has kept the book locked for a long time. Stop that process'],
  ['57P03', 'the server is starting, stopping or recovering. Wait until it is ready'],
  ['57P', 'the server is shutting down. Start it'],
  ['58', 'the server’s own disk failed. Look at its log'],
  ['XX', 'the server found its own files damaged. Look at its log, and restore a backup'],
]

/** Explains an error and its remedy in two sentences without the last full stop; undefined for an unknown error. */
export function whyPostgresRefuses(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message?: string }
  if (/unsupported startup parameter/.test(message ?? '')) {
    return 'a pooler stands between Satchel and the server. Give the address of the server itself: Satchel pools its connections'
  }
  if (/timeout expired|Connection terminated due to connection timeout/.test(message ?? '')) {
    return 'the server does not answer. Check the network and its firewall'
  }
  if (/Connection terminated unexpectedly|not queryable/.test(message ?? '')) {
    return 'the server broke off the connection: it crashed, or is being stopped. Look at its log, wait until it is ready'
  }
  return REMEDIES.find(([start]) => code?.startsWith(start))?.[1]
}

/** Explains an error in opening a book to the person who started the program. */
export function explain(error: unknown, { name }: Address, variable: string): DatabaseProblem {
  if (error instanceof DatabaseProblem) return error
  const why = whyPostgresRefuses(error) ?? `${String(error)}. Look at the server’s log`
  return new DatabaseProblem(
    `The database ${name} could not be opened: ${why}, or set ${variable} to another database.`,
    {
      cause: error,
    },
  )
}
