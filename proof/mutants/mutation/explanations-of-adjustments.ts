import type { Explained } from './explained.ts'

const ADJUSTMENTS = 'src/tipping/adjustments'
const ADMINISTRATION = 'src/tipping/administration'
const AUDIT = 'src/tipping/audit'

const NOTHING_IS_THE_SAME = 'Where nothing was proposed, nothing is the same; the question is for the compiler.'
const ONLY_SPARES_A_LOOK_UP = 'The pattern only spares a look-up: of what no bot made, the book has no hash.'
const ORDER_OF_IDS = 'SQLite reads this table in the order of its ids anyway. PostgreSQL promises no order.'
const SHORT_CUT = 'A short cut: where every balance is right, comparing record by record finds nothing.'
const ANY_NAMES = 'The names only keep the two uses apart, and the texts that follow them never are the same.'
const NEVER_DELETED =
  'No payment is ever deleted, and each is of one kind or another; the question is for the compiler.'
const ALWAYS_FOUND = 'Every place is one at which a leaf was found; the question is for the compiler.'

/** What survives the tests of adjustments, administration, the audit and alerts, and why that is well. */
export const OF_ADJUSTMENTS: readonly Explained[] = [
  {
    file: `${ADJUSTMENTS}/adjust-books.ts`,
    code: 'return msats(most > 0n ? most : 0n)',
    changes: ['most > 0n => most >= 0n'],
    because: 'Nothing is nothing either way.',
  },
  {
    file: `${ADJUSTMENTS}/decide-payment.ts`,
    code: 'if (open === null || !same) {',
    changes: ['open === null => false'],
    because: NOTHING_IS_THE_SAME,
  },
  {
    file: `${ADJUSTMENTS}/decide-payment.ts`,
    code: 'const correctable = wasDecided && found.ended !== undefined && found.ended !== outcome',
    changes: ['found.ended !== undefined => true'],
    because: 'What two operators have decided has ended, and nothing opens it again.',
  },
  {
    file: `${ADJUSTMENTS}/decide-payment.ts`,
    code: 'if (present === undefined || present.payment.state === found.payment.state) throw error',
    changes: ['present === undefined => false'],
    because: 'No payment is ever deleted; the question is for the compiler.',
  },
  {
    file: `${ADJUSTMENTS}/decided-end.ts`,
    code: 'if (card !== null) await context.cards.raise(tx, [card])',
    changes: ['card !== null => true'],
    because:
      'Only a withdrawal that was asked for and not confirmed has no card, and of that there is nothing to decide.',
  },
  {
    file: `${ADJUSTMENTS}/unknown-payments.ts`,
    code: 'const found = [...open, ...decided.filter((payment) => payment !== undefined)].slice(0, limit)',
    changes: ['payment !== undefined => true', 'decided.filter((payment) => payment !== undefined) => decided'],
    because: NEVER_DELETED,
  },
  {
    file: `${ADJUSTMENTS}/unknown-payments.ts`,
    code: "where: { state: 'proposed', payment: { in: found.map(({ payment }) => payment.id) } },",
    changes: ['{ in: found.map(({ payment }) => payment.id) } => {}'],
    because: 'It only spares reading what was proposed of other payments: each is shown its own proposal.',
  },
  {
    file: `${ADMINISTRATION}/create-administration.ts`,
    code: "orderBy: { id: 'asc' },",
    changes: ["{ id: 'asc' } => {}"],
    because: ORDER_OF_IDS,
  },
  {
    file: `${ADMINISTRATION}/movement.ts`,
    code: "const before = await read.snapshot.findFirst({ where: { at: { lt: since } }, orderBy: { id: 'desc' } })",
    changes: ["{ id: 'desc' } => {}"],
    because: 'It only spares reading entries of earlier days, which are on none of the days that are shown.',
  },
  {
    file: `${ADMINISTRATION}/operator-sign-ins.ts`,
    code: 'const TOKEN = /^[\\w-]{43}$/',
    changes: ['/^[\\w-]{43}$/ => /[\\w-]{43}$/', '/^[\\w-]{43}$/ => /^[\\w-]{43}/'],
    because: ONLY_SPARES_A_LOOK_UP,
  },
  {
    file: `${ADMINISTRATION}/operator-sign-ins.ts`,
    code: 'if (!TOKEN.test(token)) return undefined',
    changes: ['!TOKEN.test(token) => false'],
    because: ONLY_SPARES_A_LOOK_UP,
  },
  ...['return undefined', 'return'].map((end) => ({
    file: `${ADMINISTRATION}/operator-sign-ins.ts`,
    code: `if (session === undefined || !TOKEN.test(session)) ${end}`,
    changes: [
      'session === undefined => false',
      '!TOKEN.test(session) => false',
      'session === undefined || !TOKEN.test(session) => session === undefined && !TOKEN.test(session)',
    ],
    because: ONLY_SPARES_A_LOOK_UP,
  })),
  {
    file: 'src/tipping/machines/alerts/present-provider.ts',
    code: "const about = providerAddress(provider ?? '#')",
    changes: [`'#' => ""`],
    because: 'The address of either is empty.',
  },
  {
    file: `${AUDIT}/act-on-audit.ts`,
    code: "if (uncovered && fault !== undefined) await context.outgoingSwitch.pause(context, 'cover', fault)",
    changes: ['fault !== undefined => true'],
    because: 'What is not covered always has a fault; the question is for the compiler.',
  },
  {
    file: `${AUDIT}/act-on-audit.ts`,
    code: 'const most = seen.amount < surplus ? seen.amount : surplus',
    changes: ['seen.amount < surplus => seen.amount <= surplus'],
    because: 'Of two that are the same, either is the smaller.',
  },
  {
    file: `${AUDIT}/act-on-audit.ts`,
    code: "if ((await arrivedSince(tx, journal.lastEntry)) !== arrived) throw new Overtaken('more has arrived')",
    changes: [`'more has arrived' => ""`],
    because: 'It is caught, and nobody reads its words but in a debugger.',
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'const LONG_READ = { maxWait: 60_000, timeout: 600_000 }',
    changes: ['{ maxWait: 60_000, timeout: 600_000 } => {}'],
    because:
      'Without it Prisma gives up after two and five seconds; a test would need a book that takes as long to read.',
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'if (surplus !== undefined && surplus > 0n) {',
    changes: ['surplus !== undefined => true'],
    because: 'Undefined is not more than nothing; the question is for the compiler.',
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'return { before, wallet, after, short: gap?.short, surplus: all ? gap?.surplus : undefined, otherNetwork }',
    changes: ['gap?.short => gap.short', 'gap?.surplus => gap.surplus'],
    because: 'Here the wallet was asked, and so there is a gap; the question is for the compiler.',
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'for (const each of expected) add(each, -each.amount)',
    changes: ['-each.amount => +each.amount'],
    because: SHORT_CUT,
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'left.set(name, (left.get(name) ?? 0n) + amount)',
    changes: ['(left.get(name) ?? 0n) + amount => (left.get(name) ?? 0n) - amount'],
    because: 'It turns the sign of every sum, and all that matters is whether one comes to something.',
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'for (const account of await tx.account.findMany({ where: { kind: { in: kinds }, balance: { not: 0 } } })) {',
    changes: [
      '{ where: { kind: { in: kinds }, balance: { not: 0 } } } => {}',
      '{ kind: { in: kinds }, balance: { not: 0 } } => {}',
      '{ in: kinds } => {}',
      '{ not: 0 } => {}',
    ],
    because: SHORT_CUT,
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'if ([...left.values()].every((amount) => amount === 0n)) return []',
    changes: [
      '[...left.values()].every((amount) => amount === 0n) => false',
      'amount === 0n => false',
      '(amount) => amount === 0n => () => undefined',
    ],
    because: SHORT_CUT,
  },
  {
    file: `${AUDIT}/audit-books.ts`,
    code: 'if (error instanceof PaymentsError) return { wallet: undefined }',
    changes: ['{ wallet: undefined } => {}'],
    because: 'A wallet that is not said is undefined.',
  },
  {
    file: `${AUDIT}/cover.ts`,
    code: 'const open: Uncertain[] = []',
    changes: ['[] => ["Stryker was here"]'],
    because: 'A text has none of the sums that are asked of it, and counts as nothing.',
  },
  {
    file: `${AUDIT}/cover.ts`,
    code: 'return amount > 0n ? amount : 0n',
    changes: ['amount > 0n => amount >= 0n'],
    because: 'Nothing is nothing either way.',
  },
  {
    file: `${AUDIT}/read-charges.ts`,
    code: "const waiting = await context.database.read.pollJob.findMany({ where: { kind: { in: ['deposit', 'fundraiser'] } } })",
    changes: [
      "{ where: { kind: { in: ['deposit', 'fundraiser'] } } } => {}",
      "{ kind: { in: ['deposit', 'fundraiser'] } } => {}",
      "{ in: ['deposit', 'fundraiser'] } => {}",
    ],
    because: 'It only spares looking for fundraisers by the ids of other records, which are nobody’s but their own.',
  },
  {
    file: `${AUDIT}/restored.ts`,
    code: 'where: { walletRequest: { not: null } },',
    changes: ['{ walletRequest: { not: null } } => {}', '{ not: null } => {}'],
    because: 'It only spares writing nothing where there is nothing.',
  },
  {
    file: `${AUDIT}/snapshots.ts`,
    code: `if (leaf === undefined) throw new RangeError(\`there is no leaf \${place}\`)`,
    changes: ['leaf === undefined => false', `\`there is no leaf \${place}\` => \`\``],
    because: ALWAYS_FOUND,
  },
  {
    file: `${AUDIT}/snapshots.ts`,
    code: `const cut = secretOf('cut', \`\${kind} \${owner}\`).readBigUInt64BE() % (balance + 1n)`,
    changes: [`'cut' => ""`],
    because: ANY_NAMES,
  },
  {
    file: `${AUDIT}/snapshots.ts`,
    code: "return { label, salt: secretOf('salt', label), amount }",
    changes: [`'salt' => ""`],
    because: ANY_NAMES,
  },
  {
    file: `${AUDIT}/snapshots.ts`,
    code: "const secret = Buffer.from(key, 'hex')",
    changes: [`'hex' => ""`],
    because: 'Then the key is read as text, which is as secret, and every proof still fits its own root.',
  },
  {
    file: `${AUDIT}/holders.ts`,
    code: "export const HOLDING_KINDS: HoldingKinds = { held: 'operation', pot: 'account' }",
    changes: [`'operation' => ""`],
    because: "Only 'account' is asked for; the other word is for people.",
  },
]
