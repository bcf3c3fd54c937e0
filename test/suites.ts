/**
 * The files that the quick suite leaves out: tests that cause failures, start programs, or play weeks, and any file
 * that takes longer than two and a half seconds and is not its part's main test.
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
  // Outcomes that nobody knows, and who decides them.
  'test/tipping/{deposit-polls,payouts,payout-proof,poll-after-reconnect,replays}.test.ts',
  'test/tipping/{audit,adjustments,wind-down}/*.test.ts',
  'test/tipping/withdrawals/{polls,proof,unshown-codes}.test.ts',
  // What grew around the gifts.
  'test/tipping/{addresses,administration,announcements,api-keys,exports,history,insights}/*.test.ts',
  'test/tipping/{moderation-log,own-wallets,pools,privacy,rain,rules,schedules}/*.test.ts',
  'test/tipping/{anonymous-tips,asks,confirmations,deposit-ends,deposit-invoices,emoji-tips,invoice-asked,invoice-readings}.test.ts',
  'test/tipping/{joined-tips,limits,message-tips,movement,own-accounts,pauses,polling,query-plans}.test.ts',
  'test/tipping/{preferences/blocked,server-events,webhooks}.test.ts',
  'test/tipping/drops/{codes,opening}.test.ts',
  'test/tipping/giveaways/{beacons,chances-and-prizes,moments,terms}.test.ts',
  'test/tipping/vouchers/{batches,codes-made-here,polls,reading-vouchers,redemptions,to-any-wallet}.test.ts',
  'test/tipping/withdrawals/{addresses,forward-*,forwarding,offers,requests,success-actions,turns,wallet-names}.test.ts',
  // What a service does by itself.
  'test/payments-service/graceful-stop.test.ts',
  'test/payments-service/backends/sandbox-restart.test.ts',
  'test/payments-service/backends/{nwc/nwc,phoenixd/phoenixd,remote-sandbox/access}.test.ts',
  'test/payments-service/administration/decide-payments.test.ts',
  'test/payments-service/backends/lesser-nodes.test.ts',
  'test/payments-service/monitoring/monitoring.test.ts',
  'test/payments-service/{events/event-stream,log-in/attacks,log-in/refusals,node/cover,node/node-watch}.test.ts',
  'test/payments-service/operations/{fetch-offer-invoice,list-transactions,revoke-voucher}.test.ts',
  'test/payments-service/payments/{look-ups,outcomes}.test.ts',
  'test/payments-service/receiving/{anonymous-growth,invoice-sweeper,own-offers,suspense,zaps}.test.ts',
  'test/payments-service/vouchers/{expiry,wallet-claims,wrong-codes}.test.ts',
  'test/payments-service/{docs-page/docs-page,http/idempotency,log-in/near-misses,outbox/crowds}.test.ts',
  'test/payments-service/wallet-page/{claiming,no-english,page-safety,receiving,sending,sessions,vouchers-and-names}.test.ts',
  'test/payments-service/withdrawal-requests/{claims,expiry}.test.ts',
  'test/playground/{first-scene,page-server}.test.ts',
  'test/web/{console,console-backup,console-service,console-settings,console-settings-by-two}.test.ts',
  'test/web/{connect-routes,console-pools,operators-page}.test.ts',
  // Starts programs of its own.
  'test/deploy/start9-backup.test.ts',
]

/**
 * The proofs that the gate leaves to `npm run prove -- thorough`: each case of a table whose main cases are in the
 * other suites, failing machines, and commands and guides as people type them. A comment after each proof states the
 * test that covers it in the gate.
 */
