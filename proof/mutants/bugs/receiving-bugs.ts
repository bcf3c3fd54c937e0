import type { KnownBug } from './known-bug.ts'

const OPEN_DEPOSIT = 'src/tipping/deposits/open-deposit.ts'
const READ_CHARGE = 'src/tipping/machines/incoming/read-charge.ts'
const READ_DEPOSIT = 'src/tipping/deposits/poll-deposit.ts'
const READ_ADDRESS = 'src/tipping/addresses/poll-address.ts'
const TAKE_ADDRESS = 'src/tipping/addresses/take-address.ts'
const INVOICE = 'src/tipping/invoices/create-invoice.ts'
const BALANCE = 'src/tipping/balances/view-balance.ts'

const MOVES = 'moves: [{ from: WALLET, to, amount }],'
const OPERATOR_TOO = {
  file: READ_CHARGE,
  text: "import { WALLET } from '../../core/chart-of-accounts.ts'",
  instead: "import { OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'",
} as const

/** Mistakes about what fills members' balances, and what they are shown of them. */
export const RECEIVING_BUGS: readonly KnownBug[] = [
  {
    id: 'deposit-credited-twice',
    does: 'credits a deposit twice',
    places: [
      {
        file: READ_CHARGE,
        text: MOVES,
        instead:
          "moves: Array.from({ length: kind.noun === 'deposit' ? 2 : 1 }, () => ({ from: WALLET, to, amount })),",
      },
    ],
  },
  {
    id: 'deposit-to-another',
    does: 'credits one deposit in 10 to another member',
    places: [
      {
        file: READ_CHARGE,
        text: 'const to = kind.accountOf(record)',
        instead: `const whose = kind.accountOf(record)
  const other = await context.database.read.member.findFirst({ where: { id: { not: whose.owner } } })
  const isTenth = kind.noun === 'deposit' && arrivals[0].amount % 10_000n === 0n
  const to = isTenth && other ? { ...whose, owner: other.id } : whose`,
      },
    ],
  },
  {
    id: 'deposit-late-is-lost',
    does: 'no longer reads a deposit whose time is over, so that what was paid late is lost',
    places: [
      {
        file: READ_CHARGE,
        text: 'if (record === null || !hasCharge(record)) return END',
        instead:
          "if (record === null || !hasCharge(record) || (kind.noun === 'deposit' && record.state === 'closed')) return END",
      },
      {
        file: READ_DEPOSIT,
        text: 'if (!disabled) await context.payments.updateStaticCharge({ id: chargeId, allowedSlots: 0 })',
        instead: '',
      },
    ],
  },
  {
    id: 'deposit-a-sat-more',
    does: 'asks for a sat more than was typed, and credits it',
    places: [
      {
        file: OPEN_DEPOSIT,
        text: 'const amount = readAmount(command.amount, limits)',
        instead: 'const amount = (readAmount(command.amount, limits) + 1_000n) as Msats',
      },
    ],
  },
  {
    id: 'deposit-less-a-fee',
    does: 'keeps a hundredth of each deposit for the operator',
    places: [
      OPERATOR_TOO,
      {
        file: READ_CHARGE,
        text: MOVES,
        instead: `moves: [
          { from: WALLET, to, amount: kind.noun === 'deposit' ? amount - amount / 100n : amount },
          ...(kind.noun === 'deposit' ? [{ from: WALLET, to: OPERATOR, amount: amount / 100n }] : []),
        ],`,
      },
    ],
  },
  {
    id: 'address-credits-once',
    does: 'credits what is paid to an address only the first time',
    places: [
      {
        file: READ_ADDRESS,
        text: 'if (data.payments.length > 0) await credit(',
        instead: 'if (data.payments.length > 0 && credited === 0) await credit(',
      },
    ],
  },
  {
    id: 'address-to-operator',
    does: 'gives the operator what is paid to an address with more than 500 sats',
    places: [
      OPERATOR_TOO,
      {
        file: READ_CHARGE,
        text: MOVES,
        instead: "moves: [{ from: WALLET, to: kind.noun === 'address' && amount > 500_000n ? OPERATOR : to, amount }],",
      },
    ],
  },
  {
    id: 'address-of-another',
    does: 'gives a member who asks for an address that of another member, where there is one already',
    places: [
      {
        file: TAKE_ADDRESS,
        text: "where: { member, state: 'live', provider: atPresentProvider(context), ...(name === undefined ? {} : { name }) },",
        instead:
          "where: { state: 'live', provider: atPresentProvider(context), ...(name === undefined ? { member } : { name }) },",
      },
    ],
  },
  {
    id: 'invoice-for-another',
    does: "makes a member's request for money pay another member's wallet",
    places: [
      {
        file: INVOICE,
        text: 'const link = await liveLink(context.database.read, command.member)\n',
        instead: `const own = await liveLink(context.database.read, command.member)
  const other = await context.database.read.link.findFirst({ where: { endedAt: null, member: { not: command.member } } })
  const link = own && other && amount % 3_000n === 0n ? { ...own, lightningId: other.lightningId, gamertag: other.gamertag } : own
`,
      },
    ],
  },
  {
    id: 'balance-shows-what-is-on-its-way',
    does: 'shows what is on its way out as if it could be spent',
    places: [
      {
        file: BALANCE,
        text: 'available: msats(available),',
        instead: 'available: msats(available + (inFlight._sum.amount ?? 0n) + leaving + vouchers),',
      },
    ],
  },
  {
    id: 'address-newest-of-anybody',
    does: 'shows a member who asks for any address the newest that anybody has',
    places: [
      {
        file: TAKE_ADDRESS,
        text: "where: { member, state: 'live', provider: atPresentProvider(context), ...(name === undefined ? {} : { name }) },",
        instead:
          "where: { state: 'live', provider: atPresentProvider(context), ...(name === undefined ? {} : { member, name }) },",
      },
    ],
  },
  {
    id: 'invoice-for-the-first-link',
    does: "makes a member's request for money pay the wallet that they linked first",
    places: [
      {
        file: INVOICE,
        text: 'const link = await liveLink(context.database.read, command.member)\n',
        instead: `const own = await liveLink(context.database.read, command.member)
  const first = await context.database.read.link.findFirst({ where: { member: command.member }, orderBy: { createdAt: 'asc' } })
  const link = own && first ? { ...own, lightningId: first.lightningId, gamertag: first.gamertag } : own
`,
      },
    ],
  },
  {
    id: 'balance-shows-what-waits',
    does: 'shows what waits for newcomers as if its giver could spend it',
    places: [
      {
        file: BALANCE,
        text: 'available: msats(available),',
        instead: 'available: msats(available + (waiting._sum.amount ?? 0n)),',
      },
    ],
  },
]
