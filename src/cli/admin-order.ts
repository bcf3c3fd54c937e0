import { parseArgs } from 'node:util'
import type { Network } from '../lib/lightning/bolt11.ts'
import { type Msats, sats } from '../lib/money/amount.ts'
import { type Administration, SCOPES, type Scope } from '../payments-service/administration/administration.ts'
import type { Deposit } from './admin-deposit.ts'
import { OPERATOR_LINES, OPERATOR_NOTE, userName } from './operator-order.ts'
import { OPERATOR_VERBS } from './satchel-commands.ts'

/** All commands as people read them. Each command begins a line, and its explanation can continue on the next lines. */
const COMMAND_LINES = `  project create NAME [--fund SATS]        a project with an API key and a callback secret, shown only once
  project list [--after PROJECTID]         1,000 at a time, by id
  project fund PROJECTID SATS              creates test sats; only on the sandbox
  project deposit SATS [PROJECTID]         an invoice with a QR code, paid into the project's wallet; without an id, the
                                           bot's; waits until it is paid; needs the running service
  project cover SATS [PROJECTID]           moves sats from the project's wallet to the operator's account, which lacks
                                           them: what fees beyond a limit cost, and what the node kept of what arrived;
                                           without an id, from the bot's; nothing takes it back
  project rotate-secret PROJECTID          a new callback secret; the old one stays valid
  project take-names PROJECTID             takes back the gamertags of its users who never had a sat: they get neutral ones,
                                           and theirs are free; revoke its key first
  user create GAMERTAG [--reserved]        a user, and a link that signs in on the wallet page once; --reserved gives a
                                           name away that is reserved for those who run the place, such as support
  user list [--after GAMERTAG]             1,000 at a time, by gamertag
  user rename USERID GAMERTAG [--reserved]
  user token USERID                        another sign-in link
  user link-code USERID                    a code for /link, as the user's wallet page shows it
  name release NAME                        takes an identifier from its static charge, and reserves it; frees a name that
                                           is reserved
  key create PROJECTID --scope read,receive,send [--expires 2030-01-01T00:00:00Z]
  key revoke KEYID
  key list PROJECTID
  client create PROJECTID NAME --redirect URL [--redirect URL] [--scope user,wallet] [--public]
                                           a program that users may log in to, with a secret, shown only once; --public for one
                                           that can keep none, such as a game
  client list PROJECTID
  client remove CLIENTID                   nobody can log in to it any more, and its tokens stop working
  callbacks list                           waiting and dead-lettered callbacks
  callbacks redeliver [MESSAGEID]          one dead-lettered callback, or all; they arrive after later ones
  suspense list [--given] [--after RECEIPTID]
                                           what arrived and belongs to nobody; --given: what was given away, and by whom
  suspense give RECEIPTID user:USERID|project:PROJECTID|operator --reason "WHY"
                                           gives it away, whole and once; nothing takes it back
  payment list                             payments that may have left and have no end
  payment decide PAYMENTID paid|failed --evidence "WHERE IT CAN BE SEEN" [--by NAME] [--preimage HEX]
                                           ends one after ten minutes, once two people have said the same; a preimage that
                                           proves it needs no second; the other outcome corrects an earlier decision; --by:
                                           who you are, if not this machine's user
  sandbox token                            the bearer token that the sandbox's routes ask for
  fees show                                what sending has cost, and who bore it, in msats
  node show                                the Lightning node of the book
  node adopt KIND PUBKEY NETWORK [--drop-invoices]
                                           a new node, after all money has moved to it; stop every service first`

const EXAMPLES = [
  'Examples:',
  '    satchel admin pause --reason "The node moves to another machine"',
  '    satchel admin project create "Lightning Lounge" --fund 5000',
  '    satchel admin user token USERID',
]

