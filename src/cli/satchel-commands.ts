/** A command of `satchel`. */
export interface SatchelCommand {
  /** A short description for the help. */
  readonly summary: string
  /** The path, relative to the project's folder, of the file that runs the command. */
  readonly file: string
  /** The arguments, as the help shows them. */
  readonly usage?: string
  /** The words and options that a shell can complete after the command. */
  readonly completions?: readonly string[]
  /** The words that a shell can complete after each of these words. */
  readonly further?: Readonly<Record<string, readonly string[]>>
}

/**
 * The commands of `satchel admin` for the bot's book. This file imports nothing, so that help and completions appear
 * immediately.
 */
export const OPERATOR_VERBS = ['pause', 'resume', 'unknown', 'decide', 'proposals', 'cancel', 'book'] as const

const ADMIN = {
  project: ['create', 'list', 'fund', 'deposit', 'cover', 'rotate-secret', 'take-names'],
  user: ['create', 'list', 'rename', 'token', 'link-code'],
  name: ['release'],
  key: ['create', 'revoke', 'list'],
  client: ['create', 'list', 'remove'],
  callbacks: ['list', 'redeliver'],
  payment: ['list', 'decide'],
  suspense: ['list', 'give'],
  sandbox: ['token'],
  fees: ['show'],
  node: ['show', 'adopt'],
} as const

/**
 * All commands of `satchel`, in the order of the help. Each is also an npm script: for example, `npm run audit` is
 * `satchel audit`.
 */
export const SATCHEL_COMMANDS: Readonly<Record<string, SatchelCommand>> = {
  start: {
    summary: 'with a Discord token the bot and its payments service, without one the playground',
    file: 'src/cli/start.ts',
    usage: `[--setup] [--new-book] [--fresh]

  --setup     opens set-up in a browser first, with a code that is printed here
  --new-book  the book that is missing begins again, empty: who owned how many sats is forgotten
  --fresh     the playground starts over, and sets its data aside`,
    completions: ['--setup', '--new-book', '--fresh'],
  },
  setup: { summary: 'asks for what Satchel needs, checks it, and writes .env', file: 'src/cli/setup.ts' },
  bot: {
    summary: 'the bot alone, with a provider elsewhere',
    file: 'src/cli/bot.ts',
    usage: '[--new-book]   --new-book: the book that is missing begins again, empty',
    completions: ['--new-book'],
  },
  service: {
    summary: 'the payments service alone',
    file: 'src/cli/service.ts',
    usage: '[--new-book]   --new-book: the book that is missing begins again, empty',
    completions: ['--new-book'],
  },
  sandbox: {
    summary: 'the Lightning network with test sats alone, for services elsewhere',
    file: 'src/cli/sandbox.ts',
  },
  playground: {
    summary: 'a Discord with Satchel on this machine, even where a token is set',
    file: 'src/cli/playground.ts',
    usage: '[--fresh]   --fresh: starts over, and sets its data aside',
    completions: ['--fresh'],
  },
  tour: { summary: 'plays the main flows and proves both books', file: 'scripts/tour.ts' },
  admin: {
    summary: 'pause and resume, unknown payments, bookings; projects, users, keys, callbacks, the Lightning node',
    file: 'src/cli/admin.ts',
    usage: 'COMMAND',
    completions: [...OPERATOR_VERBS, ...Object.keys(ADMIN), 'help'],
    further: ADMIN,
  },
  audit: {
    summary: 'compares both books, the wallet and the open operations',
    file: 'src/cli/audit.ts',
    usage: '[--json]   --json: for programs, amounts in msats. Exits 1 on any difference.',
    completions: ['--json'],
  },
  backup: {
    summary: 'copies both books and the bot’s key while everything runs',
    file: 'src/cli/backup.ts',
    usage: `FOLDER

  FOLDER  a new one, such as backups/2030-01-31`,
  },
  restore: {
    summary: 'proves a backup and puts it in place of the data',
    file: 'src/cli/restore.ts',
    usage: `FOLDER [--force] [--not-paused]
satchel restore --in-place --made-at TIME [--not-paused]

  FOLDER        what satchel backup made
  --force       sets existing data aside
  --not-paused  outgoing payments resume when the book is proven against the wallet, which does not show everything;
                without it, they also wait until an operator says /admin resume
  --in-place    the books are on a PostgreSQL server, whose own tools have put them back
  --made-at     when that backup was made, such as 2030-01-31T12:00:00Z`,
    completions: ['--force', '--not-paused', '--in-place', '--made-at'],
  },
  move: {
    summary: 'copies books to another database, SQLite or PostgreSQL, and proves them there',
    file: 'src/cli/move.ts',
    usage: `[--tipping URL] [--payments URL]

  --tipping   where the bot's book goes, such as postgres://satchel@localhost/tipping or file:./data/tipping.sqlite
  --payments  where the payments service's book goes, in the same way

  Stop every bot and every service first.`,
    completions: ['--tipping', '--payments'],
  },
  'wind-down': {
    summary: 'ends the bot: closes deposits, tells members, pays all balances out, lists the rest',
    file: 'src/cli/wind-down.ts',
    usage: `[--by DATE | --dry-run | --claims FILE | --stop] [--operator NAME]

  (nothing)       how far it is
  --by DATE       closes deposits and tells everybody; balances are paid out from that day on, such as 2030-01-31.
                  Two operators must say the same date; a lone one waits a day
  --dry-run       who would get what, and by which way; nothing moves
  --claims FILE   when the rounds are over: sets the rest aside, and writes it as a signed list for a successor
  --stop          opens deposits again, as long as there is no claim list
  --operator NAME who you are: best your Discord id, so that your word counts once here and on Discord`,
    completions: ['--by', '--dry-run', '--claims', '--stop', '--operator'],
  },
  'adopt-claims': {
    summary: 'credits the claim list of a bot that has ended, out of the operator’s own sats',
    file: 'src/cli/adopt-claims.ts',
    usage: `FILE --key KEY

  FILE   the signed list that satchel wind-down --claims has written there
  --key  the key that its operator has published; without it, this says which key has signed the list`,
    completions: ['--key'],
  },
  'confirm-clock': { summary: 'tells the books that the machine’s clock is right', file: 'src/cli/confirm-clock.ts' },
  'rotate-wallet-key': {
    summary: 'encrypts the secrets of members’ wallets with a new key',
    file: 'src/cli/rotate-wallet-key.ts',
  },
  verify: {
    summary: 'checks the proof of a giveaway or of a balance',
    file: 'src/cli/verify.ts',
    usage: 'FILE   FILE: what /giveaway verify or /status verify:True gave you',
  },
}
