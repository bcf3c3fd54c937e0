import type { Guard } from './guard.ts'

const PERMITS = 'src/bot/discord/permits.ts'
const PERMITS_TEST = 'test/bot/permits.test.ts'
const SHARE_PERMITS = 'src/tipping/call-budget/share-permits.ts'
const DIVIDE = 'src/tipping/call-budget/divide-permits.ts'
const SHARE_SHARDS = 'src/tipping/shards/share-shards.ts'
const GATEWAY = 'src/bot/discord/gateway.ts'
const SHARD = 'src/bot/discord/shard.ts'
const SHARDS_TEST = 'test/tipping/two-bots/shards.test.ts'
const GATEWAY_TEST = 'test/bot/gateway.test.ts'
const BUDGET_TEST = 'test/tipping/two-bots/call-budget.test.ts'

/** What keeps several bots of one book within Discord's limits, and each shard of its gateway with one of them. */
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
  {
    fault: 'discord-shards',
    holds: 'a process whose lease is gone takes no shard',
    places: [{ file: SHARE_SHARDS, text: '          await leases.assertIn(tx)\n', without: '' }],
    test: SHARDS_TEST,
    named: 'one whose lease is gone takes none',
  },
  {
    fault: 'discord-shards',
    holds: 'a shard that a living process runs is not taken',
    places: [
      {
        file: SHARE_SHARDS,
        text: 'const isHeld = ({ process }: Row) => process !== null && living.includes(process)',
        without: 'const isHeld = ({ process }: Row) => process === leases.holder',
      },
    ],
    test: SHARDS_TEST,
    named: 'of two that want some, each has half',
  },
  {
    fault: 'discord-shards',
    holds: 'a shard that a dead process ran is free',
    places: [
      {
        file: SHARE_SHARDS,
        text: 'const isHeld = ({ process }: Row) => process !== null && living.includes(process)',
        without: 'const isHeld = ({ process }: Row) => process !== null',
      },
    ],
    test: SHARDS_TEST,
    named: 'the shards of one that died are free once its lease has ended',
  },
  {
    fault: 'discord-shards',
    holds: 'a session is stored by the process alone that runs its shard',
    places: [
      {
        file: SHARE_SHARDS,
        text: 'where: { shard, process: leases.holder }, data })',
        without: 'where: { shard }, data })',
      },
    ],
    test: SHARDS_TEST,
    named: 'stores nothing over what another has',
  },
  {
    fault: 'discord-shards',
    holds: 'the number of shards stays while any of them runs',
    places: [
      {
        file: SHARE_SHARDS,
        text: 'stored.find(isHeld)?.count ?? Math.max(1, recommended)',
        without: 'Math.max(1, recommended)',
      },
    ],
    test: SHARDS_TEST,
    named: 'another number of shards counts once nobody runs any',
  },
  {
    fault: 'discord-shards',
    holds: 'a process that stops gives its shards back',
    places: [
      {
        file: GATEWAY,
        text: '    await this.#options.shards.leave(sessions).catch((error) => this.#warn(error))\n',
        without: '    void sessions\n',
      },
    ],
    test: SHARDS_TEST,
    named: 'one that is closed gives them back at once',
  },
  {
    fault: 'discord-shards',
    holds: 'a process that has more than its share gives some up',
    places: [
      {
        file: GATEWAY,
        text: '      await shards.giveBack(await this.#stop(surplus))\n',
        without: '',
      },
    ],
    test: SHARDS_TEST,
    named: 'a second process takes half of them over',
  },
  {
    fault: 'discord-shards',
    holds: 'a session is left so that Discord lets another process go on with it',
    places: [{ file: SHARD, text: 'code: CloseCodes.Resuming', without: 'code: CloseCodes.Normal' }],
    test: GATEWAY_TEST,
    named: 'a restart goes on with the session',
  },
  {
    fault: 'discord-shards',
    holds: 'a session that was begun with other intents is not gone on with',
    places: [{ file: SHARD, text: 'session?.intents === intents ? session : undefined', without: 'session' }],
    test: GATEWAY_TEST,
    named: 'asked to be told of something else is not gone on with',
  },
  {
    fault: 'discord-shards',
    holds: 'a session that leads nowhere is given up',
    places: [
      {
        file: GATEWAY,
        text: 'pause(clock, RESUME_WAIT_MS).then(() => false)',
        without: 'new Promise<boolean>(() => undefined)',
      },
    ],
    test: GATEWAY_TEST,
    named: 'whose address is gone is given up',
  },
  {
    fault: 'discord-shards',
    holds: 'a process that is started again takes the lease of its predecessor alone',
    places: [
      {
        file: 'src/lib/leases.ts',
        text: 'await table.deleteMany({ where: { name: PROCESS + last.holder } })',
        without: 'await table.deleteMany({ where: { name: { startsWith: PROCESS } } })',
      },
    ],
    test: 'test/lib/leases.test.ts',
    named: 'leaves to all others what they have',
  },
  {
    fault: 'discord-shards',
    holds: 'a copy of a data folder does not prove that the process of the original is dead',
    places: [
      {
        file: 'src/lib/last-lease.ts',
        text: "return typeof holder === 'string' && noted === lock() ? holder : undefined",
        without: "return typeof holder === 'string' && noted !== '' ? holder : undefined",
      },
    ],
    test: 'test/lib/last-lease.test.ts',
    named: 'in a copy of the folder it proves nothing',
  },
  {
    fault: 'discord-shards',
    holds: 'one process at a time begins sessions',
    places: [{ file: SHARE_SHARDS, text: '(row.session !== null || !isBegun)', without: 'isBegun !== undefined' }],
    test: SHARDS_TEST,
    named: 'one process at a time begins sessions',
  },
]