export const THOROUGH: readonly string[] = [
  // Every command in every state of an installation: test/assembly/{check,lost}-books, refuse-while-running and the tests of each command.
  'test/assembly/command-matrix.test.ts',
  // A played world audited, restored and moved, and a service by itself: test/assembly/{audit,backup,restored}-small-books, test/postgres/move-books.
  'test/assembly/{audit,backup,move-books}.test.ts',
  // The administration in processes of its own, and each command as the pages show it: test/payments-service/administration,
  // test/cli/{admin-order,operator-order,wind-down,satchel}, test/postgres/commands.
  'test/cli/admin.test.ts',
  'test/scripts/commands-in-docs.test.ts',
  // Clocks: the simulation with all faults, and book-time.
  'test/reliability/{clocks,service-clocks}.test.ts',
  // A sandbox that is killed in its own process: test/payments-service/backends/sandbox-restart, and the deaths of the simulation.
  'test/reliability/sandbox-process.test.ts',
  // Disks that fail as the kernel fails them, forty processes at one lock: test/lib/database, the sick disks, test/assembly/check-books.
  'test/reliability/{failing-commits,folder-lock,full-disk}.test.ts',
  // The proofs' own parts, and a seed that replays to the last word: attacks and the simulation of the gate use them.
  'test/reliability/{kills,replayed-seed}.test.ts',
  // Killed at each commit of a giveaway, drawn prizes that are claimed, terms that change: test/tipping/{crashes,giveaways/giveaways}; the
  // simulation edits and claims, and dies.
  'test/tipping/giveaways/{claims,crashes,edits}.test.ts',
  // Each refusal, race and restart of what moderators give: pools/{pools,lists,budgets,rewards,what-stays}, the actors of the simulation.
  'test/tipping/pools/{address-lists,from-pool}.test.ts',
  // When and how often a balance is sent on, and each word of an asked withdrawal: withdrawals/{withdrawals,forwarding,turns,polls}.
  'test/tipping/withdrawals/{asking,forward-turns}.test.ts',
  // Drops and rewards out of wallets: own-wallets/{gifts,promises,rain}; the simulation has both, with faults and deaths.
  'test/tipping/own-wallets/{drops,server-wallet}.test.ts',
  // A faucet, a shared bill, tips by invoice: test/e2e/{faucet,splits,tips-by-invoice}, and an actor of the simulation for each.
  'test/tipping/{faucet/faucet,splits/splits,invoiced-tips}.test.ts',
  // Decisions about vouchers, and those of one operator: adjustments/{adjust-books,decisions}, and the operators of the simulation.
  'test/tipping/adjustments/{decided-vouchers,lone-operator}.test.ts',
  // The rounds of a wind-down one by one: test/tipping/wind-down/{killed,claims}, test/cli/wind-down.
  'test/tipping/wind-down/rounds.test.ts',
  // A provider that forgets what it replays: test/tipping/replays.
  'test/tipping/stored-replay-keys.test.ts',
  // Odd records and answers of nodes: the contract of each node, test/payments-service/payments/{outcomes,crashes}.
  'test/payments-service/backends/odd-records.test.ts',
  'test/payments-service/payments/offer-answers.test.ts',
  // The hour in which the service forgets: forgetting-batches.
  'test/payments-service/forgetting.test.ts',
  // Each answer to a program with a key: web/keyed-api-{as-written,limits}, tipping/api-keys, e2e/{api-keys,public-api}.
  'test/web/keyed-api.test.ts',
  // Each rule of a passkey: test/browser/console signs in with one, test/web/{console,console-cookie,console-sessions}.
  'test/web/console-passkeys.test.ts',
  // Every flow in every place, older interfaces, and what waits for the hour: the other files of test/e2e, tipping/{schedules,rain}.
  'test/e2e/{old-friends,places,schedules,voice}.test.ts',
  // The flows of a gift from end to end: their verbs in test/tipping/{drops,giveaways,pools,message-tips}, the main one of each in the tour,
  // and every button twice in e2e/presses.
  'test/e2e/{drops,giveaways,message-tips,pools}.test.ts',
  // How sats leave, and codes: every button twice in e2e/presses, the main flows in the tours, attacks on the bot, and the verbs in
  // test/tipping/{withdrawals,vouchers}, with their wrong codes, races and restarts in vouchers/{redemptions,to-any-wallet,batches}.
  'test/e2e/{vouchers,withdrawals,without-an-account}.test.ts',
  // Wallets, first minutes, addresses: tipping/{links,own-accounts,tips,claim-of-others,addresses,anonymous-tips}, bot/{announced-tips,
  // pay-pages}, payments-service/{wallet-page,log-in}, and test/browser/{first-minutes,tour} from end to end.
  'test/e2e/{wallets,first-use,pay-pages,addresses,anonymous-tips}.test.ts',
  // The proof and the operators' commands: tipping/audit/proof-of-balances, tipping/adjustments, bot/administrators, attacks on the bot,
  // and the same verbs in the console, in test/browser/console.
  'test/e2e/proof.test.ts',
  // The emulator's own limits: the tests of test/discord-emulator that concern the bot.
  'test/discord-emulator/limits.test.ts',
  // What programs do and say that are typed as the pages show them: test/cli, and the parts of test/clients.
  'test/cli/{readme-walk-phoenixd,unknown-words}.test.ts',
  'test/scripts/real-nodes.test.ts',
  'test/clients/{quickstarts,examples}.test.ts',
  // Real processes behind Caddy, killed and restarted: test/postgres/rolling-restart, two-bots, two-services.
  'test/postgres/caddy.test.ts',
]

/**
 * The proofs in a browser that the gate leaves out: set-up with nodes, two more tours, and a move by backup. In the
 * gate: set-up.test.ts and tour.test.ts. A move to another machine by a backup: test/assembly/restore-upload restores
 * what the console gives, test/web/console-backup and test/assembly/set-up-in-browser press for it.
 */
export const THOROUGH_IN_BROWSER: readonly string[] = ['test/browser/{set-up-nodes,tours,move-by-backup}.test.ts']

/** The files that need a server, since two processes can share a book only there. */
export const SERVER: readonly string[] = [
  'test/postgres/**/*.test.ts',
  'test/tipping/two-bots/*.test.ts',
  'test/payments-service/two-services/*.test.ts',
]
