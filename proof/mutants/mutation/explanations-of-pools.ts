import type { Explained } from './explained.ts'

const BUDGETS = 'src/tipping/pools/budgets.ts'
const POLL = 'src/tipping/pools/poll-fundraiser.ts'
const HISTORY = 'src/tipping/pools/pool-history.ts'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const FOR_POSTGRESQL =
  'SQLite gives these rows in this order by itself; the same tests run on PostgreSQL, which does not promise it.'
const FOR_THE_COMPILER = 'It cannot be undefined there; the question is for the compiler.'
const ONLY_FASTER =
  'The filter only spares reading other rows: each is looked up by its id afterwards, and the others are left alone.'
const NOT_UNREAD = 'Its readers only ask whether the charge is “unread”.'

/** What survives the tests of pools and rewards, and why that is well. */
export const OF_POOLS: readonly Explained[] = [
  {
    file: BUDGETS,
    code: "const budgets = await client.budget.findMany({ where: { guild }, orderBy: { role: 'asc' } })",
    changes: ["{ role: 'asc' } => {}"],
    because: FOR_POSTGRESQL,
  },
  {
    file: BUDGETS,
    code: 'return { key, day, until, cap, used, left: used < cap ? cap - used : 0n }',
    changes: ['used < cap => used <= cap'],
    because: 'Of a budget that is used up, both give nothing.',
  },
  {
    file: BUDGETS,
    code: 'await tx.usage.updateMany({ where: { key, day, used: { gte: amount } }, data: { used: { decrement: amount } } })',
    changes: ['{ gte: amount } => {}'],
    because: 'What is given back was taken from this very row, so the row never has less.',
  },
  {
    file: BUDGETS,
    code: 'default:',
    changes: ['default: return period satisfies never => default:'],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/tipping/pools/give-pool.ts',
    code: "orderBy: { createdAt: 'desc' },",
    changes: ["{ createdAt: 'desc' } => {}"],
    because:
      'In one pause there is one gift, unless the clock was set back: then an earlier end may be named, and the next gift is refused once more.',
  },
  {
    file: 'src/tipping/pools/give-pool.ts',
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'give', content }, async (digest) => {",
    changes: [`'give' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: 'src/tipping/pools/open-fundraiser.ts',
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'fundraiser', content }, (digest) =>",
    changes: [`'fundraiser' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: 'src/tipping/rewards/give-reward.ts',
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'reward', content }, (digest) =>",
    changes: [`'reward' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: 'src/tipping/rewards/give-reward.ts',
    code: 'const waits = approvalAbove !== undefined && amount > approvalAbove',
    changes: ['approvalAbove !== undefined => true'],
    because: 'No amount is above what is undefined; the question is for the compiler.',
  },
  {
    file: POLL,
    code: "if (charge === undefined) return 'refused'",
    changes: [`'refused' => ""`],
    because: NOT_UNREAD,
  },
  { file: POLL, code: "return 'credited'", changes: [`'credited' => ""`], because: NOT_UNREAD },
  {
    file: POLL,
    code: 'if (disabled !== fundraiser.disabled) {',
    changes: ['disabled !== fundraiser.disabled => true'],
    because: 'It only spares writing what stands there already.',
  },
  {
    file: POLL,
    code: "if (fundraiser.state === 'open' || disabled || fundraiser.chargeId === null) return",
    changes: ['fundraiser.chargeId === null => false'],
    because: FOR_THE_COMPILER,
  },
  {
    file: HISTORY,
    code: 'const page = await context.ledger.history(pool(guild), { limit: PAGE, ...(before === undefined ? {} : { before }) })',
    changes: ['before === undefined => false'],
    because: 'A page before what is undefined is the first one.',
  },
  {
    file: HISTORY,
    code: 'const where = { id: { in: [...new Set(lines.map(({ operation }) => operation))] } }',
    changes: [
      '{ id: { in: [...new Set(lines.map(({ operation }) => operation))] } } => {}',
      '{ in: [...new Set(lines.map(({ operation }) => operation))] } => {}',
    ],
    because: ONLY_FASTER,
  },
  ...['fundraiser', 'poolGift', 'reward'].map((table) => ({
    file: HISTORY,
    code: `database.read.${table}.findMany({ where }),`,
    changes: ['{ where } => {}'],
    because: ONLY_FASTER,
  })),
  {
    file: HISTORY,
    code: "return { ...shared, what: gift === undefined ? 'other' : 'gift', member: gift?.member }",
    changes: ['gift === undefined => false', `'other' => ""`, 'gift?.member => gift.member'],
    because: 'Nothing else moves what is in a pool; the word is for a later kind of move.',
  },
  {
    file: 'src/tipping/pools/view-pool.ts',
    code: "orderBy: { createdAt: 'asc' },",
    changes: ["{ createdAt: 'asc' } => {}"],
    because: FOR_POSTGRESQL,
  },
  {
    file: 'src/tipping/pools/view-pool.ts',
    code: "request: fundraiser.request ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: FOR_THE_COMPILER,
  },
]