/** Returns a command with the beginning of its explanation. The command's own help has the rest. */
function inShort(lines: string): string {
  const [, syntax = '', said = ''] = /^ {2}(.*?)(?:\s{2,}([\s\S]*))?$/.exec(lines) ?? []
  const [first = ''] = said.replaceAll(/\s+/g, ' ').split(/[;:]| All /)
  return `  ${syntax.padEnd(WIDTH)}${syntax.length >= WIDTH ? `\n${' '.repeat(WIDTH + 2)}` : ''}${first}`.trimEnd()
}

/** The width of the column for a command with its options. */
const WIDTH = 41

/**
 * Returns the help for the words that a person has typed: for `user`, all commands that begin with it; for an unknown
 * word, examples and then a short list of all commands.
 */
export function usage(words: readonly string[]): string {
  const all = `${OPERATOR_LINES}\n${COMMAND_LINES}`.split(/\n(?= {2}\S)/)
  const [one, noun] = [2, 1].map((count) =>
    all.filter((line) => words.length >= count && `${line} `.startsWith(`  ${words.slice(0, count).join(' ')} `)),
  )
  const shown = [one, noun].find((lines) => lines !== undefined && lines.length > 0)
  return [
    'satchel admin COMMAND, or: npm run -s admin -- COMMAND',
    '',
    ...(shown ?? [...EXAMPLES, '', ...all.map(inShort), '', 'More of each: satchel admin project --help']),
    '',
    ...(shown?.some(isOperators) ? [OPERATOR_NOTE] : []),
    'Each prints one line of JSON, with amounts in msats. It works beside a running bot and service.',
  ].join('\n')
}

/** Whether a line of the help is about the bot's book. */
function isOperators(line: string): boolean {
  return OPERATOR_VERBS.some((verb) => line.startsWith(`  ${verb} `))
}

/** Thrown if a command line is not one of these commands in the right form. */
export class UsageProblem extends Error {
  /** `words` are those that the person typed. The message contains the help for them. */
  constructor(problem: string, words: readonly string[] = []) {
    super(`${problem}\n\n${usage(words)}`)
  }
}

type Command = (
  administration: Administration,
  words: readonly string[],
  options: Options,
  here: Here,
) => Promise<unknown>

/** What commands need of this installation besides the administration. */
export interface Here {
  readonly deposit: Deposit
  /**
   * Returns the id of the named project, or else of the bot's. Throws Problem, which suggests the command `otherwise`,
   * if the bot has no project yet.
   */
  readonly projectOf: (named: string | undefined, otherwise: string) => string
  /** Runs an action while no service uses the data folder. Throws Problem if a service uses it. */
  readonly alone: (run: () => Promise<unknown>) => Promise<unknown>
}

interface Options {
  readonly fund?: string
  readonly scope?: string
  readonly expires?: string
  readonly after?: string
  readonly 'drop-invoices'?: boolean
  readonly reserved?: boolean
  readonly given?: boolean
  readonly reason?: string
  readonly evidence?: string
  readonly by?: string
  readonly preimage?: string
  readonly redirect?: string[]
  readonly public?: boolean
}

interface CommandShape {
  /** The words after the command; `?` marks an optional word. */
  readonly words: readonly string[]
  /** The options that the command accepts. */
  readonly options?: readonly (keyof Options)[]
  readonly run: Command
}

