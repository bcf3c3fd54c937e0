/**
 * The house rules, as data. `check-house-rules.ts` applies them to the whole source tree, in `npm run check` and in a
 * test. Paths are relative to the project's folder and use `/`; a folder includes everything in it.
 */

/**
 * The buildings and files of ours that each building may import, besides itself (docs/ARCHITECTURE.md). A file in place
 * of a building is that building’s public file, and nothing behind the file may be imported.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/lib': [],
  'src/ledger': ['src/lib'],
  // A node's settings are in its folder; the list names them.
  'src/config': ['src/lib', 'src/payments-service/engine/node/backend-list.ts'],
  // Everybody who uses our client gets the same code for making and judging calls.
  'src/payments-api': ['src/lib', 'clients/typescript/src'],
  'src/tipping': ['src/lib', 'src/ledger/ledger.ts', 'src/payments-api/payments-api.ts'],
  'src/bot': ['src/lib', 'src/tipping/tipping.ts'],
  'src/web': ['src/lib', 'src/tipping/tipping.ts', 'src/payments-api/payments-api.ts'],
  'src/payments-service': ['src/lib', 'src/ledger/ledger.ts', 'src/payments-api/payments-api.ts'],
  'src/assembly': [
    'src/lib',
    'src/ledger/ledger.ts',
    'src/config/config.ts',
    'src/payments-api/payments-api.ts',
    'src/tipping',
    'src/bot/bot.ts',
    'src/web/web-server.ts',
    'src/payments-service',
  ],
  // The bot and the emulator meet only over HTTP and WebSocket: the emulator knows nothing of Satchel.
  'src/discord-emulator': ['src/lib'],
  'src/playground': [
    'src/lib',
    'src/discord-emulator',
    'src/assembly',
    'src/ledger',
    'src/config',
    'src/payments-api',
    'src/tipping',
    'src/bot',
    'src/web',
    'src/payments-service',
  ],
  'src/cli': ['src'],
}

/**
 * The folders whose files import only one another. The judge of the product shares no line with the product: an oracle
 * that copies a mistake cannot detect it.
 */
export const SELF_CONTAINED: readonly string[] = ['proof/judge']

/** The packages that only some buildings may import, with these buildings; tests may import all. */
export const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  'discord.js': ['src/bot'],
  '@discordjs/rest': ['src/bot'],
  '@discordjs/ws': ['src/bot'],
  fastify: ['src/lib', 'src/payments-service', 'src/web', 'src/playground', 'src/discord-emulator'],
  ws: [
    'src/discord-emulator',
    'src/payments-service/backends/phoenixd',
    'src/lib/nostr',
    'src/playground/member-wallets',
  ],
  'nostr-tools': ['src/payments-service/engine/zaps', 'src/lib/nostr', 'src/playground/member-wallets'],
  'node:http': ['src/lib', 'src/payments-service', 'src/web', 'src/playground', 'src/discord-emulator'],
}

/** The uses of the outside world, and the only places in `src` that may contain them. */
export const WORLD_OWNERS: ReadonlyArray<{
  readonly what: string
  readonly names: readonly string[]
  readonly owners: readonly string[]
}> = [
  { what: 'the environment', names: ['process.env'], owners: ['src/config', 'src/cli'] },
  {
    what: 'the time (take a Clock)',
    names: [
      ...['Date.now', 'new Date()', 'performance.now', 'process.hrtime', 'setTimeout', 'setInterval'],
      ...['node:timers', 'node:timers/promises'],
    ],
    // Entropy's UUIDs carry their creation time, as their standard requires; nothing reads it.
    owners: ['src/lib/clock.ts', 'src/lib/entropy.ts', 'src/cli'],
  },
  {
    what: 'randomness (take an Entropy)',
    names: [
      ...['Math.random', 'randomUUID', 'randomBytes', 'randomInt'],
      ...['crypto.randomUUID', 'crypto.randomBytes', 'crypto.getRandomValues'],
    ],
    owners: ['src/lib/entropy.ts', 'src/cli'],
  },
]

/** The files that run in a browser; the rules about imports, the outside world and dead files do not apply to them. */
export const BROWSER_CODE = [
  'src/playground/page',
  'src/lib/web/assets',
  'src/payments-service/docs-page/assets',
  'src/payments-service/wallet-page/assets',
  'src/bot/pay-pages/assets',
  'src/bot/connect-pages/assets',
  'src/web/console/assets',
  'src/web/operators-page/assets',
  'src/web/public-api/assets',
  'src/web/set-up/assets',
]

/** The names of folders that hold a tool's output: code made from declarations, and built packages. */
export const GENERATED_FOLDERS = ['generated', 'dist']

export const CHECKED_FOLDERS = ['src', 'test', 'proof', 'scripts', 'clients', 'examples']
export const CHECKED_EXTENSIONS = ['.ts', '.js', '.mjs', '.css', '.html']
export const MAX_LINES_IN_FILE = 400
/** The maximum length of a function; a test's `describe` is a group, not a function, so it may be longer. */
export const MAX_LINES_IN_FUNCTION = 70

/**
 * The form of a file's name: lower case with hyphens, then one or more extensions: `send-tip.ts`, `send-tip.test.ts`.
 */
export const FILE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)+$/
/** The names that mean nothing, and so attract everything. */
export const DRAWER_NAME = /^(?:.+-)?(?:utils?|helpers?|common|managers?|misc)$|^types$/

/**
 * The entry files: everything in `src`, `proof` and `scripts` must be reached from one of them, or from a script in
 * package.json.
 */
export const ENTRY_FILES =
  /^(?:src\/cli|proof|scripts|clients\/typescript\/quickstarts|examples\/[\w-]+)\/[^/]+\.(?:ts|mjs)$/
/**
 * The tests and vitest's set-up files: everything in `test` must be reached from one of them. Those in `proof` count
 * too.
 */
export const TEST_FILES = /^(?:test|proof)\/.+\.(?:test|setup)\.ts$/

/** The functions that define tests. A skipped test needs a comment, beside or above it, that says why it is skipped. */
export const TEST_FUNCTIONS = ['describe', 'suite', 'it', 'test', 'bench']
export const TEST_SWITCHES = ['only', 'skip', 'todo', 'skipIf', 'runIf', 'fails']
