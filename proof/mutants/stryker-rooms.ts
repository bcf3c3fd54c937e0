/** A room of the code in which money moves, and the tests that answer for it. */
export interface Room {
  /** Folders and files that are mutated. */
  readonly code: readonly string[]
  /** Files and folders of tests that must notice. */
  readonly tests: readonly string[]
}

export const ROOMS: Readonly<Record<string, Room>> = {
  ledger: {
    code: ['src/ledger'],
    // On SQLite a batch is never written in one message; a server of PostgreSQL is asked last.
    tests: ['test/ledger', 'test/postgres/one-journey.test.ts'],
  },
  tips: {
    code: ['src/tipping/tips', 'src/tipping/claims', 'src/tipping/engine/gifts'],
    tests: [
      // The quickest first.
      'test/tipping/message-tips.test.ts',
      'test/tipping/limits.test.ts',
      'test/tipping/tips.test.ts',
      'test/tipping/confirmations.test.ts',
      'test/tipping/payouts.test.ts',
      'test/tipping/dry-run.test.ts',
      'test/tipping/pools',
      'test/tipping/privacy/privacy.test.ts',
      'test/tipping/withdrawals/forward-owners.test.ts',
      'test/tipping/withdrawals/forwarding.test.ts',
    ],
  },
  payouts: {
    code: ['src/tipping/engine/outgoing', 'src/tipping/engine/payouts'],
    tests: [
      // The quickest first.
      'test/tipping/outgoing-switch.test.ts',
      'test/tipping/outgoing-failures.test.ts',
      'test/tipping/poll-outgoing.test.ts',
      'test/tipping/record-outcome.test.ts',
      'test/tipping/send-outgoing.test.ts',
      'test/tipping/take-over.test.ts',
      'test/tipping/payout-kind.test.ts',
      'test/tipping/payout-runner.test.ts',
      'test/tipping/payouts.test.ts',
      'test/tipping/payout-proof.test.ts',
      'test/tipping/pauses.test.ts',
      'test/tipping/other-amounts.test.ts',
      'test/tipping/replays.test.ts',
      'test/tipping/audit/audit.test.ts',
      'test/tipping/adjustments',
      // The engine is also that of withdrawals, and its store of keys serves every provider.
      'test/tipping/withdrawals/proof.test.ts',
      'test/tipping/stored-replay-keys.test.ts',
      'test/tipping/poll-after-reconnect.test.ts',
      'test/tipping/two-bots/two-bots.test.ts',
    ],
  },
  drops: {
    code: ['src/tipping/drops'],
    tests: [
      // The quickest first.
      'test/tipping/drops/puzzles.test.ts',
      'test/tipping/drops/opening.test.ts',
      'test/tipping/drops/drops.test.ts',
      'test/tipping/drops/codes.test.ts',
      'test/tipping/confirmations.test.ts',
    ],
  },
  deposits: {
    code: ['src/tipping/deposits'],
    tests: [
      // The quickest first.
      'test/tipping/deposit-asked.test.ts',
      'test/tipping/deposit-invoices.test.ts',
      'test/tipping/deposit-polls.test.ts',
      'test/tipping/deposits.test.ts',
    ],
  },
  withdrawals: {
    code: ['src/tipping/withdrawals'],
    tests: [
      // The quickest first.
      'test/tipping/withdrawals/withdrawal-kind.test.ts',
      'test/tipping/withdrawals/withdrawal-parts.test.ts',
      'test/tipping/withdrawals/provider-answers.test.ts',
      'test/tipping/withdrawals/too-little.test.ts',
      'test/tipping/withdrawals/offers.test.ts',
      'test/tipping/withdrawals/requests.test.ts',
      'test/tipping/withdrawals/addresses.test.ts',
      'test/tipping/withdrawals/forwarding.test.ts',
      'test/tipping/withdrawals/forward-turns.test.ts',
      'test/tipping/withdrawals/forward-owners.test.ts',
      'test/tipping/withdrawals/turns.test.ts',
      'test/tipping/withdrawals/asking.test.ts',
      'test/tipping/withdrawals/withdrawals.test.ts',
      'test/tipping/withdrawals/proof.test.ts',
      'test/tipping/withdrawals/polls.test.ts',
      'test/tipping/adjustments/decisions.test.ts',
    ],
  },
  payments: {
    code: ['src/payments-service/payments', 'src/payments-service/engine/sending'],
    tests: [
      'test/payments-service/payments',
      'test/payments-service/backends/lesser-nodes.test.ts',
      'test/payments-service/vouchers/wallet-claims.test.ts',
      'test/payments-service/operations',
      'test/payments-service/withdrawal-requests',
      'test/payments-service/wallet-page/sending.test.ts',
      'test/payments-service/monitoring/request-log.test.ts',
      'test/payments-service/two-services/payments.test.ts',
    ],
  },
  vouchers: {
    code: ['src/payments-service/vouchers', 'src/tipping/vouchers'],
    tests: [
      // The quickest of each side first.
      'test/payments-service/operations/create-voucher.test.ts',
      'test/payments-service/operations/retrieve-voucher.test.ts',
      'test/tipping/vouchers/voucher-kinds.test.ts',
      'test/tipping/vouchers/voucher-decisions.test.ts',
      'test/tipping/vouchers/to-any-wallet.test.ts',
      'test/tipping/vouchers/codes-made-here.test.ts',
      'test/tipping/vouchers/redemptions.test.ts',
      'test/tipping/vouchers/vouchers.test.ts',
      'test/tipping/vouchers/reading-vouchers.test.ts',
      'test/tipping/vouchers/codes-of-drops.test.ts',
      'test/tipping/vouchers/polls.test.ts',
      'test/payments-service/operations/revoke-voucher.test.ts',
      'test/payments-service/operations/redeem-voucher.test.ts',
      'test/payments-service/vouchers/wrong-codes.test.ts',
      'test/payments-service/vouchers/ends-and-claims.test.ts',
      'test/payments-service/vouchers/wallet-claims.test.ts',
      'test/tipping/adjustments/decided-vouchers.test.ts',
      'test/tipping/other-amounts.test.ts',
      'test/tipping/drops/codes.test.ts',
      'test/payments-service/wallet-page/vouchers-and-names.test.ts',
      'test/payments-service/vouchers/after-restore.test.ts',
    ],
  },
  requests: {
    code: ['src/payments-service/withdrawal-requests'],
    tests: [
      'test/payments-service/withdrawal-requests',
      'test/payments-service/operations/*withdrawal-request.test.ts',
    ],
  },
  adjustments: {
    code: ['src/tipping/audit', 'src/tipping/adjustments', 'src/tipping/administration', 'src/tipping/engine/alerts'],
    tests: [
      // The quickest first.
      'test/tipping/alerts.test.ts',
      'test/tipping/administration',
      'test/tipping/movement.test.ts',
      'test/tipping/poll-outgoing.test.ts',
      'test/tipping/adjustments',
      'test/tipping/audit',
      'test/tipping/other-amounts.test.ts',
      'test/tipping/withdrawals/proof.test.ts',
      'test/tipping/vouchers/polls.test.ts',
      'test/tipping/deposit-polls.test.ts',
      'test/tipping/withdrawals/polls.test.ts',
      // Members' addresses explain part of a surplus.
      'test/tipping/addresses/address-readings.test.ts',
      'test/tipping/two-bots/audits.test.ts',
    ],
  },
  pools: {
    code: ['src/tipping/pools', 'src/tipping/rewards'],
    tests: ['test/tipping/pools', 'test/tipping/confirmations.test.ts', 'test/tipping/poll-after-reconnect.test.ts'],
  },
  giveaways: {
    code: ['src/tipping/giveaways'],
    tests: [
      'test/tipping/giveaways/durations.test.ts',
      'test/tipping/giveaways/chances-and-prizes.test.ts',
      'test/tipping/giveaways/moments.test.ts',
      'test/tipping/giveaways/giveaways.test.ts',
      'test/tipping/giveaways/crashes.test.ts',
      'test/tipping/confirmations.test.ts',
    ],
  },
  addresses: {
    code: ['src/tipping/addresses', 'src/tipping/invoices'],
    tests: [
      // The quickest first.
      'test/tipping/invoice-readings.test.ts',
      'test/tipping/invoice-asked.test.ts',
      'test/tipping/invoices.test.ts',
      'test/tipping/addresses/new-addresses.test.ts',
      'test/tipping/addresses/address-readings.test.ts',
      'test/tipping/addresses',
      'test/tipping/poll-after-reconnect.test.ts',
    ],
  },
  once: {
    code: [
      ...['src/tipping/engine/once-only', 'src/tipping/engine/polling', 'src/tipping/core/limits.ts'],
      ...['src/tipping/members', 'src/tipping/balances'],
    ],
    tests: [
      // The quickest first.
      'test/tipping/polls-that-count.test.ts',
      'test/tipping/once-only.test.ts',
      'test/tipping/balances.test.ts',
      'test/tipping/links.test.ts',
      'test/tipping/own-accounts.test.ts',
      'test/tipping/polling.test.ts',
      'test/tipping/limits.test.ts',
      'test/tipping/tips.test.ts',
      'test/tipping/poll-after-reconnect.test.ts',
      'test/tipping/deposits.test.ts',
      'test/tipping/deposit-polls.test.ts',
      'test/tipping/confirmations.test.ts',
    ],
  },
  receiving: {
    code: ['src/payments-service/receiving'],
    tests: [
      'test/payments-service/receiving',
      'test/payments-service/operations/*charge*.test.ts',
      'test/payments-service/forgetting-batches.test.ts',
      'test/payments-service/forgetting.test.ts',
      'test/payments-service/backends/lesser-nodes.test.ts',
      'test/payments-service/node/node-watch.test.ts',
      'test/payments-service/wallet-page/receiving.test.ts',
      // The owner of an offer or an invoice that a wallet here pays.
      'test/payments-service/payments/offer-answers.test.ts',
      'test/payments-service/operations/send-payment.test.ts',
    ],
  },
  keys: {
    code: [
      ...['src/payments-service/engine/http', 'src/payments-service/engine/limits'],
      ...['src/payments-service/engine/names', 'src/payments-service/engine/outbox', 'src/payments-service/users'],
    ],
    tests: [
      // The quickest first.
      'test/payments-service/http/request-hash.test.ts',
      'test/payments-service/http/lnurl-route.test.ts',
      'test/payments-service/http/security-headers.test.ts',
      'test/payments-service/http/run-operation.test.ts',
      'test/payments-service/http/stored-keys.test.ts',
      'test/payments-service/http/keys.test.ts',
      'test/payments-service/http/routes.test.ts',
      'test/payments-service/http/idempotency.test.ts',
      'test/payments-service/http/database-away.test.ts',
      'test/payments-service/users.test.ts',
      'test/payments-service/names.test.ts',
      'test/payments-service/forgetting-batches.test.ts',
      'test/payments-service/vouchers/wrong-codes.test.ts',
      'test/payments-service/outbox/recording.test.ts',
      'test/payments-service/outbox/attempts.test.ts',
      'test/payments-service/outbox/claims.test.ts',
      'test/payments-service/outbox/book-away.test.ts',
      'test/payments-service/outbox/crowds.test.ts',
      'test/payments-service/outbox/callback-ways.test.ts',
      'test/payments-service/outbox/dead-ends.test.ts',
      'test/payments-service/outbox/outbox.test.ts',
      'test/payments-service/outbox/as-documented.test.ts',
      'test/payments-service/operations/pay-to-gamertag.test.ts',
      'test/payments-service/operations/open-user.test.ts',
      'test/payments-service/operations/prove-gamertag.test.ts',
      'test/payments-service/operations/create-static-charge.test.ts',
      'test/payments-service/wallet-page/vouchers-and-names.test.ts',
      'test/payments-service/wallet-page/sessions.test.ts',
      'test/payments-service/two-services/at-once.test.ts',
      'test/payments-service/http/requests.test.ts',
      'test/payments-service/http/bad-input.test.ts',
    ],
  },
  amounts: {
    code: ['src/lib/money', 'src/tipping/core/read-amount.ts'],
    tests: ['test/lib/money', 'test/tipping/amounts.test.ts'],
  },
  'small-gifts': {
    code: ['src/tipping/rain', 'src/tipping/message-tips', 'src/tipping/faucet'],
    tests: [
      // The quickest first.
      'test/tipping/rain/presence.test.ts',
      'test/tipping/message-tips.test.ts',
      'test/tipping/rain',
      'test/tipping/faucet',
      'test/tipping/confirmations.test.ts',
      'test/tipping/two-bots/presence.test.ts',
    ],
  },
  incoming: {
    code: ['src/tipping/engine/incoming'],
    tests: [
      // The quickest first.
      'test/tipping/opening.test.ts',
      'test/tipping/deposit-asked.test.ts',
      'test/tipping/deposit-invoices.test.ts',
      'test/tipping/deposit-polls.test.ts',
      'test/tipping/deposits.test.ts',
      'test/tipping/invoices.test.ts',
      'test/tipping/addresses',
      'test/tipping/pools',
      'test/tipping/poll-after-reconnect.test.ts',
      'test/tipping/audit',
    ],
  },
  suspense: {
    code: ['src/payments-service/administration'],
    tests: [
      // The quickest first.
      'test/payments-service/administration',
      'test/payments-service/receiving/suspense.test.ts',
      'test/payments-service/vouchers/after-restore.test.ts',
      'test/payments-service/two-services/adopt-node.test.ts',
      'test/payments-service/node/book-node.test.ts',
    ],
  },
  audit: {
    code: ['src/assembly/audit', 'src/assembly/backup'],
    tests: [
      // The quickest first; books on a server of PostgreSQL are tried last. A test that plays a whole world or starts
      // commands is not a test of a room.
      'test/assembly/print-audit.test.ts',
      'test/assembly/put-in-place.test.ts',
      'test/assembly/watch-service-book.test.ts',
      'test/assembly/provider-to-audit.test.ts',
      'test/assembly/audit-small-books.test.ts',
      'test/assembly/backup-small-books.test.ts',
      'test/assembly/restored-small-books.test.ts',
      'test/assembly/refuse-while-running.test.ts',
      'test/assembly/audit-node.test.ts',
      'test/assembly/move-books.test.ts',
      'test/assembly/restored-claims.test.ts',
      'test/postgres/restore-in-place.test.ts',
      'test/postgres/move-books.test.ts',
    ],
  },
}
