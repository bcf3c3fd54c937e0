import type { Guard } from './guard.ts'

const FLUSHES = 'src/lib/database/postgres/flushes.ts'
const ENGINE = 'src/lib/database/postgres/engine.ts'
const RAW = 'src/lib/database/engine/raw-transactions.ts'
const CONNECTIONS = 'src/lib/database/postgres/connections.ts'
const ONE_JOURNEY = 'src/lib/database/postgres/one-journey.ts'

const fault = 'a crash before the flush'
const test = 'test/postgres/flushes.test.ts'

/** What stands between a COMMIT that returns before the disk has it, and the answer. */
export const FLUSH_GUARDS: readonly Guard[] = [
  {
    fault,
    holds: 'what waits for the disk and for a standby is a transaction that wrote to the log',
    places: [{ file: FLUSHES, text: `pg_logical_emit_message(true, 'satchel', '')`, without: 'pg_current_xact_id()' }],
    test,
    named: 'outlives a crash of the server that follows at once',
  },
  {
    fault,
    holds: 'each commit is counted, so that nobody takes it for an older one that is durable',
    places: [
      { file: CONNECTIONS, text: 'client.query(COUNT_COMMIT)', without: 'undefined' },
      { file: ONE_JOURNEY, text: '[...statements, { ...COUNT_COMMIT, values: [] }]', without: 'statements' },
    ],
    test,
    named: 'outlives a crash of the server that follows at once',
  },
  {
    fault,
    holds: 'a change of data alone is answered after a flush',
    places: [RAW, ONE_JOURNEY].map((file) => ({ file, text: 'await flushed().catch(failed)\n', without: '\n' })),
    test,
    named: 'that a crash takes back before it is on the disk ends the process',
  },
  {
    fault,
    holds: 'a refusal of the book itself is heard after a flush',
    places: [{ file: RAW, text: '        await flushed()\n', without: '' }],
    test,
    named: 'is not heard, and not at all after a crash: a refusal of a row that is there already',
  },
  {
    fault,
    holds: 'a transaction of Prisma’s is answered after a flush',
    places: [{ file: FLUSHES, text: 'commit().then(flushed)', without: 'commit()' }],
    test,
    named: 'is not heard, and not at all after a crash: a transaction that wrote nothing',
  },
  {
    fault,
    holds: 'a refusal of Prisma’s is heard after a flush',
    places: [{ file: FLUSHES, text: 'rollback().then(flushed)', without: 'rollback()' }],
    test,
    named: 'is not heard, and not at all after a crash: a refusal of a transaction',
  },
  {
    fault,
    holds: 'what is read is handed over after a flush',
    places: [
      {
        file: ENGINE,
        text: 'flushedReaders(readers(address, READERS, server), before)',
        without: 'readers(address, READERS)',
      },
    ],
    test,
    named: 'is not heard, and not at all after a crash: a',
  },
  {
    fault,
    holds: 'who comes while the log is flushed waits for the next flush',
    places: [
      { file: FLUSHES, text: 'this.#next ??= this.#running.then(begin, begin)', without: 'this.#next ??= begin()' },
    ],
    test,
    named: 'that was committed while the log was being flushed',
  },
  {
    fault,
    holds: 'a server that came back is not asked to flush what it has lost',
    places: [
      {
        file: FLUSHES,
        text: 'await flushes.flushed()',
        without: 'await (await (this.#open ??= this.#connect()).connection).flushed()',
      },
    ],
    test,
    named: 'is not answered after the flush of a later connection',
  },
  {
    fault,
    holds: 'a wait for a standby that was cancelled is no flush',
    places: [{ file: FLUSHES, text: 'if (code === WARNING) ', without: 'if (code === undefined) ' }],
    test,
    named: 'an operator who cancels the wait proves nothing',
  },
  {
    fault,
    holds: 'what one server has is not flushed on another',
    places: [{ file: CONNECTIONS, text: '{ ...config, ...(server && { verify }) }', without: 'config' }],
    test,
    named: 'is flushed by the server that has it',
  },
  {
    fault,
    holds: 'a flush waits for the disk, whatever the server is told while it runs',
    places: [
      {
        file: CONNECTIONS,
        text: 'configOf(address, { synchronous_commit: durability })',
        without: 'configOf(address, {})',
      },
    ],
    test,
    named: 'told meanwhile to wait for nothing',
  },
  {
    fault,
    holds: 'a server that keeps its warnings to itself is asked for them',
    places: [{ file: CONNECTIONS, text: "  client_min_messages: 'warning',\n", without: '' }],
    test,
    named: 'an operator who cancels the wait proves nothing',
  },
]
