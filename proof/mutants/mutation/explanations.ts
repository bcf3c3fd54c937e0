import type { Explained } from './explained.ts'
import { OF_ADDRESSES } from './explanations-of-addresses.ts'
import { OF_ADJUSTMENTS } from './explanations-of-adjustments.ts'
import { OF_AMOUNTS } from './explanations-of-amounts.ts'
import { OF_AUDIT } from './explanations-of-audit.ts'
import { OF_DEPOSITS } from './explanations-of-deposits.ts'
import { OF_DROPS } from './explanations-of-drops.ts'
import { OF_GIVEAWAYS } from './explanations-of-giveaways.ts'
import { OF_INCOMING } from './explanations-of-incoming.ts'
import { OF_KEYS } from './explanations-of-keys.ts'
import { OF_ONCE } from './explanations-of-once.ts'
import { OF_PAYMENTS } from './explanations-of-payments.ts'
import { OF_POOLS } from './explanations-of-pools.ts'
import { OF_RECEIVING } from './explanations-of-receiving.ts'
import { OF_REQUESTS } from './explanations-of-requests.ts'
import { OF_SMALL_GIFTS } from './explanations-of-small-gifts.ts'
import { OF_SUSPENSE } from './explanations-of-suspense.ts'
import { OF_TIPS } from './explanations-of-tips.ts'
import { OF_VOUCHERS } from './explanations-of-vouchers.ts'
import { OF_WITHDRAWALS } from './explanations-of-withdrawals.ts'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const ONLY_FASTER =
  'The filter only spares reading other rows: each is looked up by its id afterwards, and the others are left alone.'
const FOR_THE_COMPILER = 'It cannot be undefined there; the question is for the compiler.'
const SAVEPOINT_DOES_THE_SAME =
  'A short cut for a change that is alone in its transaction: the savepoint, which keeps neighbours apart, would undo the same.'
const NEITHER_ENTRIES_NOR_ROWS = 'What is put in has neither entries nor rows, so it adds nothing.'
const NOTHING_IS_ASKED = 'A short cut: of nothing, nothing is found.'
const BY_ONE = 'The direction is 1 or -1, and dividing by it is the same as multiplying.'
const WORDS_FOR_A_DEBUGGER = 'It is caught, and nobody reads its words but in a debugger.'
const NO_CONDITION = 'Prisma takes a condition whose value is undefined for none.'

