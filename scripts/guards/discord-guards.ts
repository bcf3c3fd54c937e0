import type { Guard } from './guard.ts'

const PERMITS = 'src/bot/discord/permits.ts'
const PERMITS_TEST = 'test/bot/permits.test.ts'
const SHARE_PERMITS = 'src/tipping/call-budget/share-permits.ts'
const DIVIDE = 'src/tipping/call-budget/divide-permits.ts'
const GATEWAY_TEST = 'test/bot/gateway.test.ts'
const BUDGET_TEST = 'test/tipping/two-bots/call-budget.test.ts'

/** What keeps several bots of one book within Discord's limits. */
export const DISCORD_GUARDS: readonly Guard[] = [
  {
    fault: 'discord-calls',
    holds: 'all processes together have no more permits than there are',
    places: [
      {
        file: SHARE_PERMITS,
        text: 'const free = pool - kept - neighbours.reduce((sum, { permits }) => sum + permits, 0)',
        without: 'const free = pool - kept',
      },
    ],
    test: BUDGET_TEST,
    named: 'together make no call too many',
  },
  {
    fault: 'discord-calls',
    holds: 'a permit that the book does not know of is not kept',
    places: [
      {
        file: SHARE_PERMITS,
        text: 'const kept = Math.min(keeps, before?.permits ?? 0)',
        without: 'const kept = keeps',
      },
    ],
    test: BUDGET_TEST,
    named: 'not more than the book knows of',
  },
  {
    fault: 'discord-calls',
    holds: 'what a dead process had is free',
    places: [
      {
        file: SHARE_PERMITS,
        text: 'const neighbours = others.filter((row) => living.includes(row.process))',
        without: 'const neighbours = others',
      },
    ],
    test: BUDGET_TEST,
    named: 'one that died are free once its lease has ended',
  },
  {
    fault: 'discord-calls',
    holds: 'a process that was taken for dead is granted nothing',
    places: [{ file: SHARE_PERMITS, text: '          await leases.assertIn(tx)\n', without: '' }],
    test: BUDGET_TEST,
    named: 'uses none, and is granted none',
  },
  {
    fault: 'discord-calls',
    holds: 'a process that goes on under another id has nothing of what it had',
    places: [
      {
        file: SHARE_PERMITS,
        text: 'isLive: () => grantedTo === leases.holder && leases.isLive(),',
        without: 'isLive: () => grantedTo !== undefined && leases.isLive(),',
      },
    ],
    test: BUDGET_TEST,
    named: 'uses none, and is granted none',
  },
  {
    fault: 'discord-calls',
    holds: 'the invalid calls of a process that is gone are counted on',
    places: [
      {
        file: SHARE_PERMITS,
        text: 'const recent = others.filter((row) => at',
        without: 'const recent = neighbours.filter((row) => at',
      },
    ],
    test: BUDGET_TEST,
    named: 'invalid calls are counted over all processes',
  },
  {
    fault: 'discord-calls',
    holds: 'permits go first to the process in which people wait',
    places: [{ file: DIVIDE, text: 'of URGENCIES) {', without: 'of [...URGENCIES].reverse()) {' }],
    test: 'test/tipping/call-budget/divide-permits.test.ts',
    named: 'answers of one come before cards of another',
  },
  {
    fault: 'discord-calls',
    holds: 'a permit is free a second after the answer, and not before',
    places: [{ file: PERMITS, text: 'const REST_MS = 1_010', without: 'const REST_MS = 500' }],
    test: BUDGET_TEST,
    named: 'together make no call too many',
  },
  {
    fault: 'discord-calls',
    holds: 'a process does without what it has to give up, before the book says so',
    places: [
      {
        file: PERMITS,
        text: 'this.#limit = Math.min(granted, target)',
        without: 'this.#limit = granted',
      },
    ],
    test: PERMITS_TEST,
    named: 'before it says so in the book',
  },
  {
    fault: 'discord-calls',
    holds: 'without its lease a process uses one permit of those that nobody shares out',
    places: [
      {
        file: PERMITS,
        text: 'return budget.isLive() ? Math.max(WITHOUT_BOOK, this.#limit) : WITHOUT_BOOK',
        without: 'return Math.max(WITHOUT_BOOK, this.#limit)',
      },
    ],
    test: PERMITS_TEST,
    named: 'without its lease',
  },
  {
    fault: 'discord-calls',
    holds: 'what people wait for leaves first',
    places: [
      {
        file: PERMITS,
        text: 'if (this.#served % OLDEST_EVERY !== OLDEST_EVERY - 1) return waiting[0]',
        without: 'if (this.#served % OLDEST_EVERY !== OLDEST_EVERY - 1) return waiting.at(-1)',
      },
    ],
    test: PERMITS_TEST,
    named: 'the most urgent leave first',
  },
  {
    fault: 'discord-calls',
    holds: 'what is not urgent is not put off without end',
    places: [
      {
        file: PERMITS,
        text: '!== OLDEST_EVERY - 1) return waiting[0]',
        without: '!== OLDEST_EVERY) return waiting[0]',
      },
    ],
    test: PERMITS_TEST,
    named: 'the most urgent leave first',
  },
  {
    fault: 'discord-calls',
    holds: 'calls stop before Discord bans the address',
    places: [
      {
        file: PERMITS,
        text: 'const open = invalid >= STOP_AT ? [] : invalid >= BRAKE_AT ? [most] : URGENCIES',
        without: 'const open = invalid >= STOP_AT ? [most] : URGENCIES',
      },
    ],
    test: PERMITS_TEST,
    named: 'near the ban for invalid calls',
  },
  {
    fault: 'discord-calls',
    holds: 'a resumed bot reads the servers in which something happens, not all of them',
    places: [
      {
        file: 'src/bot/discord/learn-servers.ts',
        text: 'return page.length > READ_ALL ? undefined : page.map(({ id }) => id)',
        without: 'return page.map(({ id }) => id)',
      },
    ],
    test: GATEWAY_TEST,
    named: 'of many servers it reads those in which something happens',
  },
  {
    fault: 'discord-shards',
    holds: 'of a shard that was given away nothing is believed that was true once',
    places: [
      {
        file: 'src/bot/discord/gateway.ts',
        text: '    if (!this.#closed) for (const { id } of shards) this.#forget(id)\n',
        without: '',
      },
    ],
    test: GATEWAY_TEST,
    named: 'of a shard that another process runs by now',
  },
]
