import type { KnownBug } from './known-bug.ts'

const GIVE = 'src/tipping/pools/give-pool.ts'
const READ_CHARGE = 'src/tipping/machines/incoming/read-charge.ts'
const BUDGETS = 'src/tipping/pools/budgets.ts'
const REWARD = 'src/tipping/rewards/give-reward.ts'
const DECIDE = 'src/tipping/rewards/decide-reward.ts'
const ALLOWANCE = 'src/tipping/machines/gifts/spend-allowance.ts'
const LIMITS = 'src/tipping/core/limits.ts'
const PREFERENCES = 'src/tipping/machines/preferences/preference-book.ts'

/** Mistakes about pools, rewards, budgets, limits and settings. */
export const POOL_BUGS: readonly KnownBug[] = [
  {
    id: 'pool-gift-to-operator',
    does: 'gives the operator every fifth gift to the pool',
    places: [
      {
        file: GIVE,
        text: "import { member as memberAccount, pool } from '../core/chart-of-accounts.ts'",
        instead: "import { member as memberAccount, OPERATOR, pool } from '../core/chart-of-accounts.ts'",
      },
      {
        file: GIVE,
        text: 'moves: [{ from: memberAccount(member), to: pool(guild), amount }] }',
        instead:
          'moves: [{ from: memberAccount(member), to: amount % 5_000n === 0n && fundraiser === undefined ? OPERATOR : pool(guild), amount }] }',
      },
    ],
  },
  {
    id: 'fundraiser-takes-after-its-end',
    does: 'takes gifts for a fundraiser that was closed',
    places: [
      {
        file: GIVE,
        text: "  if (view.state !== 'open') throw new TippingRefusal('fundraiser-over', {})\n",
        instead: '',
      },
      {
        file: GIVE,
        text: "const where = { id: fundraiser, state: 'open' }",
        instead: 'const where = { id: fundraiser }',
      },
    ],
  },
  {
    id: 'fundraiser-keeps-a-sat',
    does: 'keeps a sat of each payment to a fundraiser for the operator',
    places: [
      {
        file: READ_CHARGE,
        text: "import { WALLET } from '../../core/chart-of-accounts.ts'",
        instead: "import { OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'",
      },
      {
        file: READ_CHARGE,
        text: 'moves: [{ from: WALLET, to, amount }],',
        instead: `moves: [
          { from: WALLET, to, amount: kind.noun === 'fundraiser' && amount > 1_000n ? amount - 1_000n : amount },
          { from: WALLET, to: OPERATOR, amount: kind.noun === 'fundraiser' && amount > 1_000n ? 1_000n : 0n },
        ],`,
      },
    ],
  },
  {
    id: 'budget-tenfold',
    does: "lets moderators give ten times their role's budget",
    places: [
      {
        file: BUDGETS,
        text: 'return { key, day, until, cap, used, left: used < cap ? cap - used : 0n }',
        instead: 'return { key, day, until, cap: cap * 10n, used, left: used < cap * 10n ? cap * 10n - used : 0n }',
      },
    ],
  },
  {
    id: 'reward-without-approval',
    does: 'pays rewards at once that a second moderator should decide',
    places: [
      {
        file: REWARD,
        text: 'const waits = approvalAbove !== undefined && amount > approvalAbove',
        instead: 'const waits = approvalAbove !== undefined && amount > approvalAbove * 100n',
      },
    ],
  },
  {
    id: 'reward-approved-by-its-asker',
    does: 'lets a moderator approve a reward that the same moderator asked for',
    places: [
      {
        file: DECIDE,
        text: 'decision.member === reward.requester || decision.member === reward.recipient',
        instead: 'decision.member === reward.recipient',
      },
    ],
  },
  {
    id: 'reward-denied-is-lost',
    does: 'gives the operator what was set aside for a reward that was denied',
    places: [
      {
        file: DECIDE,
        text: "import { heldOfPool, pool } from '../core/chart-of-accounts.ts'",
        instead: "import { heldOfPool, OPERATOR } from '../core/chart-of-accounts.ts'",
      },
      { file: DECIDE, text: 'to: pool(reward.guild), amount', instead: 'to: OPERATOR, amount' },
    ],
  },
  {
    id: 'day-limit-tenfold',
    does: 'lets members give ten times what a server lets them give in a day',
    places: [
      {
        file: ALLOWANCE,
        text: 'return perDay === undefined ? undefined : { amount: perDay, young: false }',
        instead: 'return perDay === undefined ? undefined : { amount: msats(perDay * 10n), young: false }',
      },
    ],
  },
  {
    id: 'largest-tip-tenfold',
    does: 'lets tips be ten times as large as a server lets them be',
    places: [
      {
        file: LIMITS,
        text: 'largest: largestTip < settings.maxAmount ? largestTip : settings.maxAmount,',
        instead: 'largest: largestTip * 10n < settings.maxAmount ? ((largestTip * 10n) as Msats) : settings.maxAmount,',
      },
    ],
  },
  {
    id: 'cool-down-ignored',
    does: 'lets members tip without the pause that a server wants between tips',
    places: [
      {
        file: ALLOWANCE,
        text: 'if (limits.coolDownSeconds <= 0) return',
        instead: 'if (limits.coolDownSeconds < 100_000) return',
      },
    ],
  },
  {
    id: 'settings-forgotten-at-restart',
    does: 'forgets at a restart what servers have chosen',
    places: [
      {
        file: PREFERENCES,
        text: '    for (const server of servers) this.#servers.set(server.guild, serverOf(server))\n',
        instead: '',
      },
    ],
  },
  {
    id: 'reward-approved-by-its-recipient',
    does: 'lets the person who gets a reward approve it',
    places: [
      {
        file: DECIDE,
        text: 'decision.member === reward.requester || decision.member === reward.recipient',
        instead: 'decision.member === reward.requester',
      },
    ],
  },
  {
    id: 'cool-down-halved',
    does: 'lets members tip again after half of the pause that a server wants',
    places: [{ file: ALLOWANCE, text: 'limits.coolDownSeconds * 1_000)', instead: 'limits.coolDownSeconds * 500)' }],
  },
]