const COMMANDS: Readonly<Record<string, CommandShape>> = {
  'project create': {
    words: ['NAME'],
    options: ['fund'],
    run: (admin, [name = ''], { fund }) =>
      admin.createProject(name, fund === undefined ? undefined : readFund(fund, '--fund')),
  },
  'project list': { words: [], options: ['after'], run: (admin, _words, { after }) => admin.listProjects(after) },
  'project fund': {
    words: ['PROJECTID', 'SATS'],
    run: (admin, [id = '', amount = '']) => admin.fundProject(id, readFund(amount, 'SATS')),
  },
  'project deposit': {
    words: ['SATS', '?PROJECTID'],
    run: (admin, [amount = '', id], _options, { deposit }) => deposit(admin, readSats(amount), id),
  },
  'project cover': {
    words: ['SATS', '?PROJECTID'],
    run: (admin, [amount = '', id], _options, { projectOf }) =>
      admin.coverOperator(projectOf(id, 'project cover SATS PROJECTID'), readSats(amount)),
  },
  'project rotate-secret': { words: ['PROJECTID'], run: (admin, [id = '']) => admin.rotateSecret(id) },
  'project take-names': { words: ['PROJECTID'], run: (admin, [id = '']) => admin.takeNames(id) },
  'user create': {
    words: ['GAMERTAG'],
    options: ['reserved'],
    run: (admin, [gamertag = ''], { reserved }) => admin.createUser(gamertag, reserved),
  },
  'user list': { words: [], options: ['after'], run: (admin, _words, { after }) => admin.listUsers(after) },
  'user rename': {
    words: ['USERID', 'GAMERTAG'],
    options: ['reserved'],
    run: (admin, [id = '', gamertag = ''], { reserved }) => admin.renameUser(id, gamertag, reserved),
  },
  'name release': { words: ['NAME'], run: (admin, [name = '']) => admin.releaseName(name) },
  'user token': { words: ['USERID'], run: (admin, [id = '']) => admin.userToken(id) },
  'user link-code': { words: ['USERID'], run: (admin, [id = '']) => admin.linkCode(id) },
  'key create': {
    words: ['PROJECTID'],
    options: ['scope', 'expires'],
    run: (admin, [id = ''], { scope, expires }) =>
      admin.createKey(id, {
        scopes: readScopes(scope),
        ...(expires !== undefined && { expiresAt: readTime(expires) }),
      }),
  },
  'key revoke': { words: ['KEYID'], run: (admin, [id = '']) => admin.revokeKey(id) },
  'key list': { words: ['PROJECTID'], run: (admin, [id = '']) => admin.listKeys(id) },
  'client create': {
    words: ['PROJECTID', 'NAME'],
    options: ['redirect', 'scope', 'public'],
    run: (admin, [id = '', name = ''], { redirect = [], scope, public: isPublic }) =>
      admin.createClient(id, { name, redirectUris: redirect, scopes: scope, isPublic }),
  },
  'client list': { words: ['PROJECTID'], run: (admin, [id = '']) => admin.listClients(id) },
  'client remove': { words: ['CLIENTID'], run: (admin, [id = '']) => admin.removeClient(id) },
  'callbacks list': { words: [], run: (admin) => admin.listCallbacks() },
  'fees show': { words: [], run: (admin) => admin.showFees() },
  'node show': { words: [], run: (admin) => admin.showNode() },
  'node adopt': {
    words: ['KIND', 'PUBKEY', 'NETWORK'],
    options: ['drop-invoices'],
    run: (admin, [kind = '', pubkey = '', network = ''], { 'drop-invoices': dropInvoices = false }, { alone }) =>
      alone(() => admin.adoptNode({ kind, pubkey, network: network as Network, dropInvoices })),
  },
  'callbacks redeliver': { words: ['?MESSAGEID'], run: (admin, [id]) => admin.redeliverCallbacks(id) },
  'suspense list': {
    words: [],
    options: ['given', 'after'],
    run: (admin, _words, { given = false, after }) =>
      admin.listSuspense({ given, ...(after !== undefined && { after }) }),
  },
  'suspense give': {
    words: ['RECEIPTID', 'TO'],
    options: ['reason'],
    run: (admin, [receiptId = '', to = ''], { reason = '' }) =>
      admin.giveSuspense({ receiptId, to, reason, by: userName() }),
  },
  'payment list': { words: [], run: (admin) => admin.listOpenPayments() },
  'payment decide': {
    words: ['PAYMENTID', 'OUTCOME'],
    options: ['evidence', 'by', 'preimage'],
    run: (admin, [paymentId = '', outcome = ''], { evidence = '', by = userName(), preimage }) =>
      admin.decidePayment({ paymentId, outcome, evidence, by, ...(preimage !== undefined && { preimage }) }),
  },
  'sandbox token': { words: [], run: (admin) => admin.sandboxToken() },
}

/**
 * The meaning of a command line: a help text to show, or a command to run on the administration, with a result to print
 * as JSON.
 */
