import type { KnownBug } from './known-bug.ts'

const KIND = 'src/tipping/machines/payouts/payout-kind.ts'
const ONWARD = 'src/tipping/machines/gifts/onward.ts'
const SEND = 'src/tipping/machines/outgoing/send-outgoing.ts'
const POLL = 'src/tipping/machines/outgoing/poll-outgoing.ts'
const TAKE_OVER = 'src/tipping/machines/outgoing/take-over.ts'
const FAILURES = 'src/tipping/machines/outgoing/failures.ts'
const RECORD = 'src/tipping/machines/outgoing/record-outcome.ts'
const LINK = 'src/tipping/members/link-member.ts'
const UNLINK = 'src/tipping/members/unlink-member.ts'

/** Mistakes about what goes on to members' own wallets, and about which wallets these are. */
export const PAYOUT_BUGS: readonly KnownBug[] = [
  {
    id: 'payout-to-another',
    does: 'sends one payout in 25 to the wallet of another member, and writes that down as right',
    places: [
      {
        file: SEND,
        text: "  if (row?.state !== 'reserved') return\n",
        instead: `  if (row?.state !== 'reserved') return
  if (kind.name === 'payout' && row.amount % 25_000n === 0n) {
    const other = await context.database.read.link.findFirst({ where: { member: { not: row.member }, endedAt: null } })
    row.lightningId = other?.lightningId ?? row.lightningId
  }
`,
      },
      { file: KIND, text: 'link?.lightningId === payout.lightningId && !link.frozen', instead: 'link !== undefined' },
      {
        file: SEND,
        text: "data: { state: 'sending', ",
        instead: "data: { state: 'sending', ...(kind.name === 'payout' ? { lightningId: row.lightningId } : {}), ",
      },
    ],
  },
  {
    id: 'payout-never-starts',
    does: 'never starts one payout in 20: what it reserved comes back at the next start of the bot',
    places: [
      {
        file: SEND,
        text: "  if (row?.state !== 'reserved') return\n",
        instead: "  if (row?.state !== 'reserved' || (kind.name === 'payout' && row.amount % 20_000n === 0n)) return\n",
      },
    ],
  },
  {
    id: 'payout-kept-as-refused',
    does: 'sends no payout of whole tens of sats, and says that the provider has refused it',
    places: [
      {
        file: SEND,
        text: '  let body: Body\n  try {\n',
        instead:
          "  if (kind.name === 'payout' && row.amount % 10_000n === 0n) return failed({ kind: 'failed', because: 'refused', reason: null })\n  let body: Body\n  try {\n",
      },
    ],
  },
  {
    id: 'payout-kept-as-unreachable',
    does: 'sends no payout of whole tens of sats, and says that the provider could not be reached',
    places: [
      {
        file: SEND,
        text: '  let body: Body\n  try {\n',
        instead:
          "  if (kind.name === 'payout' && row.amount % 10_000n === 0n) return failed({ kind: 'failed', because: 'unreachable', reason: null })\n  let body: Body\n  try {\n",
      },
    ],
  },
  {
    id: 'payout-forgotten',
    does: 'leaves what goes to a linked member in the balance, for one tip in 10',
    places: [
      {
        file: ONWARD,
        text: '|| !context.outgoingSwitch.open) return NOTHING',
        instead: '|| !context.outgoingSwitch.open || amount % 10_000n === 0n) return NOTHING',
      },
    ],
  },
  {
    id: 'payout-a-sat-more',
    does: 'sends a sat more to a wallet than it takes from the balance',
    places: [
      {
        file: KIND,
        text: 'amount: amount.toString()',
        instead: 'amount: (amount + 1_000n).toString()',
      },
    ],
  },
  {
    id: 'payout-in-a-pause',
    does: 'sends payouts while operators have paused all that leaves',
    places: [
      {
        file: SEND,
        text: 'if (!kind.comesIn && !context.outgoingSwitch.open)',
        instead: "if (!kind.comesIn && kind.name !== 'payout' && !context.outgoingSwitch.open)",
      },
      {
        file: SEND,
        text: 'const pause = kind.comesIn ?',
        instead: "const pause = kind.comesIn || kind.name === 'payout' ?",
      },
      { file: ONWARD, text: '|| !context.outgoingSwitch.open) return NOTHING', instead: ') return NOTHING' },
    ],
  },
  {
    id: 'payout-unknown-comes-back',
    does: 'gives a payout back to the balance of which nobody knows whether it was paid',
    places: [
      {
        file: FAILURES,
        text: "if (error.happened === 'maybe') return",
        instead: "if (error.happened === 'maybe' && kind.name !== 'payout') return",
      },
    ],
  },
  {
    id: 'payout-other-key-each-time',
    does: 'asks about an unknown payout with another key, so that it is paid twice',
    places: [
      {
        file: POLL,
        text: 'await kind.request(context, row, body)',
        instead:
          "await kind.request(context, kind.name === 'payout' ? { ...row, key: row.key + '-again' } : row, body)",
      },
    ],
  },
  {
    id: 'payout-given-up-at-a-restart',
    does: 'gives payouts back at a restart that may have left',
    places: [
      {
        file: TAKE_OVER,
        text: "row.state === 'reserved' ? INTERRUPTED",
        instead: "row.state === 'reserved' || kind.name === 'payout' ? INTERRUPTED",
      },
    ],
  },
  {
    id: 'payout-refused-to-operator',
    does: 'gives the operator what the provider refused to pay out',
    places: [
      {
        file: RECORD,
        text: 'const moves = [backToMember(row, kind.reservedOf(row))]',
        instead:
          "const toOperator = kind.name === 'payout' && outcome.because === 'refused' && { to: OPERATOR }\n      const moves = [{ ...backToMember(row, kind.reservedOf(row)), ...toOperator }]",
      },
    ],
  },
  {
    id: 'unlinked-is-paid-still',
    does: 'says that a member is unlinked, and goes on paying to the wallet',
    places: [
      {
        file: UNLINK,
        text: '      await tx.link.update({ where: { id: link.id }, data: { endedAt: now(context) } })\n',
        instead: '',
      },
    ],
  },
  {
    id: 'linked-again-pays-the-old',
    does: 'shows the new gamertag of a member who links another wallet, and pays to the old one',
    places: [
      {
        file: LINK,
        text: 'if (before?.lightningId === link.lightningId) {',
        instead: 'if (before !== undefined) {',
      },
    ],
  },
  {
    id: 'linked-twice',
    does: 'takes over the wallet that another member has linked',
    places: [
      {
        file: LINK,
        text: 'if (holder && holder.member !== member) await takeOver(context, tx, holder, proven)',
        instead:
          'if (holder && holder.member !== member) await tx.link.updateMany({ where: { id: holder.id }, data: { endedAt: now(context) } })',
      },
    ],
  },
  {
    id: 'keeps-nothing-here',
    does: 'sends on to a linked wallet what its member wants to keep here',
    places: [
      {
        file: 'src/tipping/machines/gifts/recipients.ts',
        text: 'const room = msats(left > 0n ? left : 0n)',
        instead: 'const room = msats(left > 0n ? 0n : 0n)',
      },
    ],
  },
  {
    id: 'address-gets-what-is-kept',
    does: 'sends on to a Lightning Address what its member wants to keep here',
    places: [
      {
        file: 'src/tipping/withdrawals/poll-forward.ts',
        text: 'const spendable = (await context.ledger.balance(memberAccount(member))) - keepHere',
        instead: 'const spendable = await context.ledger.balance(memberAccount(member))',
      },
    ],
  },
]
