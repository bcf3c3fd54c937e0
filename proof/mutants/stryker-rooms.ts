/** A room of the code in which money moves, and the tests that are responsible for it. */
export interface Room {
  /** Folders and files that are mutated. */
  readonly code: readonly string[]
  /** Files and folders of the tests that must notice the mutants. */
  readonly tests: readonly string[]
}

/** Returns the paths of these tests and subfolders (`pools/`) of a folder, in this order. */
function named(folder: string, names: string): string[] {
  return names
    .split(/\s+/)
    .map((name) => (name.endsWith('/') ? `${folder}/${name.slice(0, -1)}` : `${folder}/${name}.test.ts`))
}

export const ROOMS: Readonly<Record<string, Room>> = {
  ledger: {
    code: ['src/ledger'],
    // On SQLite a batch is never written in one message. PostgreSQL's tests come last.
    tests: ['test/ledger', 'test/postgres/one-journey.test.ts'],
  },
  tips: {
    code: ['src/tipping/tips', 'src/tipping/claims', 'src/tipping/engine/gifts'],
    tests: [
      // The quickest tests come first.
      ...named('test/tipping', 'message-tips limits tips confirmations payouts dry-run pools/'),
      'test/tipping/privacy/privacy.test.ts',
      ...named('test/tipping/withdrawals', 'forward-owners forwarding'),
    ],
  },
  payouts: {
    code: ['src/tipping/engine/outgoing', 'src/tipping/engine/payouts'],
    tests: [
      // The quickest tests come first.
      ...named(
        'test/tipping',
        `outgoing-switch outgoing-failures poll-outgoing record-outcome send-outgoing take-over payout-kind
          payout-runner payouts payout-proof pauses other-amounts replays`,
      ),
      'test/tipping/audit/audit.test.ts',
      'test/tipping/adjustments',
      // This engine also serves withdrawals, and its store of keys serves every provider.
      'test/tipping/withdrawals/proof.test.ts',
      ...named('test/tipping', 'stored-replay-keys poll-after-reconnect'),
      'test/tipping/two-bots/two-bots.test.ts',
    ],
  },
  drops: {
    code: ['src/tipping/drops'],
    tests: [
      // The quickest tests come first.
      ...named('test/tipping/drops', 'puzzles opening drops codes'),
      'test/tipping/confirmations.test.ts',
    ],
  },
  deposits: {
    code: ['src/tipping/deposits'],
    tests: [
      // The quickest tests come first.
      ...named('test/tipping', 'deposit-asked deposit-invoices deposit-polls deposits'),
    ],
  },
  withdrawals: {
    code: ['src/tipping/withdrawals'],
    tests: [
      // The quickest tests come first.
      ...named(
        'test/tipping/withdrawals',
        `withdrawal-kind withdrawal-parts provider-answers too-little offers requests addresses forwarding
          forward-turns forward-owners turns asking withdrawals proof polls`,
      ),
      'test/tipping/adjustments/decisions.test.ts',
    ],
  },
  payments: {
    code: ['src/payments-service/payments', 'src/payments-service/engine/sending'],
    tests: [
      'test/payments-service/payments',
      'test/payments-service/backends/lesser-nodes.test.ts',
      'test/payments-service/vouchers/wallet-claims.test.ts',
      ...named('test/payments-service', 'operations/ withdrawal-requests/'),
      'test/payments-service/wallet-page/sending.test.ts',
      'test/payments-service/monitoring/request-log.test.ts',
      'test/payments-service/two-services/payments.test.ts',
    ],
  },
  vouchers: {
    code: ['src/payments-service/vouchers', 'src/tipping/vouchers'],
    tests: [
      // The quickest tests of each side come first.
      ...named('test/payments-service/operations', 'create-voucher retrieve-voucher'),
      ...named(
        'test/tipping/vouchers',
        `voucher-kinds voucher-decisions to-any-wallet codes-made-here redemptions vouchers reading-vouchers
          codes-of-drops polls`,
      ),
      ...named('test/payments-service/operations', 'revoke-voucher redeem-voucher'),
      ...named('test/payments-service/vouchers', 'wrong-codes ends-and-claims wallet-claims'),
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
      // The quickest tests come first.
      ...named('test/tipping', `alerts administration/ movement poll-outgoing adjustments/ audit/ other-amounts`),
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
      ...named('test/tipping/giveaways', 'durations chances-and-prizes moments giveaways crashes'),
      'test/tipping/confirmations.test.ts',
    ],
  },
  addresses: {
    code: ['src/tipping/addresses', 'src/tipping/invoices'],
    tests: [
      // The quickest tests come first.
      ...named('test/tipping', 'invoice-readings invoice-asked invoices'),
      ...named('test/tipping/addresses', 'new-addresses address-readings'),
      ...named('test/tipping', 'addresses/ poll-after-reconnect'),
    ],
  },
  once: {
    code: [
      ...['src/tipping/engine/once-only', 'src/tipping/engine/polling', 'src/tipping/core/gift-limits.ts'],
      ...['src/tipping/links', 'src/tipping/balances'],
    ],
    tests: [
      // The quickest tests come first.
      ...named(
        'test/tipping',
        `polls-that-count once-only balances links own-accounts polling limits tips poll-after-reconnect
          deposits deposit-polls confirmations`,
      ),
    ],
  },
  receiving: {
    code: ['src/payments-service/receiving'],
    tests: [
      'test/payments-service/receiving',
      'test/payments-service/operations/*charge*.test.ts',
      ...named('test/payments-service', 'forgetting-batches forgetting'),
      'test/payments-service/backends/lesser-nodes.test.ts',
      'test/payments-service/node/node-watch.test.ts',
      'test/payments-service/wallet-page/receiving.test.ts',
      // Finds the owner of an offer or an invoice that a wallet here pays.
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
      // The quickest tests come first.
      ...named(
        'test/payments-service/http',
        `request-hash lnurl-route security-headers run-operation stored-keys keys routes idempotency
          database-away`,
      ),
      ...named('test/payments-service', 'users names forgetting-batches'),
      'test/payments-service/vouchers/wrong-codes.test.ts',
      ...named(
        'test/payments-service/outbox',
        `recording attempts claims book-away crowds callback-ways dead-ends outbox as-documented`,
      ),
      ...named('test/payments-service/operations', `pay-to-gamertag open-user prove-gamertag create-static-charge`),
      ...named('test/payments-service/wallet-page', 'vouchers-and-names sessions'),
      'test/payments-service/two-services/at-once.test.ts',
      ...named('test/payments-service/http', 'requests'),
    ],
  },
  amounts: {
    code: ['src/lib/money', 'src/tipping/core/read-amount.ts'],
    tests: ['test/lib/money', 'test/tipping/amounts.test.ts'],
  },
  'small-gifts': {
    code: ['src/tipping/rain', 'src/tipping/message-tips', 'src/tipping/faucet'],
    tests: [
      // The quickest tests come first.
      'test/tipping/rain/presence.test.ts',
      ...named('test/tipping', 'message-tips rain/ faucet/ confirmations'),
      'test/tipping/two-bots/presence.test.ts',
    ],
  },
  incoming: {
    code: ['src/tipping/engine/incoming'],
    tests: [
      // The quickest tests come first.
      ...named(
        'test/tipping',
        `opening deposit-asked deposit-invoices deposit-polls deposits invoices addresses/ pools/
          poll-after-reconnect audit/`,
      ),
    ],
  },
  suspense: {
    code: ['src/payments-service/administration'],
    tests: [
      // The quickest tests come first.
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
      // The quickest tests come first, and books on PostgreSQL last. A test that plays a whole world or starts commands
      // does not belong to a room.
      ...named(
        'test/assembly',
        `print-audit put-in-place watch-service-book provider-to-audit audit-small-books backup-small-books
          restored-small-books refuse-while-running audit-node move-books restored-claims`,
      ),
      ...named('test/postgres', 'restore-in-place move-books'),
    ],
  },
}
