/**
 * What the quick suite leaves out: what goes wrong on purpose, starts programs of its own or lives through weeks, and whatever file
 * takes longer than two and a half seconds and is not the main path of its part.
 */
export const SLOW: readonly string[] = [
  'test/reliability/**/*.test.ts',
  'test/assembly/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/**/crashes.test.ts',
  // End to end, beyond the first light.
  'test/e2e/!(first-light).test.ts',
  // The bot's cards after a death, and in every place.
  'test/bot/{cards,gateway,linked-roles,lost-cards,many-servers,router,settings}.test.ts',
  'test/discord-emulator/{limits,storm}.test.ts',
  // Outcomes that nobody knows, and who decides them.
  'test/tipping/{deposit-polls,payouts,payout-proof,poll-after-reconnect,replays,stored-replay-keys}.test.ts',
  'test/tipping/{audit,adjustments,wind-down}/*.test.ts',
  'test/tipping/withdrawals/{polls,proof,unshown-codes}.test.ts',
  // What grew around the gifts.
  'test/tipping/{addresses,administration,announcements,api-keys,faucet,history,insights}/*.test.ts',
  'test/tipping/{moderation-log,own-wallets,pools,privacy,rain,rules,schedules,splits}/*.test.ts',
  'test/tipping/{anonymous-tips,asks,confirmations,deposit-ends,emoji-tips,invoice-asked,invoice-readings}.test.ts',
  'test/tipping/{invoiced-tips,joined-tips,limits,movement,own-accounts,pauses,query-plans,webhooks}.test.ts',
  'test/tipping/drops/codes.test.ts',
  'test/tipping/giveaways/{beacons,claims,edits,terms}.test.ts',
  'test/tipping/vouchers/{batches,codes-made-here,polls,reading-vouchers,redemptions}.test.ts',
  'test/tipping/withdrawals/{addresses,asking,forward-*,forwarding,turns}.test.ts',
  // A whole service over each kind of node, killed and started again; odd nodes; what a service does by itself.
  'test/payments-service/{forgetting,graceful-stop}.test.ts',
  'test/payments-service/backends/{sandbox-restart,service-over-nodes}.test.ts',
  'test/payments-service/backends/{nwc/nwc,phoenixd/phoenixd,remote-sandbox/access}.test.ts',
  'test/payments-service/administration/decide-payments.test.ts',
  'test/payments-service/{events/event-stream,log-in/attacks,node/cover,node/node-watch}.test.ts',
  'test/payments-service/operations/{fetch-offer-invoice,revoke-voucher}.test.ts',
  'test/payments-service/payments/{look-ups,outcomes}.test.ts',
  'test/payments-service/receiving/{own-offers,zaps}.test.ts',
  'test/payments-service/vouchers/{expiry,wallet-claims}.test.ts',
  'test/payments-service/wallet-page/{claiming,no-english,receiving,sending}.test.ts',
  'test/payments-service/withdrawal-requests/expiry.test.ts',
  'test/playground/page-server.test.ts',
  'test/web/{console,console-backup,keyed-api}.test.ts',
  // Start programs of their own.
  'test/scripts/commands-in-docs.test.ts',
  'test/deploy/start9-backup.test.ts',
]

/**
 * Proofs that the gate leaves to `npm run prove -- thorough`: each case of a table whose main cases are in the other suites, machines that fail,
 * and commands and guides as people type them. Behind each stands what holds its promise in the gate.
 */
export const THOROUGH: readonly string[] = [
  // Every command in every state of an installation: test/assembly/{check,lost}-books, refuse-while-running and the tests of each command.
  'test/assembly/command-matrix.test.ts',
  // Clocks, and a provider that answers strangely: the simulation with all faults, book-time and the outcomes of each noun.
  'test/reliability/{clocks,strange-answers}.test.ts',
  // Disks that fail as the kernel fails them: test/lib/database and the sick disks.
  'test/reliability/{failing-commits,full-disk}.test.ts',
  // A seed that replays to the last word: the simulation of the gate has fixed seeds.
  'test/reliability/replayed-seed.test.ts',
  // Killed at each commit of a giveaway: test/tipping/crashes, and the deaths of the simulation.
  'test/tipping/giveaways/crashes.test.ts',
  // Odd records and answers of nodes: the contract of each node, and test/payments-service/payments/outcomes.
  'test/payments-service/backends/odd-records.test.ts',
  'test/payments-service/payments/offer-answers.test.ts',
  // What programs do and say that are typed as the pages show them: test/cli, and the parts of test/clients.
  'test/cli/readme-walk-phoenixd.test.ts',
  'test/scripts/real-nodes.test.ts',
  'test/clients/{quickstarts,examples}.test.ts',
  // Real processes behind Caddy, killed and restarted: test/postgres/rolling-restart, two-bots, two-services.
  'test/postgres/{caddy,two-fronts}.test.ts',
]

/** What needs a server: two processes work on one book nowhere else. */
export const SERVER: readonly string[] = [
  'test/postgres/**/*.test.ts',
  'test/tipping/two-bots/*.test.ts',
  'test/payments-service/two-services/*.test.ts',
]
