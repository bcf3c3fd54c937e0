import type { KnownBug } from './known-bug.ts'

const RUN = 'src/tipping/payouts/run-payout.ts'

/** Mistakes about what goes on to members' own wallets. */
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
    does: 'reserves one payout in 20 and starts it only when the bot starts anew',
    places: [
      {
        file: RUN,
        text: "  if (payout?.state !== 'reserved') return\n",
        instead: "  if (payout?.state !== 'reserved' || payout.amount % 20_000n === 0n) return\n",
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
]