export type Order = string | ((administration: Administration, here?: Here) => Promise<unknown>)

/**
 * Reads a command line. Throws UsageProblem, whose message shows the commands that the person may have meant, if the
 * command line has a fault.
 */
export function readOrder(args: readonly string[]): Order {
  const { values, positionals } = read(args)
  if (values.help) return usage(positionals)
  if (positionals[0] === 'help') return usage(positionals.slice(1))
  const name = positionals.slice(0, 2).join(' ')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    throw new UsageProblem(name === '' ? 'Give a command:' : `There is no command "${name}".`, positionals)
  }
  const words = positionals.slice(2)
  const required = command.words.filter((word) => !word.startsWith('?'))
  if (words.length < required.length || words.length > command.words.length) {
    throw new UsageProblem(
      `"${name}" takes ${command.words.map((word) => word.replace('?', '')).join(' ') || 'no arguments'}.`,
      positionals,
    )
  }
  refuseOtherOptions(name, command, values)
  return async (administration, here = nowhere) => command.run(administration, words, values, here)
}

const nowhere: Here = {
  deposit: async () => {
    throw new UsageProblem('A deposit needs a running payments service.')
  },
  projectOf: (named) => {
    if (named !== undefined) return named
    throw new UsageProblem('Give the id of a project.')
  },
  alone: (run) => run(),
}

function refuseOtherOptions(name: string, { options = [] }: CommandShape, given: Options): void {
  const other = Object.keys(given).find((option) => !options.some((known) => known === option))
  if (other === undefined) return
  const known = options.map((option) => `--${option}`).join(', ') || 'no options'
  throw new UsageProblem(`"${name}" has no option --${other}; it takes ${known}.`, name.split(' '))
}

function read(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    const flags = { 'drop-invoices': flag, reserved: flag, given: flag, public: flag } as const
    const texts = { fund: text, scope: text, expires: text, after: text, reason: text } as const
    const redirect = { type: 'string', multiple: true } as const
    const options = { ...texts, redirect, evidence: text, by: text, preimage: text, ...flags } as const
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Reads the amount of the argument `name`, in sats. Throws UsageProblem if it is not an amount in sats; if the person
 * typed msats, the message contains the same amount in sats.
 */
function readSats(text: string, name = 'SATS'): Msats {
  if (/^[1-9]\d{0,9}$/.test(text)) return sats(Number(text))
  const [, typed] = /^([1-9]\d{0,15}) ?m(?:illi)?sats?(?:oshis?)?$/i.exec(text) ?? []
  const instead = typed?.endsWith('000') ? ` Write ${typed.slice(0, -3)}.` : ''
  throw new UsageProblem(`${name} must be a whole number of sats above 0, not "${text}".${instead}`)
}

/** The most test sats that one command can create. A larger number is probably an amount in msats. */
const MAX_FUND_SATS = 100_000_000n

/**
 * Reads an amount of test sats as `readSats` does. Throws UsageProblem above the limit; the message contains the amount
 * to write if the person meant msats.
 */
function readFund(text: string, name: string): Msats {
  if (!/^\d+$/.test(text) || BigInt(text) <= MAX_FUND_SATS) return readSats(text, name)
  throw new UsageProblem(
    `${name} must be an amount in sats, not msats, and at most ${MAX_FUND_SATS}; it is "${text}". If you meant msats, write ${BigInt(text) / 1_000n}.`,
  )
}

function readScopes(text: string | undefined): Scope[] {
  const words = text?.split(',').map((word) => word.trim()) ?? []
  const scopes = SCOPES.filter((scope) => words.includes(scope))
  if (scopes.length === 0 || scopes.length !== words.length) {
    throw new UsageProblem(`--scope must be one or more of ${SCOPES.join(',')}; it is "${text ?? ''}".`)
  }
  return scopes
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) {
    throw new UsageProblem(`--expires must be a time such as 2030-01-01T00:00:00Z; it is "${text}".`)
  }
  return time
}
