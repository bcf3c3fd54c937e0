/** The verbs of buttons for members' own wallets, which nobody has here. */
export const OF_WALLETS = [
  ...['wallet-connect', 'wallet-disconnect', 'wallet-move', 'server-wallet', 'server-wallet-end'],
  ...['promises', 'promise-revoke'],
]

/** What a reroll moves, which the test fills in, since the next winner is only known after the draw. */
export const REROLL: Record<string, number> = {}

/** The sats that two simultaneous presses move, by verb and account; pots and pools are listed by their kinds. */
export const MOVES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  claim: { 'held alice': -70, 'member carol': 70 },
  'cash-out': {},
  'invoice-code': {},
  // Its receiver is paid at the service, so the sats leave this book.
  pay: { 'member alice': -300, wallet: 300 },
  // Includes its fee limit.
  'withdraw-confirm': { 'member alice': -210, 'held alice': 210 },
  'withdraw-cancel': {},
  'withdraw-code': {},
  // Showing a code moves nothing.
  'voucher-wallet': {},
  'voucher-lnurl': {},
  'batch-csv': {},
  'batch-print': {},
  'batch-end': {},
  'batch-keep': {},
  // Its three codes return; their fees do not.
  'batch-end-sure': { 'member alice': 60, wallet: -60 },
  // Includes its fee limit.
  'withdraw-end': { 'held alice': -230, 'member alice': 230 },
  'drop-take': { pot: -50, 'member dave': 50 },
  'drop-solve': {},
  'drop-close': { pot: -400, 'member alice': 400 },
  'tip-confirm': { 'member alice': -1_500, 'member dave': 1_500 },
  'drop-confirm': { 'member alice': -1_100, pot: 1_100 },
  'giveaway-confirm': { 'member alice': -1_200, pot: 1_200 },
  'pool-confirm': { 'member alice': -1_300, pool: 1_300 },
  'tip-cancel': {},
  'tip-join': { 'member bob': -60, 'member dave': 60 },
  keep: {},
  'wallet-link': {},
  'wallet-open': {},
  'pool-fill': {},
  'settings-toggle': {},
  'settings-open': {},
  'settings-changes': {},
  'settings-anonymous': {},
  'settings-emoji': {},
  'fundraiser-give': { 'member alice': -30, pool: 30 },
  'fundraiser-code': {},
  'fundraiser-close': {},
  'reward-approve': { held: -90, 'member dave': 90 },
  'reward-deny': { held: -91, pool: 91 },
  'list-confirm': { pool: -5, 'member dave': 5 },
  'list-file': {},
  'giveaway-enter': {},
  'giveaway-verify': {},
  'giveaway-who': {},
  'giveaway-who-page': {},
  'giveaway-again': {},
  'drop-again': {},
  'giveaway-reroll': REROLL,
  'giveaway-claim': { pot: -35, 'member dave': 35 },
  'giveaway-cancel': { pot: -42, 'member alice': 42 },
  'giveaway-keep': {},
  'giveaway-edit': { 'member alice': -10, pot: 10 },
  'ask-give': { 'member bob': -100, 'member mod': 100 },
  'ask-other': {},
  'ask-close': {},
  'deposit-code': {},
  'own-offer': {},
  'history-page': {},
  'history-file': {},
  receipt: {},
  ...Object.fromEntries(['file', 'forget', 'delete', 'cancel', 'roles'].map((what) => [`privacy-${what}`, {}])),
  ...Object.fromEntries(OF_WALLETS.map((verb) => [verb, {}])),
}
