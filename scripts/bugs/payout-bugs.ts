import type { KnownBug } from './known-bug.ts'

const RUN = 'src/tipping/payouts/run-payout.ts'
const RESOLVE = 'src/tipping/payouts/poll-payout.ts'
const RESUME = 'src/tipping/payouts/resume-payouts.ts'
const OUTCOME = 'src/tipping/payouts/payout-outcome.ts'
const END = 'src/tipping/payouts/end-payout.ts'
const SEND_TIP = 'src/tipping/tips/send-tip.ts'
const LINK = 'src/tipping/members/link-member.ts'
const UNLINK = 'src/tipping/members/unlink-member.ts'

/** Mistakes about what goes on to members' own wallets, and about which wallets these are. */
export const PAYOUT_BUGS: readonly KnownBug[] = [
  {
    id: 'payout-to-another',
    does: 'sends one payout in 25 to the wallet of another member, and writes that down as right',
    places: [
      {
        file: RUN,
        text: "  if (payout?.state !== 'reserved') return\n",
        instead: `  if (payout?.state !== 'reserved') return
  if (payout.amount % 25_000n === 0n) {
    const other = await context.database.read.link.findFirst({ where: { member: { not: payout.member }, endedAt: null } })
    payout.lightningId = other?.lightningId ?? payout.lightningId
  }
`,
      },
      { file: RUN, text: 'link?.lightningId !== payout.lightningId || link.frozen', instead: 'link === undefined' },
      {
        file: RUN,
        text: "          state: 'sending',\n",
        instead: "          state: 'sending',\n          lightningId: payout.lightningId,\n",
      },
    ],
  },
  {
    id: 'payout-never-starts',
    does: 'never starts one payout in 20: what it reserved comes back when the bot starts anew',
    places: [
      {
        file: RUN,
        text: "  if (payout?.state !== 'reserved') return\n",
        instead: "  if (payout?.state !== 'reserved' || payout.amount % 20_000n === 0n) return\n",
      },
    ],
  },
  {
    id: 'payout-forgotten',
    does: 'leaves what goes to a linked member in the balance, for one tip in 10',
    places: [
      {
        file: SEND_TIP,
        text: 'status?.link && context.outgoingSwitch.open',
        instead: 'status?.link && context.outgoingSwitch.open && amount % 10_000n !== 0n',
      },
    ],
  },
  {
    id: 'payout-a-sat-more',
    does: 'sends a sat more to a wallet than it takes from the balance',
    places: [
      {
        file: RUN,
        text: 'amount: payout.amount.toString()',
        instead: 'amount: (payout.amount + 1_000n).toString()',
      },
    ],
  },
  {
    id: 'payout-in-a-pause',
    does: 'sends payouts while operators have paused all that leaves',
    places: [
      {
        file: RUN,
        text: "  if (!context.outgoingSwitch.open) return keep(context, payout, 'paused', context.outgoingSwitch.reason ?? null)\n",
        instead: '',
      },
      {
        file: RUN,
        text: 'const pause = await context.outgoingSwitch.pausedIn(tx)',
        instead: 'const pause = undefined as never',
      },
      { file: SEND_TIP, text: 'status?.link && context.outgoingSwitch.open', instead: 'status?.link' },
    ],
  },
  {
    id: 'payout-unknown-comes-back',
    does: 'gives a payout back to the balance of which nobody knows whether it was paid',
    places: [{ file: OUTCOME, text: "if (error.happened === 'no') {", instead: 'if (error.happened) {' }],
  },
  {
    id: 'payout-other-key-each-time',
    does: 'asks about an unknown payout with another key, so that it is paid twice',
    places: [
      {
        file: RESOLVE,
        text: 'await pay(context, payout,',
        instead: "await pay(context, { ...payout, key: payout.key + '-again' },",
      },
    ],
  },
  {
    id: 'payout-given-up-at-a-restart',
    does: 'gives payouts back at a restart that may have left',
    places: [{ file: RESUME, text: "payout.state === 'reserved'", instead: "payout.state !== 'paid'" }],
  },
  {
    id: 'payout-refused-to-operator',
    does: 'gives the operator what the provider refused to pay out',
    places: [
      {
        file: END,
        text: 'const moves = [{ from: held(payout.member), to: member(payout.member), amount: msats(payout.amount) }]',
        instead:
          "const moves = [{ from: held(payout.member), to: outcome.because === 'refused' ? OPERATOR : member(payout.member), amount: msats(payout.amount) }]",
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
    id: 'linked-anew-pays-the-old',
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
        text: "if (holder && holder.member !== command.member)\n        throw new TippingRefusal('gamertag-linked-elsewhere', { gamertag })",
        instead:
          'if (holder && holder.member !== command.member) await tx.link.updateMany({ where: { id: holder.id }, data: { endedAt: now(context) } })',
      },
    ],
  },
]
