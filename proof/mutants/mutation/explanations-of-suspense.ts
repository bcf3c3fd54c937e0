import type { Explained } from './explained.ts'

const ADMINISTRATION = 'src/payments-service/administration/administration.ts'
const SUSPENSE = 'src/payments-service/administration/suspense.ts'

const ONLY_FASTER = 'The filter only spares reading other rows: what is shown is found among them by its own key.'
const PAGES_HAVE_THEIR_ORDER = 'Prisma reads a page in the order of the ids where no other is named.'

/** What survives the tests of how operators administer the service, and why that is well. */
export const OF_SUSPENSE: readonly Explained[] = [
  {
    file: ADMINISTRATION,
    code: "const rows = await database.read.project.findMany({ where, orderBy: { id: 'asc' }, take: PAGE })",
    changes: ["{ id: 'asc' } => {}"],
    because: PAGES_HAVE_THEIR_ORDER,
  },
  {
    file: ADMINISTRATION,
    code: "const rows = await database.read.callback.findMany({ where, orderBy: { id: 'asc' }, take: PAGE })",
    changes: ["{ id: 'asc' } => {}"],
    because: PAGES_HAVE_THEIR_ORDER,
  },
  {
    file: ADMINISTRATION,
    code: 'const users = await database.read.user.findMany({ where: { id: { in: gamertags.map(({ userId }) => userId) } } })',
    changes: [
      '{ where: { id: { in: gamertags.map(({ userId }) => userId) } } } => {}',
      '{ id: { in: gamertags.map(({ userId }) => userId) } } => {}',
      '{ in: gamertags.map(({ userId }) => userId) } => {}',
    ],
    because: ONLY_FASTER,
  },
  {
    file: ADMINISTRATION,
    code: "return gamertags.map((line) => ({ ...line, createdAt: createdAt.get(line.userId) ?? '' }))",
    changes: [`'' => "Stryker was here!"`],
    because: 'Each gamertag belongs to a user, who has a day; the empty one is there for the compiler.',
  },
  {
    file: ADMINISTRATION,
    code: 'const where = { deliveredAt: null, deadLetteredAt: { not: null }, ...(messageId !== undefined && { messageId }) }',
    changes: ['messageId !== undefined => true'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: 'src/payments-service/administration/adopt-node.ts',
    code: "override name = 'CannotAdopt'",
    changes: [`'CannotAdopt' => ""`],
    because: 'The administration tells its message only; the name is for a debugger.',
  },
  {
    file: SUSPENSE,
    code: 'if (receipt.givenAt !== null) throw givenBefore(receipt)',
    changes: ['receipt.givenAt !== null => false'],
    because: 'A short cut: the journal refuses a second gift, and the same is said then.',
  },
  {
    file: SUSPENSE,
    code: 'const invoices = await read.invoice.findMany({ where: { paymentHash: { in: hashes } } })',
    changes: [
      '{ where: { paymentHash: { in: hashes } } } => {}',
      '{ paymentHash: { in: hashes } } => {}',
      '{ in: hashes } => {}',
    ],
    because: ONLY_FASTER,
  },
]
