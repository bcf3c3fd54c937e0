/** The folders of the simulation's people, and of the readers at its end. */
export const TRIED_BY: readonly string[] = ['proof/people', 'proof/faults', 'proof/simulation', 'proof/world']

const OF_DISCORD =
  'It moves no sats: it is how the bot stands with Discord, which the simulation leaves out; the tests of the bot play it.'
const ALWAYS_ASKS = 'People in the simulation ask first: it does the same, with a confirmation above the limit.'
const IS_SHOWN = 'It moves no sats, and shows what another verb has answered already; the tests of the bot read it.'

/**
 * Operations that nobody in the simulation calls: `noun.verb`, `client.operation`, or `noun.*` for a whole noun, each
 * with its reason.
 */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  'cards.*': OF_DISCORD,
  'shards.*': OF_DISCORD,
  'callBudget.*': OF_DISCORD,
  'linkedRoles.*':
    'They move no sats: Discord is told what the books say; test/bot/linked-roles.test.ts plays consent, figures and their end.',
  'preferences.languageOf': OF_DISCORD,
  'giveaways.start': ALWAYS_ASKS,
  'pools.give': ALWAYS_ASKS,
  'pools.giveTo': ALWAYS_ASKS,
  'messageTips.tip': ALWAYS_ASKS,
  'vouchers.createFromPool':
    'Codes of drops from the pool are made there, which are reserved and end the same way; test/tipping/pools/from-pool.test.ts plays single ones.',
  'voucherBatches.createFromPool':
    'People in the simulation make batches from their balance, which end the same way; test/tipping/pools/from-pool.test.ts plays those from a pool.',
  'insights.changeOfCard': IS_SHOWN,
  'withdrawals.askToMove':
    'It is `withdrawals.ask` for an invoice that the own wallet makes; test/tipping/own-wallets/moving.test.ts plays it.',
  'ownWallets.budget': IS_SHOWN,
  'ownWallets.holds': IS_SHOWN,
  'ownWallets.promise': IS_SHOWN,
  'invoicedTips.askForMessage':
    'It is `invoicedTips.ask` for a tip for a message; test/tipping/invoiced-tips.test.ts plays it, and reactions.',
  'invoicedTips.react': 'As `invoicedTips.askForMessage`.',
  'windDown.*':
    'It ends the play: deposits close for everybody, and balances leave. test/tipping/wind-down kills its process at every step, with failing wallets and addresses.',
  'tips.join':
    'It gives a tip of the same amount, as people in the simulation do, with another card; test/tipping/joined-tips.test.ts plays deaths, double presses and limits.',
  'tips.receipt': IS_SHOWN,
  'addresses.arrival': IS_SHOWN,
  'messageTips.view': IS_SHOWN,
  'giveaways.rerollView': IS_SHOWN,
  'giveaways.entrants': IS_SHOWN,
  'links.endedLink': IS_SHOWN,
  'preferences.ofServer': IS_SHOWN,
  'insights.anonymousTips': IS_SHOWN,
  'preferences.inForce': 'It moves no sats; every verb that moves some asks it.',
  'deposits.toPay': 'It moves no sats: it has the invoice of an open deposit made before somebody scans its code.',
  'links.ownAccount':
    'It moves no sats: it names the wallet that `links.openWallet` opens, for `withdrawals.ask`, which people in the simulation use.',
  'links.release': 'It moves no sats: an operator ends one link, as unlinking does.',
  'administration.audit': 'Operators in the simulation call it as `tipping.audit`, which is the same.',
  'administration.believesClock': IS_SHOWN,
  'administration.proposals': IS_SHOWN,
  'administration.pools': IS_SHOWN,
  'administration.cancel':
    'Operators in the simulation are two, and say otherwise instead; test/tipping/adjustments/lone-operator.test.ts plays it.',
  'administration.tellOfNode':
    'It moves no sats: it hands on an alert of the service in the box, which there is none of here.',
  'administration.tellOfOperator': 'It moves no sats: it tells operators what one of them did in the console.',
  'administration.alertTold': OF_DISCORD,
  'client.payLightningAddress':
    'It is `client.sendPayment` of an invoice that is fetched first; test/payments-service/operations/pay-lightning-address.test.ts plays its three outcomes, repeats and a race.',
  'client.chargeFromAddress':
    'It moves no sats: an invoice of somebody else is handed out; test/payments-service/operations/charge-from-address.test.ts plays addresses that lie.',
  'client.internalTransfer':
    'It is `client.payToGamertag` from one project to another, which the simulation has only one stranger of; test/payments-service/operations/internal-transfer.test.ts plays a race of a hundred, repeats and restarts.',
  'client.getCallbackAddresses': IS_SHOWN,
  'client.getPrice': IS_SHOWN,
  'client.apiSupportedRegions': 'It reads a file in real time when it is first asked, which no seed can play again.',
}
