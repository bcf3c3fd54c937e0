import type { Guard } from './guard.ts'
import { AS_IT_IS_NOW } from './sending-guards.ts'

const KIND = 'src/tipping/machines/payouts/payout-kind.ts'
const SEND = 'src/tipping/machines/outgoing/send-outgoing.ts'
const POLL = 'src/tipping/machines/outgoing/poll-outgoing.ts'
const TABLES = 'prisma/tipping/migrations/20261121000002_tipping/migration.sql'
const PAYOUTS = 'test/tipping/payouts.test.ts'

/** What guards the sats that leave for members' own wallets. */
export const PAYOUT_GUARDS: readonly Guard[] = [
  {
    fault: 'key-forgotten-meanwhile',
    holds:
      'a key leaves again only if, right before, its record still says that it may: another bot may have found it forgotten, or ended it',
    places: [
      {
        file: 'src/tipping/machines/outgoing/poll-outgoing.ts',
        text: 'return row !== null && leases.isLive()',
        without: 'return row !== undefined',
      },
    ],
    test: 'test/tipping/poll-outgoing.test.ts',
    named: 'but not where',
  },
  {
    fault: 'reserved-for-ever',
    holds:
      'what is reserved begins again when a database that was away comes back: while this bot lives, nobody else would begin it',
    places: [
      {
        file: SEND,
        text: 'await whileDatabaseIsAway(context, () => trySending(context, kind, id))',
        without: 'await trySending(context, kind, id)',
      },
    ],
    test: 'test/tipping/send-outgoing.test.ts',
    named: 'begins again where the database is away',
  },
  {
    fault: 'charge-in-the-making-for-ever',
    holds: 'a deposit whose charge cannot be written down is given up when the database is back',
    places: [
      { file: 'src/tipping/deposits/open-deposit.ts', text: 'commitDurably(context, {', without: 'context.commit({' },
    ],
    test: 'test/tipping/deposits.test.ts',
    named: 'is given up when the database is back',
  },
  {
    fault: 'fundraiser-in-the-making-for-ever',
    holds: 'a fundraiser whose charge cannot be written down is given up when the database is back',
    places: [
      { file: 'src/tipping/pools/open-fundraiser.ts', text: 'commitDurably(context, {', without: 'context.commit({' },
    ],
    test: 'test/tipping/pools/pools.test.ts',
    named: 'is given up when the database is back',
  },
  {
    fault: '6',
    holds: 'only a proven refusal gives a payout back',
    places: [
      {
        file: 'src/tipping/machines/outgoing/failures.ts',
        text: "if (error.happened === 'maybe') return",
        without: 'if (!error.happened) return',
      },
    ],
    test: PAYOUTS,
    named: 'fault 6:',
  },
  {
    fault: '15',
    holds: 'one worker marks a payout, and none once it was given up',
    places: [
      { file: SEND, text: "where: { id: row.id, state: 'reserved', process }", without: 'where: { id: row.id }' },
      { file: SEND, text: '      await context.leases.assertIn(tx)\n', without: '' },
      { file: TABLES, text: `(("state" = 'kept') = ("because" IS NOT NULL))`, without: '(1)' },
      {
        file: TABLES,
        text: `(("state" IN ('paid', 'kept', 'misdirected')) = ("endedAt" IS NOT NULL))`,
        without: '(1)',
      },
    ],
    test: PAYOUTS,
    named: 'fault 15:',
  },
  {
    fault: '16',
    holds: 'a state whose name is not known is not final',
    places: [
      {
        file: KIND,
        text: "kind: 'unknown', evidence: `the",
        without: "kind: 'failed', because: 'refused', reason: `the",
      },
    ],
    test: PAYOUTS,
    named: 'fault 16:',
  },
  {
    fault: '17',
    holds: 'operators are told of a payout without an end',
    places: [{ file: POLL, text: 'await alertOperators(context, kind, sent)', without: 'await Promise.resolve()' }],
    test: PAYOUTS,
    named: 'fault 17:',
  },
  {
    fault: '18',
    holds: 'a request that moves money is sent again only where its key is replayed',
    places: [
      {
        file: 'src/payments-api/client.ts',
        text: 'session.options.replaysKeys?.() === true',
        without: 'session !== undefined',
      },
      {
        file: 'src/tipping/machines/outgoing/replays.ts',
        text: 'if (!sent.replays || sent.provider !== context.payments.provider || !context.replaysKeys())',
        without: 'if (sent.provider !== context.payments.provider)',
      },
      {
        file: 'src/tipping/machines/outgoing/replays.ts',
        text: "if (await context.stillReplays()) return 'yes'",
        without: "return 'yes'",
      },
      AS_IT_IS_NOW,
    ],
    test: PAYOUTS,
    named: 'fault 18, 21:',
  },
  {
    fault: '21',
    holds: 'what was marked as sending is looked into after a restart, and not taken back',
    places: [
      {
        file: 'src/tipping/machines/outgoing/take-over.ts',
        text: "row.state === 'reserved' ? INTERRUPTED",
        without: "row.state !== 'paid' ? INTERRUPTED",
      },
    ],
    test: PAYOUTS,
    named: 'fault 18, 21:',
  },
  {
    fault: '25',
    holds: 'a payout that could not be asked for stays in the balance',
    places: [{ file: SEND, text: 'return failed(failureOf(error))', without: 'throw error' }],
    test: PAYOUTS,
    named: 'fault 25:',
  },
  {
    fault: '27',
    holds: 'a payout names the account that it is for, not only its gamertag',
    places: [{ file: KIND, text: 'context.replaysKeys() ? { receiverId: lightningId } : {}', without: '{}' }],
    test: PAYOUTS,
    named: 'fault 27:',
  },
  {
    fault: '29',
    holds: 'a refusal that the first attempt may have caused proves nothing',
    places: [
      {
        file: POLL,
        text: 'code !== undefined && !kind.dueToTheFirst.includes(code)',
        without: 'code !== undefined',
      },
    ],
    test: PAYOUTS,
    named: 'fault 29:',
  },
  {
    fault: '31',
    holds: 'a Lightning account belongs to one member at a time',
    places: [
      {
        file: 'src/tipping/members/link-member.ts',
        text: 'holder && holder.member !== member',
        without: 'holder === undefined',
      },
      {
        file: TABLES,
        text: 'CREATE UNIQUE INDEX "Link_lightning_live"',
        without: 'CREATE INDEX "Link_lightning_live"',
      },
    ],
    test: PAYOUTS,
    named: 'fault 31:',
  },
]