/** What survives the tests of its part, and why that is well. Taken out when its line changes: a test sees to it. */
export const EXPLANATIONS: readonly Explained[] = [
  ...OF_ADDRESSES,
  ...OF_ADJUSTMENTS,
  ...OF_AMOUNTS,
  ...OF_AUDIT,
  ...OF_DEPOSITS,
  ...OF_DROPS,
  ...OF_GIVEAWAYS,
  ...OF_INCOMING,
  ...OF_KEYS,
  ...OF_ONCE,
  ...OF_PAYMENTS,
  ...OF_SMALL_GIFTS,
  ...OF_TIPS,
  ...OF_VOUCHERS,
  ...OF_POOLS,
  ...OF_RECEIVING,
  ...OF_REQUESTS,
  ...OF_SUSPENSE,
  ...OF_WITHDRAWALS,
  {
    file: 'src/tipping/deposits/open-deposit.ts',
    code: "verb: 'deposit',",
    changes: [`'deposit' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: 'src/ledger/readings.ts',
    code: "const [head = '', tail] = start",
    changes: [`'' => "Stryker was here!"`],
    because: 'There is always a head; the empty one is there for the compiler.',
  },
  {
    file: 'src/ledger/judge-change.ts',
    code: `if (!account) throw new Error(\`\${accountKey(name)} was not opened\`)`,
    changes: [`\`\${accountKey(name)} was not opened\` => \`\``],
    because:
      'All accounts of a batch are opened before any of them is asked for; the sentence is for a later change that breaks that.',
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: "rows[0]?.table ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: 'A group of rows has at least one; the empty name is there for the compiler.',
  },
  {
    file: 'src/ledger/judge-change.ts',
    code: `if (!account) throw new Error(\`\${accountKey(name)} was not opened\`)`,
    changes: ['!account => false'],
    because: 'All accounts of a batch are opened before any of them is asked for.',
  },
  {
    file: 'src/ledger/judge-change.ts',
    code: 'accounts.get(move.from).balance -= move.amount * direction',
    changes: ['move.amount * direction => move.amount / direction'],
    because: BY_ONE,
  },
  {
    file: 'src/ledger/judge-change.ts',
    code: 'accounts.get(move.to).balance += move.amount * direction',
    changes: ['move.amount * direction => move.amount / direction'],
    because: BY_ONE,
  },
  {
    file: 'src/ledger/judge-change.ts',
    code: 'if (!standsWell(chart, account.kind, balance)) return { account, missing: balance < 0n ? -balance : balance }',
    changes: ['balance < 0n => balance <= 0n'],
    because: 'Nothing is the same with a minus, and an account that holds nothing stands well anyway.',
  },
  {
    file: 'src/ledger/proof.ts',
    code: `if (Number(counts?.empty ?? 0) > 0) faults.push(\`\${counts?.empty} entries move nothing\`)`,
    changes: ['counts?.empty => counts.empty'],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/ledger/holdings.ts',
    code: 'if (real === said || either === undefined) continue',
    changes: ['either === undefined => false'],
    because: FOR_THE_COMPILER,
  },
  ...['accounts', 'entries', 'moves'].map((count) => ({
    file: 'src/ledger/proof.ts',
    code: `${count}: Number(counts?.${count} ?? 0),`,
    changes: [`counts?.${count} => counts.${count}`],
    because: FOR_THE_COMPILER,
  })),
  {
    file: 'src/ledger/proof.ts',
    code: `'WHERE a."balance" <> COALESCE(i."amount", 0) - COALESCE(o."amount", 0) OR a."balance" <> 0 ORDER BY a."id"',`,
    changes: [
      `'WHERE a."balance" <> COALESCE(i."amount", 0) - COALESCE(o."amount", 0) OR a."balance" <> 0 ORDER BY a."id"' => ""`,
    ],
    because: 'The filter only spares reading accounts that are right: each that is read is judged again below.',
  },
  {
    file: 'src/ledger/readings.ts',
    code: 'if (accounts.length === 0) return new Map()',
    changes: ['accounts.length === 0 => false'],
    because: 'A short cut: of no accounts there are no rows.',
  },
  {
    file: 'src/ledger/write-at-once.ts',
    code: "for (const name of change.solvent ?? []) bind(open(name), 'credit')",
    changes: ['[] => ["Stryker was here"]'],
    because: 'An account without a name is found nowhere, and nothing is moved on it.',
  },
  {
    file: 'src/ledger/write-at-once.ts',
    code: "if (sign === 'credit' && -account.by > account.least) account.least = -account.by",
    changes: ['-account.by > account.least => -account.by >= account.least'],
    because: 'Of two equal bounds either is the bound.',
  },
  {
    file: 'src/ledger/write-at-once.ts',
    code: "if (sign === 'debit' && -account.by < account.most) account.most = -account.by",
    changes: ['-account.by < account.most => -account.by <= account.most'],
    because: 'Of two equal bounds either is the bound.',
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const outcome = judgement.ok ? await runStatements(change, tx, changes.length === 1) : judgement',
    changes: [`changes.length === 1 => false`],
    because: SAVEPOINT_DOES_THE_SAME,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'if (alone) {',
    changes: [
      `alone => false`,
      `{ // Without neighbours there is nothing to keep, so that the transaction itself is what is rolled back. const value = await Promise.try(change.write, tx).catch((cause: unknown) => { throw new RolledBack('the change failed', { cause }) }) return { ok: true, value } } => {}`,
    ],
    because: SAVEPOINT_DOES_THE_SAME,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: "throw new RolledBack('the change failed', { cause })",
    changes: [`'the change failed' => ""`],
    because: 'Its cause is what is told; the words are for a debugger.',
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: "override name = 'RolledBack'",
    changes: [`'RolledBack' => ""`],
    because: 'Its cause is what is told; the name is for a debugger.',
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const accepted: LedgerChange<Tx, unknown>[] = []',
    changes: [`[] => ["Stryker was here"]`],
    because: NEITHER_ENTRIES_NOR_ROWS,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'if (unopened.length === 0) return accounts',
    changes: [`unopened.length === 0 => false`],
    because: NOTHING_IS_ASKED,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'if (names.length === 0) return',
    changes: [`names.length === 0 => false`],
    because: NOTHING_IS_ASKED,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const operations = [...new Set(changes.flatMap((change) => (change.entries ?? []).map((entry) => entry.operation)))]',
    changes: [`[] => ["Stryker was here"]`],
    because: NEITHER_ENTRIES_NOR_ROWS,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'if (operations.length === 0) return new Journal([])',
    changes: [`[] => ["Stryker was here"]`, `operations.length === 0 => false`],
    because: NOTHING_IS_ASKED,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'return { entry: Number(last?.entry ?? 0) + 1, move: Number(last?.move ?? 0) + 1 }',
    changes: [`last?.entry => last.entry`, `last?.move => last.move`],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const moved = [...accounts.all()].filter((account) => (account.lastMoveId ?? 0) >= firstMove)',
    changes: [
      `[...accounts.all()].filter((account) => (account.lastMoveId ?? 0) >= firstMove) => [...accounts.all()]`,
      `(account.lastMoveId ?? 0) >= firstMove => true`,
    ],
    because: 'Accounts that did not move would be written as they are.',
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const columns = Object.keys(rows[0]?.values ?? {})',
    changes: [`rows[0]?.values => rows[0].values`],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: "rows[0]?.table ?? '',",
    changes: [`rows[0]?.table => rows[0].table`],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/ledger/write-batch.ts',
    code: 'const TRANSACTION_TIMEOUTS = { maxWait: 60_000, timeout: 60_000 }',
    changes: [`{ maxWait: 60_000, timeout: 60_000 } => {}`],
    because: 'Without it Prisma gives up after two and five seconds; a test would have to hold the lock for as long.',
  },
  {
    file: 'src/ledger/readings.ts',
    code: "' ',",
    changes: [`' ' => ""`],
    because: 'SQLite needs no space after a parameter. PostgreSQL does, and the same tests notice it there.',
  },
  {
    file: 'src/tipping/machines/outgoing/record-outcome.ts',
    code: `if (kind.open === undefined) throw new Error(\`a \${kind.name} cannot be open\`)`,
    changes: [`\`a \${kind.name} cannot be open\` => \`\``],
    because: 'No kind without `open` reads an answer as open; the sentence is for a later kind that does.',
  },
  {
    file: 'src/tipping/machines/outgoing/record-outcome.ts',
    code: `if (before === null) throw new Overtaken(\`\${kind.name} \${id} has moved on\`)`,
    changes: [`\`\${kind.name} \${id} has moved on\` => \`\``],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: 'src/tipping/machines/outgoing/take-over.ts',
    code: `if ((await kind.table(tx).findFirst({ where: free })) === null) throw new Overtaken(\`\${row.id} is somebody's\`)`,
    changes: [`\`\${row.id} is somebody's\` => \`\``],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: 'src/tipping/machines/outgoing/outgoing-payments-switch.ts',
    code: "const { source, reason = '' } = this.paused ?? {}",
    changes: [`'' => "Stryker was here!"`],
    because: 'Whatever pauses has a reason; the empty one is there for the compiler.',
  },
  {
    file: 'src/tipping/machines/outgoing/outgoing-payments-switch.ts',
    code: 'if (read < this.#latestRead) return',
    changes: ['read < this.#latestRead => read <= this.#latestRead'],
    because: 'No two reads have the same number.',
  },
  {
    file: 'src/tipping/machines/outgoing/poll-after-reconnect.ts',
    code: 'known = false',
    changes: ['false => true'],
    because:
      'Nothing that was sent before is sent again by then, so there is nothing to look at sooner; and what is forgotten already is forgotten once more.',
  },
  {
    file: 'src/tipping/machines/outgoing/record-outcome.ts',
    code: 'const moves = (record.moves ?? []).filter(({ amount }) => amount > 0n)',
    changes: ['[] => ["Stryker was here"]'],
    because: 'What is put in has no amount, so the filter drops it.',
  },
  {
    file: 'src/tipping/machines/outgoing/record-outcome.ts',
    code: "const sent = ['sending', 'unknown', ...(kind.openStates ?? [])]",
    changes: ['[] => ["Stryker was here"]'],
    because: 'No row has a state of this name.',
  },
  {
    file: 'src/tipping/machines/outgoing/record-outcome.ts',
    code: 'const borne = msats(fee < row.feeLimit ? fee : row.feeLimit)',
    changes: ['fee < row.feeLimit => fee <= row.feeLimit'],
    because: 'Of two equal amounts either is the smaller.',
  },
  {
    file: 'src/tipping/machines/payouts/live-link.ts',
    code: 'const links = await client.link.findMany({ where: { member: { in: [...members] }, endedAt: null } })',
    changes: ['{ in: [...members] } => {}'],
    because: ONLY_FASTER,
  },
  {
    file: 'src/tipping/machines/payouts/payout-kind.ts',
    code: 'held: (client, member) => sumOf(client, { state: { in: OPEN_STATES }, ...(member !== undefined && { member }) }),',
    changes: ['member !== undefined => true'],
    because: NO_CONDITION,
  },
  {
    file: 'src/tipping/machines/outgoing/replays.ts',
    code: "const where = { ...sent, replays: true, state: { in: ['sending', 'unknown'] } }",
    changes: ["{ in: ['sending', 'unknown'] } => {}"],
    because:
      'The filter only spares writing other rows. What has ended, or is read by its id, is not sent again; and what is only reserved learns when it is sent whether its key is replayed.',
  },
  {
    file: 'src/tipping/machines/outgoing/replays.ts',
    code: "const rows = await context.database.read.replayKey.findMany({ where, orderBy: { id: 'asc' } })",
    changes: ["{ id: 'asc' } => {}"],
    because: 'SQLite reads this table in the order of its ids anyway. PostgreSQL promises no order.',
  },
]
