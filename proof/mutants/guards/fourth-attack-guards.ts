import type { Guard } from './guard.ts'

/** What a fourth attacker ran into. */
export const FOURTH_ATTACK_GUARDS: readonly Guard[] = [
  {
    fault: 'another process at the books',
    holds: 'a change with statements of its own reads nothing before it has the lock',
    places: [
      {
        file: 'src/ledger/write-batch.ts',
        text: 'await raw.client.$executeRaw(TAKE_LOCK)',
        without: 'void TAKE_LOCK',
      },
    ],
    test: 'test/ledger/lock.test.ts',
    named: 'statements of its own',
  },
  {
    fault: 'another process at the books',
    holds: 'a change of data alone reads nothing before it has the lock',
    places: [
      {
        file: 'src/ledger/write-batch.ts',
        text: '[client.$executeRaw(TAKE_LOCK), openBatch',
        without: '[TAKE_LOCK, openBatch',
      },
    ],
    test: 'test/ledger/lock.test.ts',
    named: 'data alone',
  },
  {
    fault: 'offers that are never answered',
    holds: 'one payer has few makers of offers asked at once, so that payments reach the node',
    places: [
      {
        file: 'src/payments-service/machines/node/book-node.ts',
        text: 'each: 8, all: 24',
        without: 'each: 800, all: 2_400',
      },
    ],
    test: 'test/payments-service/operations/fetch-offer-invoice.test.ts',
    named: 'asks eight makers at once',
  },
  {
    fault: 'secrets in logs',
    holds: "the link to the operators' page is in no log",
    places: [{ file: 'src/lib/redaction.ts', text: '  /(\\/sign-in#)[\\w-]{16,}/g,\n', without: '' }],
    test: 'test/lib/logger.test.ts',
    named: "the link to the operators' page",
  },
]
