import type { Guard } from './guard.ts'

const TABLES = 'prisma/tipping/migrations/20261121000010_withdrawals/migration.sql'
const KEYS = 'test/payments-service/http/idempotency.test.ts'
const AUDIT = 'test/tipping/audit/audit.test.ts'
const PAYOUT_PROOF = 'test/tipping/payout-proof.test.ts'
const ONWARD = 'test/tipping/drops/onward.test.ts'
const REWARDS = 'test/tipping/pools/rewards.test.ts'

const FAUCET = 'src/tipping/faucet/take-from-faucet.ts'

/** Guards against faults that the numbered list does not have: the code was once changed here and no test noticed. */
export const UNNUMBERED_GUARDS: readonly Guard[] = [
  {
    fault: 'faucet',
    holds: 'there is no faucet of sats that are real, or might be',
    places: [{ file: FAUCET, text: 'network.isTest && settings', without: 'settings' }],
    test: 'test/tipping/faucet/faucet.test.ts',
    named: 'is closed of real sats',
  },
  {
    fault: 'faucet',
    holds: 'a member gets one share a day',
    places: [{ file: FAUCET, text: '.toISOString().slice(0, 10)', without: '.toISOString()' }],
    test: 'test/tipping/faucet/faucet.test.ts',
    named: 'one share a day out of',
  },
  {
    fault: 'faucet',
    holds: 'gifts of the operator never bring them below zero',
    places: [
      {
        file: 'src/ledger/judge-change.ts',
        text: 'for (const account of change.solvent ?? []) {',
        without: 'for (const account of []) {',
      },
    ],
    test: 'test/tipping/faucet/faucet.test.ts',
    named: 'never brings the operator below zero',
  },
  {
    fault: 'frozen-link',
    holds: 'a link that is frozen stops a payout that is already reserved',
    places: [{ file: 'src/tipping/machines/payouts/payout-kind.ts', text: ' && !link.frozen', without: '' }],
    test: PAYOUT_PROOF,
    named: 'is kept when its member’s link was frozen meanwhile',
  },
  {
    fault: 'other-payout',
    holds: 'a payment of another amount says nothing about a payout',
    places: [
      {
        file: 'src/tipping/machines/outgoing/send-outgoing.ts',
        text: 'if (asked === undefined || answered === asked) {',
        without: "if (asked === undefined || answered === asked || kind.name === 'payout') {",
      },
    ],
    test: PAYOUT_PROOF,
    named: 'of another amount',
  },
  {
    fault: 'claimed-as-it-expires',
    holds: 'a withdrawal request that is claimed in the moment of its end is not given back as well',
    places: [
      {
        file: 'src/payments-service/withdrawal-requests/expire-withdrawal-requests.ts',
        text: 'if (count !== 1) throw new Claimed(request.id)',
        without: '',
      },
    ],
    test: 'test/payments-service/withdrawal-requests/expiry.test.ts',
    named: 'leaves one alone that was claimed in this very moment',
  },
  {
    fault: 'ended-withdrawal',
    holds: 'a withdrawal that has ended stays ended',
    places: [
      {
        file: 'src/tipping/machines/outgoing/record-outcome.ts',
        text: '{ id, state: { in: [...from] }, ...(isFailure && { process }) }',
        without: '{ id }',
      },
      {
        file: TABLES,
        text: `(("state" IN ('cancelled', 'paid', 'returned')) = ("endedAt" IS NOT NULL))`,
        without: '(1)',
      },
    ],
    test: 'test/tipping/withdrawals/polls.test.ts',
    named: 'stays so, whatever an older reading says that comes later',
  },
  {
    fault: 'called-off',
    holds: 'a withdrawal that was called off in the moment of its confirmation keeps nothing back',
    places: [
      {
        file: 'src/tipping/withdrawals/start-withdrawal.ts',
        text: '      if (count !== 1) throw new NotAsked()\n',
        without: '',
      },
    ],
    test: 'test/tipping/withdrawals/asking.test.ts',
    named: 'called off in the moment of its confirmation',
  },
  {
    fault: 'unknown-code',
    holds: 'a drop that closes takes back codes, too, of which it is unknown whether they were made',
    places: [
      {
        file: 'src/tipping/drops/poll-drop.ts',
        text: "['reserved', 'sending', 'unknown', 'live']",
        without: "['reserved', 'sending', 'live']",
      },
    ],
    test: 'test/tipping/drops/codes.test.ts',
    named: 'takes back a code of which it was unknown whether it was made',
  },
  {
    fault: 'closing-fundraiser',
    holds: 'a fundraiser that is over takes no gift, also when it ends in the same moment',
    places: [
      {
        file: 'src/tipping/pools/give-pool.ts',
        text: "const where = { id: fundraiser, state: 'open' }",
        without: 'const where = { id: fundraiser }',
      },
    ],
    test: 'test/tipping/pools/pools.test.ts',
    named: 'a fundraiser that closes in the same moment',
  },
  {
    fault: 'remembered-settings',
    holds: 'what a server has chosen decides about money as the book has it, also where another bot was told',
    places: [
      {
        file: 'src/tipping/machines/preferences/preference-book.ts',
        text: 'if (this.#parts.alone || guild === null)',
        without: 'if (guild !== undefined)',
      },
    ],
    test: 'test/tipping/two-bots/two-bots.test.ts',
    named: 'what a server chooses at one bot binds the other at once',
  },
  {
    fault: 'remembered-rights',
    holds:
      'whose role makes no moderator any more decides nothing of a server’s money, also where another bot was told',
    places: [
      {
        file: 'src/bot/discord/member-context.ts',
        text: 'await preferences.inForce(guildOf(interaction))',
        without: 'preferences.ofServer(guildOf(interaction))',
      },
    ],
    test: 'test/tipping/two-bots/two-bots.test.ts',
    named: 'in who moderates it, and so decides about its money',
  },
  {
    fault: 'limit-of-one-process',
    holds: 'how many voucher codes new accounts try is counted in the book, by all bots together',
    places: [
      {
        file: 'src/tipping/vouchers/new-accounts-codes.ts',
        text: '?.until.getTime() ?? now\n',
        without: '?.until.getTime() === 0 ? 0 : now\n',
      },
    ],
    test: 'test/tipping/two-bots/two-bots.test.ts',
    named: 'lets new accounts try 150 voucher codes',
  },
  {
    fault: 'unread-key',
    holds: 'while the database cannot be asked, nobody says that a request with a key was not carried out',
    places: [
      {
        file: 'src/payments-service/machines/http/routes.ts',
        text: "operation.verb === 'GET' && isUnavailable(error)",
        without: 'isUnavailable(error)',
      },
    ],
    test: 'test/payments-service/http/database-away.test.ts',
    named: 'nobody says so of a payment',
  },
  {
    fault: 'stop-while-opening',
    holds: 'a service that is stopped while it reads where its book stands ends, and does not wait for its node',
    places: [
      {
        file: 'src/payments-service/receiving/settlement-consumer.ts',
        text: 'if (signal.aborted) continue',
        without: '',
      },
    ],
    test: 'test/payments-service/receiving/stopped-while-opening.test.ts',
    named: 'asks its node for nothing more',
  },
  {
    fault: 'network-noted-twice',
    holds: 'a bot goes by the network that another bot of the book has noted: else each of its audits would fail',
    places: [
      {
        file: 'src/tipping/core/book-network.ts',
        text: 'if (noted !== null) return noted.network as Network',
        without: '',
      },
    ],
    test: 'test/tipping/two-bots/two-bots.test.ts',
    named: 'notes which network',
  },
  {
    fault: 'unread-wallet',
    holds: 'payments that were paused because the wallet was short stay paused while it cannot be asked',
    places: [
      {
        file: 'src/tipping/audit/act-on-audit.ts',
        text: 'else if (surplus !== undefined) {',
        without: 'else {',
      },
    ],
    test: AUDIT,
    named: 'while the wallet cannot be asked',
  },
  {
    fault: 'early-surplus',
    holds: 'a surplus is believed only after it has stayed',
    places: [
      {
        file: 'src/tipping/audit/act-on-audit.ts',
        text: 'if (seen === undefined || at - seen.since < CONFIRM_SURPLUS_AFTER_MS) {',
        without: 'if (seen === undefined) {',
      },
    ],
    test: AUDIT,
    named: 'believes in a surplus only when it has been there for five minutes',
  },
  {
    fault: 'forgotten-key',
    holds: 'a key that moved money is not forgotten when its time is over',
    places: [
      {
        file: 'src/payments-service/machines/http/idempotency.ts',
        text: 'where: { createdAt, movedMoney: false }',
        without: 'where: { createdAt }',
      },
    ],
    test: KEYS,
    named: 'forgets by itself on the thirtieth day',
  },
  {
    fault: 'forgotten-key',
    holds: 'the database does not delete a key that moved money',
    places: [
      {
        file: 'prisma/payments/migrations/20261122000010_moved_keys_stay/migration.sql',
        text: 'BEFORE DELETE ON "IdempotencyKey" WHEN OLD."movedMoney"',
        without: 'BEFORE DELETE ON "IdempotencyKey" WHEN 0',
      },
    ],
    test: KEYS,
    named: 'cannot be made to forget a key that moved money',
  },
  ...[
    ['a deposit', 'src/tipping/deposits/open-deposit.ts'],
    ['a pool', 'src/tipping/pools/open-fundraiser.ts'],
    ['an address', 'src/tipping/addresses/take-address.ts'],
    ['a code', 'src/tipping/vouchers/redeem-voucher.ts'],
  ].map(([what, file = '']) => ({
    fault: 'unopened-book',
    holds: `nothing comes in through ${what} before the wallet was read once: the operator's float would count it`,
    places: [{ file, text: 'await ensureOpened(context).catch(', without: 'await Promise.resolve().catch(' }],
    test: AUDIT,
    named: `lets nothing in through ${what} until`,
  })),
  {
    fault: 'what is due',
    holds: 'a share of a drop is due to the Lightning Address of who took it',
    places: [
      { file: 'src/tipping/drops/claim-drop.ts', text: '      await noteDue(context, tx, onward)\n', without: '' },
    ],
    test: ONWARD,
    named: 'a share that is taken goes on',
  },
  {
    fault: 'what is due',
    holds: 'a share of a drop is due to the Lightning Address of who was drawn',
    places: [
      { file: 'src/tipping/drops/poll-drop.ts', text: '      await noteDue(context, tx, onward)\n', without: '' },
    ],
    test: ONWARD,
    named: 'a share that is drawn goes on',
  },
  {
    fault: 'what is due',
    holds: 'a reward is due to the Lightning Address of who gets it, as soon as it is approved',
    places: [
      {
        file: 'src/tipping/rewards/decide-reward.ts',
        text: '        await noteDue(context, tx, payment.onward)\n',
        without: '',
      },
    ],
    test: REWARDS,
    named: 'to the Lightning Address of who gets it, once',
  },
  {
    fault: 'what is due',
    holds: 'an approved reward goes on to the linked account at once',
    places: [
      {
        file: 'src/tipping/rewards/decide-reward.ts',
        text: '  await startOnward(context, payment.onward)\n',
        without: '',
      },
    ],
    test: REWARDS,
    named: 'to the linked account of who gets it',
  },
  {
    fault: 'one account, two people',
    holds: 'nobody enters whose last Lightning account its next owner has entered with',
    places: [
      {
        file: 'src/tipping/giveaways/enter-giveaway.ts',
        text: "where: { member }, orderBy: { createdAt: 'desc' }",
        without: "where: { member, endedAt: null }, orderBy: { createdAt: 'desc' }",
      },
    ],
    test: 'test/tipping/giveaways/giveaways.test.ts',
    named: 'takes nobody whose last Lightning account',
  },
]
