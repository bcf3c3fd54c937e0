import type { Guard } from './guard.ts'

const CONNECTIONS = 'src/lib/database/postgres/connections.ts'
const ONE_JOURNEY = 'src/lib/database/postgres/one-journey.ts'
const FLUSHES = 'src/lib/database/postgres/flushes.ts'
const HISTORIES_TEST = 'test/postgres/histories.test.ts'
const FAILOVER_TEST = 'test/postgres/failover.test.ts'
const ONE_JOURNEY_TEST = 'test/postgres/one-journey.test.ts'

/** What keeps a book on a server true: with several processes in it, when the server crashes, and when a standby takes over. */
export const POSTGRES_GUARDS: readonly Guard[] = [
  {
    fault: 'postgres',
    holds: 'two processes do not judge batches at the same time',
    places: [
      {
        file: CONNECTIONS,
        text: 'watched(await locked(await start(isolation), lock), failed)',
        without: 'watched(await start(isolation), failed)',
      },
      { file: ONE_JOURNEY, text: "['BEGIN', lock, ", without: "['BEGIN', " },
    ],
    test: HISTORIES_TEST,
    named: 'fits one order of each account',
  },
  {
    fault: 'postgres',
    holds: 'nobody is answered before the commit is where it has to be',
    places: ['src/lib/database/engine/raw-transactions.ts', ONE_JOURNEY].map((file) => ({
      file,
      text: 'await flushed().catch(failed)',
      without: 'flushed().catch(() => undefined)',
    })),
    test: FAILOVER_TEST,
    named: 'has a commit before anybody is answered',
  },
  {
    fault: 'postgres',
    holds: 'a COMMIT that no standby has confirmed is no answer, though the server says that it is done',
    places: [{ file: FLUSHES, text: '    if (warning !== undefined) throw warning\n', without: '' }],
    test: FAILOVER_TEST,
    named: 'when somebody on the server stops the waiting',
  },
  {
    fault: 'postgres',
    holds: 'nothing starts on a primary that has lost its standby, as one from before a failover has',
    places: [
      { file: 'src/lib/database/postgres/engine.ts', text: 'if (alone === true) {', without: 'if (alone === 1) {' },
    ],
    test: FAILOVER_TEST,
    named: 'keeps a lost primary that comes back',
  },
  {
    fault: 'postgres',
    holds: 'a batch that is written without a reading is refused where one of its changes would be',
    places: [
      {
        file: 'src/ledger/write-at-once.ts',
        text: 'CASE WHEN "Account"."balance" BETWEEN "held"."least" AND "held"."most" THEN "Account"."balance" + "held"."by" END',
        without: '"Account"."balance" + "held"."by"',
      },
    ],
    test: ONE_JOURNEY_TEST,
    named: 'may spend what those before them bring',
  },
  {
    fault: 'postgres',
    holds: 'a batch in one message takes nothing from the provider’s wallet that only a later change brings',
    places: [
      {
        file: 'src/ledger/write-at-once.ts',
        text: "if (sign === 'debit' && -account.by < account.most) account.most = -account.by",
        without: '',
      },
    ],
    test: ONE_JOURNEY_TEST,
    named: 'take from the provider’s wallet nothing that only a later one brings',
  },
  {
    fault: 'postgres',
    holds: 'a transaction in one message is not taken for refused because its connection ended',
    places: [
      {
        file: ONE_JOURNEY,
        text: '    if (!isOfStatement(error) || (await ended(client).catch(() => true))) return failed(error)\n',
        without: '',
      },
    ],
    test: ONE_JOURNEY_TEST,
    named: 'a connection that ends proves nothing',
  },
]
