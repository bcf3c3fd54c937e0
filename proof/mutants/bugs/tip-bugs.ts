import type { KnownBug } from './known-bug.ts'

const PLAN = 'src/tipping/machines/gifts/recipients.ts'
const AMOUNT = 'src/tipping/core/read-amount.ts'
const SEND = 'src/tipping/tips/send-tip.ts'
const UNCLAIMED = 'src/tipping/tips/return-unclaimed.ts'
const CONFIRMATION = 'src/tipping/machines/gifts/confirmation.ts'
const CLAIM = 'src/tipping/claims/claim-tips.ts'
const FAUCET = 'src/tipping/faucet/take-from-faucet.ts'
const MESSAGE_TIPS = 'src/tipping/message-tips/tip-message.ts'

/** Mistakes about tips, what waits for newcomers, and the confirmation. */
export const TIP_BUGS: readonly KnownBug[] = [
  {
    id: 'k-is-a-hundred',
    does: 'takes 2.5k for 250',
    places: [
      { file: 'src/lib/money/amount-text.ts', text: "[first === 'k' ? 3 : 6,", instead: "[first === 'k' ? 2 : 6," },
    ],
  },
  {
    id: 'faucet-without-end',
    does: 'gives members as many shares of the faucet a day as they ask for',
    places: [{ file: FAUCET, text: '.toISOString().slice(0, 10)', instead: '.toISOString()' }],
  },
  {
    id: 'faucet-threefold',
    does: 'gives three times what the faucet is to give',
    places: [
      {
        file: FAUCET,
        text: 'settings.faucetAmount > 0n ? settings.faucetAmount : undefined',
        instead: 'settings.faucetAmount > 0n ? ((settings.faucetAmount * 3n) as Msats) : undefined',
      },
    ],
  },
  {
    id: 'faucet-for-each-account',
    does: 'gives a wallet a share of the faucet for each member who has had it',
    places: [{ file: FAUCET, text: '...lightning]) {', instead: '...lightning.slice(lightning.length)]) {' }],
  },
  {
    id: 'allowance-for-each-account',
    does: 'gives a wallet an allowance of its own for each member who has had it',
    places: [
      {
        file: 'src/tipping/machines/gifts/spend-allowance.ts',
        text: 'tx.link.findMany({ where: { member },',
        instead: "tx.link.findMany({ where: { member, id: 'none' },",
      },
    ],
  },
  {
    id: 'half-gives-all',
    does: 'gives the whole balance where somebody types half',
    places: [{ file: AMOUNT, text: "=== 'all' ? balance", instead: "!== '' ? balance" }],
  },
  {
    id: 'all-needs-no-confirmation',
    does: 'asks for no confirmation where somebody gives all or half of what they have',
    places: [
      {
        file: CONFIRMATION,
        text: 'if (sum.total <= sum.most ||',
        instead: "if (['all', 'half'].includes(gift.command.amount) || sum.total <= sum.most ||",
      },
    ],
  },
  {
    id: 'tip-share-of-the-first',
    does: 'credits the last share of a tip to several to the first of them, and writes down the last',
    places: [
      {
        file: SEND,
        text: 'moves: [{ from, to: member(recipient), amount }] }',
        instead:
          'moves: [{ from, to: member(ordinal > 0 && ordinal === plan.recipients.length - 1 ? plan.recipients[0] : recipient), amount }] }',
      },
    ],
  },
  {
    id: 'tip-less-a-sat',
    does: 'keeps a sat of one tip in 10 for the operator, and says that the whole tip was credited',
    places: [
      {
        file: SEND,
        text: "import { held, member } from '../core/chart-of-accounts.ts'",
        instead: "import { held, member, OPERATOR } from '../core/chart-of-accounts.ts'",
      },
      {
        file: SEND,
        text: "{ operation: id, step: 'post', moves: [{ from, to: member(recipient), amount }] }",
        instead: `{
            operation: id,
            step: 'post',
            moves:
              amount % 10_000n === 0n && !payout
                ? [
                    { from, to: member(recipient), amount: msats(amount - 1_000n) },
                    { from, to: OPERATOR, amount: msats(1_000n) },
                  ]
                : [{ from, to: member(recipient), amount }],
          }`,
      },
    ],
  },
  {
    id: 'split-tip-keeps-no-whole-sats',
    does: 'gives fractions of a sat where a tip is shared out, though the rest is to stay with the giver',
    places: [
      {
        file: PLAN,
        text: 'return floorToSat(msats(readAmount(command.amount, { ...limits, smallest, largest }, balance) / parts))',
        instead: 'return msats(readAmount(command.amount, { ...limits, smallest, largest }, balance) / parts)',
      },
    ],
  },
  {
    id: 'tip-twice-when-delivered-twice',
    does: 'does not know a tip again that is delivered twice, and carries it out twice',
    places: [
      {
        file: SEND,
        text: '  const { from, to, amount, split, note, origin } = command\n',
        instead: `  const once = context.entropy.uuid()
  command = { ...command, origin: { ...command.origin, interaction: command.origin.interaction + once } }
  const { from, to, amount, split, note, origin } = command
`,
      },
    ],
  },
  {
    id: 'second-word-tenfold',
    does: 'asks for a confirmation only above ten times the amount that it should ask from',
    places: [{ file: CONFIRMATION, text: 'sum.total <= sum.most ||', instead: 'sum.total <= sum.most * 10n ||' }],
  },
  {
    id: 'second-word-by-anybody',
    does: "lets anybody say the confirmation to somebody else's tip",
    places: [
      {
        file: CONFIRMATION,
        text: "  if (found.member !== member) throw new TippingRefusal('not-yours', {})\n",
        instead: '',
      },
    ],
  },
  {
    id: 'second-word-twice',
    does: 'carries a large tip out again when its confirmation is said again',
    places: [
      {
        file: CONFIRMATION,
        text: "}`, reply: '' },",
        instead: "}` + origin.interaction, reply: '' },",
      },
    ],
  },
  {
    id: 'parked-returns-at-once',
    does: 'gives tips that wait for a newcomer back before their time',
    places: [{ file: UNCLAIMED, text: "state: 'parked', until: { lte: now(context) }", instead: "state: 'parked'" }],
  },
  {
    id: 'parked-never-returns',
    does: 'never gives tips back that nobody came for, where they are larger than 100 sats',
    places: [
      {
        file: UNCLAIMED,
        text: "state: 'parked', until: { lte: now(context) }",
        instead: "state: 'parked', amount: { lte: 100_000n }, until: { lte: now(context) }",
      },
    ],
  },
  {
    id: 'parked-returns-to-operator',
    does: 'gives tips that nobody came for to the operator, and says that they went back',
    places: [
      {
        file: UNCLAIMED,
        text: 'import { now }',
        instead: "import { OPERATOR } from '../core/chart-of-accounts.ts'\nimport { now }",
      },
      { file: UNCLAIMED, text: 'to: giverOf(tip).account', instead: 'to: OPERATOR' },
    ],
  },
  {
    id: 'claim-takes-what-others-wait-for',
    does: "takes everybody's waiting tips with one claim",
    places: [
      {
        file: CLAIM,
        text: "where: { recipient: member, state: 'parked' },\n    include",
        instead: "where: { state: 'parked' },\n    include",
      },
    ],
  },
  {
    id: 'claim-loses-the-oldest',
    does: 'says that all waiting tips were claimed, and gives the oldest to the operator where there are several',
    places: [
      {
        file: CLAIM,
        text: "import { member as memberAccount } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR } from '../core/chart-of-accounts.ts'",
      },
      {
        file: CLAIM,
        text: 'from: giverOf(share.tip).held, to: memberAccount(member)',
        instead:
          'from: giverOf(share.tip).held, to: unclaimed.length > 1 && share === unclaimed[0] && !payout ? OPERATOR : memberAccount(member)',
      },
    ],
  },
  {
    id: 'reaction-gives-tenfold',
    does: 'gives ten times what was chosen for a reaction, where more than five sats were chosen',
    places: [
      {
        file: MESSAGE_TIPS,
        text: 'amount: String(reactionTip / MSATS_PER_SAT)',
        instead: 'amount: String((reactionTip / MSATS_PER_SAT) * (reactionTip > 5_000n ? 10n : 1n))',
      },
    ],
  },
  {
    id: 'reaction-gives-without-a-choice',
    does: 'takes a sat for the reaction of somebody who never chose what it gives',
    places: [
      {
        file: MESSAGE_TIPS,
        text: 'if (reactionTip === undefined) return undefined',
        instead: "if (reactionTip === undefined) return await tipMessage(context, { ...command, amount: '1' })",
      },
    ],
  },
]
