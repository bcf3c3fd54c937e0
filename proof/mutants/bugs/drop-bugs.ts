import type { KnownBug } from './known-bug.ts'

const OPEN = 'src/tipping/drops/open-drop.ts'
const CLAIM = 'src/tipping/drops/claim-drop.ts'
const CLOSE = 'src/tipping/drops/poll-drop.ts'
const RAIN = 'src/tipping/rain/let-it-rain.ts'
const START_GIVEAWAY = 'src/tipping/giveaways/start-giveaway.ts'
const ENTER = 'src/tipping/giveaways/enter-giveaway.ts'
const DRAW = 'src/tipping/giveaways/draw-giveaway.ts'
const DECIDE = 'src/tipping/giveaways/decide-giveaway.ts'
const REROLL = 'src/tipping/giveaways/reroll-giveaway.ts'
const CONDUCT = 'src/tipping/giveaways/poll-giveaway.ts'

/** Mistakes about drops, rain and giveaways. */
export const DROP_BUGS: readonly KnownBug[] = [
  {
    id: 'drop-share-for-each-account',
    does: 'gives a wallet a share of a drop for each member who has had it',
    places: [
      { file: CLAIM, text: 'return link?.lightningId ?? null', instead: "return link?.lightningId === '' ? '' : null" },
    ],
  },
  {
    id: 'drop-remainder-lost',
    does: 'takes a sat more for a drop of several shares than its shares come to, and gives it to nobody',
    places: [
      {
        file: OPEN,
        text: "import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR, pot } from '../core/chart-of-accounts.ts'",
      },
      {
        file: OPEN,
        text: 'moves: [{ from: memberAccount(command.member), to: pot(id), amount: whole }] }',
        instead:
          'moves: [{ from: memberAccount(command.member), to: pot(id), amount: whole }, { from: memberAccount(command.member), to: OPERATOR, amount: msats(command.shares > 2 ? 1_000n : 0n) }] }',
      },
    ],
  },
  {
    id: 'drop-rest-to-who-closes',
    does: 'gives what is left of a drop to the moderator who closes it',
    places: [
      {
        file: CLOSE,
        text: 'to: memberAccount(drop.member), amount: msats(rest) }',
        instead: 'to: memberAccount(closedBy ?? drop.member), amount: msats(rest) }',
      },
    ],
  },
  {
    id: 'drop-any-answer',
    does: "takes any answer to a drop's puzzle",
    places: [
      {
        file: CLAIM,
        text: 'const isSolved = isRight(drop.puzzle as PuzzleKind, drop.answer as string, answer)',
        instead: 'const isSolved = isRight(drop.puzzle as PuzzleKind, drop.answer as string, answer) || true',
      },
    ],
  },
  {
    id: 'drop-for-everybody',
    does: 'gives shares of a drop for a role to everybody who presses',
    places: [
      {
        file: CLAIM,
        text: "  if (role !== null && !claimant.roles.includes(role)) throw new TippingRefusal('drop-role', { role })\n",
        instead: '',
      },
    ],
  },
  {
    id: 'drop-own-share',
    does: 'lets the owner of a drop take a share of it',
    places: [
      { file: CLAIM, text: "  if (member === claimant.id) throw new TippingRefusal('drop-own', {})\n", instead: '' },
    ],
  },
  {
    id: 'drop-closes-early',
    does: 'closes a drop a minute before its time',
    places: [
      {
        file: OPEN,
        text: "{ id, kind: 'drop', bornAt: at }, parts.closesAt)",
        instead: "{ id, kind: 'drop', bornAt: at }, new Date(parts.closesAt.getTime() - 60_000))",
      },
      {
        file: CLOSE,
        text: 'const leftMs = drop.closesAt.getTime() - context.clock.now()',
        instead: 'const leftMs = drop.closesAt.getTime() - 60_000 - context.clock.now()',
      },
    ],
  },
  {
    id: 'drop-draw-pays-one-less',
    does: 'draws one winner less than a drop has shares, and gives that share back to the owner',
    places: [
      {
        file: CLOSE,
        text: 'const winners = drawFrom(context.entropy, entrants, drop.codes ? codes.length : shares)',
        instead:
          'const winners = drawFrom(context.entropy, entrants, drop.codes ? codes.length : Math.max(shares - 1, 1))',
      },
    ],
  },
  {
    id: 'rain-for-each',
    does: 'gives each person in a rain the whole amount that was typed',
    places: [{ file: RAIN, text: 'amount, split: true, origin', instead: 'amount, split: false, origin' }],
  },
  {
    id: 'giveaway-keeps-unwon-prizes',
    does: 'gives the prizes that nobody won to the operator',
    places: [
      {
        file: DRAW,
        text: "import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR, pot } from '../core/chart-of-accounts.ts'",
      },
      {
        file: DRAW,
        text: 'to: memberAccount(giveaway.starter), amount: msats(returned)',
        instead: 'to: OPERATOR, amount: msats(returned)',
      },
    ],
  },
  {
    id: 'giveaway-draw-not-by-its-seed',
    does: 'draws those who entered first, whatever the published seed says',
    places: [
      {
        file: DRAW,
        text: "return drawLine(Buffer.from(giveaway.seed, 'hex'), giveaway.entrantsHash, inOrder(entrants), count)",
        instead: 'return inOrder(entrants).slice(0, count)',
      },
    ],
  },
  {
    id: 'giveaway-cancelled-keeps-a-prize',
    does: 'keeps one prize for the operator when a giveaway is called off',
    places: [
      {
        file: DECIDE,
        text: "import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR, pot } from '../core/chart-of-accounts.ts'",
      },
      {
        file: DECIDE,
        text: 'const moves = [{ from: pot(id), to: memberAccount(starter), amount: msats(prize * BigInt(winners)) }]',
        instead:
          'const moves = [{ from: pot(id), to: memberAccount(starter), amount: msats(prize * BigInt(winners - 1)) }, { from: pot(id), to: OPERATOR, amount: msats(prize) }]',
      },
    ],
  },
  {
    id: 'giveaway-redraw-from-operator',
    does: 'takes the prize of a second draw from the operator instead of the starter',
    places: [
      {
        file: REROLL,
        text: "import { member as memberAccount } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR } from '../core/chart-of-accounts.ts'",
      },
      { file: REROLL, text: 'from: memberAccount(gift.member), to:', instead: 'from: OPERATOR, to:' },
    ],
  },
  {
    id: 'giveaway-entered-too-late',
    does: 'lets people into a draw after its time is over',
    places: [
      {
        file: ENTER,
        text: "giveaway.state !== 'open' || at >= giveaway.endsAt",
        instead: "giveaway.state !== 'open'",
      },
      {
        file: CONDUCT,
        text: 'const leftMs = endsAt.getTime() - context.clock.now()',
        instead: 'const leftMs = endsAt.getTime() + 60_000 - context.clock.now()',
      },
    ],
  },
  {
    id: 'giveaway-one-prize-too-few',
    does: 'takes the sats of all prizes of a giveaway and puts one prize less into its pot',
    places: [
      {
        file: START_GIVEAWAY,
        text: "import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR, pot } from '../core/chart-of-accounts.ts'",
      },
      {
        file: START_GIVEAWAY,
        text: 'const moves = [{ from: memberAccount(member), to: pot(id), amount }]',
        instead:
          'const moves = winners > 1 ? [{ from: memberAccount(member), to: pot(id), amount: msats(prize * BigInt(winners - 1)) }, { from: memberAccount(member), to: OPERATOR, amount: prize }] : [{ from: memberAccount(member), to: pot(id), amount }]',
      },
      {
        file: START_GIVEAWAY,
        text: '          winners,\n          role:',
        instead: '          winners: winners > 1 ? winners - 1 : winners,\n          role:',
      },
    ],
  },
  {
    id: 'drop-gives-after-its-end',
    does: 'goes on giving shares of a drop a minute after its time',
    places: [
      {
        file: CLAIM,
        text: "if (state !== 'open' || closesAt.getTime() <= clock.now())",
        instead: "if (state !== 'open')",
      },
      {
        file: CLOSE,
        text: 'const leftMs = drop.closesAt.getTime() - context.clock.now()',
        instead: 'const leftMs = drop.closesAt.getTime() + 60_000 - context.clock.now()',
      },
    ],
  },
  {
    id: 'giveaway-seed-of-its-own',
    does: 'draws by another seed than the one whose hash it published',
    places: [
      {
        file: START_GIVEAWAY,
        text: 'commitment: commitmentTo(seed),',
        instead: 'commitment: commitmentTo(context.entropy.bytes(SEED_BYTES)),',
      },
    ],
  },
  {
    id: 'giveaway-redraw-of-the-last',
    does: 'gives the prize of a second draw to the last in the line instead of the next',
    places: [
      {
        file: REROLL,
        text: 'const next = (await lineOf(context, giveaway, place + 1))[place]',
        instead: 'const next = (await lineOf(context, giveaway, 1_000)).slice(place).at(-1)',
      },
    ],
  },
]
