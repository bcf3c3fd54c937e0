import type { Msats } from '../../lib/money/amount.ts'

/**
 * Everything that tipping may refuse, with the facts that the words for it need. The set is closed: the front explains
 * each in one exhaustive switch, and any other error is a bug. When a refusal is thrown, nothing moved.
 */
export interface RefusalFacts {
  'amount-not-understood': { text: string }
  'amount-with-words': { text: string }
  /** Somebody is mentioned in it, as in `@bob 10`. */
  'amount-with-people': Record<never, never>
  /** `all` or `half` where nobody's balance is meant. */
  'amount-of-nothing': { text: string }
  /** A percentage above 100. */
  'amount-more-than-all': { text: string }
  /** The text means one amount in one country and another elsewhere, such as `1.000`. */
  'amount-ambiguous': { text: string }
  'amount-zero': Record<never, never>
  'amount-missing': Record<never, never>
  'amount-negative': Record<never, never>
  'amount-fraction-of-msat': Record<never, never>
  'amount-too-small': { smallest: Msats }
  'amount-too-large': { largest: Msats }
  /** Other money was named, and no price of it is known. */
  'amount-needs-rate': { currency: string }
  /** The last price is too old to be used. */
  'rate-stale': { currency: string; at: Date }
  'insufficient-funds': { balance: Msats; needed: Msats; missing: Msats }
  'no-recipients': Record<never, never>
  'too-many-recipients': { most: number }
  'tip-to-self': Record<never, never>
  'tip-to-bot': Record<never, never>
  /** Adding to a tip: to one's own, to one that one got, or a second time. */
  'tip-join-own': Record<never, never>
  'tip-join-received': Record<never, never>
  'tip-joined': Record<never, never>
  /** Tips are not anonymous here. */
  'anonymous-off': Record<never, never>
  /** People who spend a server's pool are always named. */
  'anonymous-from-pool': Record<never, never>
  'text-too-long': { what: 'note' | 'description' | 'reason'; most: number }
  'gamertag-malformed': { gamertag: string }
  'gamertag-not-found': { gamertag: string }
  /** Somebody else is bound to this Lightning account. */
  'gamertag-linked-elsewhere': { gamertag: string }
  /** No member has this account linked, so nothing can be ended. */
  'gamertag-not-linked': { gamertag: string }
  /** A code from the wallet page has to show that it is theirs. */
  'gamertag-unproven': { gamertag: string }
  'gamertag-code-wrong': { gamertag: string }
  'not-linked': Record<never, never>
  /** The provider opens no accounts for members, or has no wallet page. */
  'wallet-not-offered': Record<never, never>
  /** The wallet that was to pay is not connected any more, or a recipient's is not. */
  'own-wallet-gone': Record<never, never>
  /** Nobody has a balance here: the giver's own wallet has to pay, and the recipients' to receive. */
  'own-wallet-needed': Record<never, never>
  /** Rain from a wallet falls on people who have one, and nobody there has. */
  'nobody-with-wallet': Record<never, never>
  /** The giver chose to pay from a wallet, and has connected none that may. */
  'own-wallet-missing': Record<never, never>
  /** It means a balance, or is made of one, and a wallet has to pay for it. */
  'gift-needs-balance': Record<never, never>
  /** The member's own wallet is away, or made no invoice. */
  'own-wallet-no-invoice': Record<never, never>
  'recipient-needs-wallet': { members: readonly string[] }
  /** The recipient's wallet, or Lightning Address, gave no invoice. */
  'recipient-no-invoice': { members: readonly string[] }
  /** A giver has too many codes that are neither paid nor expired. */
  'too-many-codes': { most: number }
  /** A giver has promised too many tips, or too much, to people who have no wallet yet. */
  'too-many-promises': { count: number; most: Msats }
  /** It was kept, revoked, or has lapsed. */
  'promise-over': Record<never, never>
  /** A reward that a server's wallet has to pay, where none is connected that may. */
  'server-wallet-needed': Record<never, never>
  /** A rule or a program asks a wallet that may have paid since the backup from which the books come. */
  'server-wallet-restored': Record<never, never>
  'no-custody': Record<never, never>
  'nothing-to-claim': Record<never, never>
  /** The tip above the button waits for others. */
  'claim-not-yours': { members: readonly string[] }
  /** There is no faucet: of real sats, or because the operator wants none. */
  'faucet-closed': Record<never, never>
  'faucet-taken': { until: Date }
  /** The operator has given enough today. */
  'faucet-empty': { until: Date }
  /** The operator has none left to give. */
  'faucet-dry': Record<never, never>
  /** This bot is to end, so nothing new comes in. */
  'winding-down': { until: Date }
  /** No day as `2030-01-31`, or one that is too near or too far. */
  'wind-down-date': { text: string }
  /** Another date was said, or it runs already. */
  'wind-down-already': { until: Date }
  'wind-down-none': Record<never, never>
  /** There is a claim list, which a successor may have honoured. */
  'wind-down-listed': Record<never, never>
  'too-many-open-deposits': { most: number; until: Date }
  /** Lightning Addresses: payments to one could not be read here. */
  'address-not-offered': Record<never, never>
  'address-malformed': { name: string }
  'address-taken': { name: string }
  'too-many-addresses': { most: number }
  /** The provider could not be reached, and nothing was sent. */
  'provider-unreachable': Record<never, never>
  /** The provider said no, in its own words. */
  'provider-refused': { message: string }
  /** The wallet does not cover the books at the moment, so nothing leaves. */
  'outgoing-paused': Record<never, never>
  /** An operator has paused outgoing payments, in their own words. */
  'outgoing-paused-by-operator': { reason: string }
  /** The books come from a backup and are not proven yet. */
  'outgoing-paused-after-restore': Record<never, never>
  /** A list was sent before the books were restored, and pays Lightning Addresses: it may have been paid. */
  'list-before-restore': Record<never, never>
  /** The balance covers an amount, but not what its payment may cost besides. `needed` includes `feeLimit`. */
  'insufficient-with-fee': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** The same where the amount is fixed, by an invoice. */
  'insufficient-for-invoice': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** Not even the smallest amount could be sent. */
  'too-little-to-withdraw': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** Neither an invoice nor a Lightning Address. */
  'destination-not-understood': { text: string }
  /** An on-chain address; only Lightning is paid from here. */
  'destination-on-chain': { text: string }
  /** A name without a host that no wallet at the provider has. */
  'wallet-name-unknown': { name: string }
  /** A name without its host, or a host alone: half of a Lightning Address. */
  'destination-half': { text: string }
  /** Not a Lightning Address, the only possible kind. */
  'address-not-understood': { text: string }
  /** The provider's Lightning node cannot pay BOLT12 offers, or Bitcoin names. */
  'offer-not-payable': Record<never, never>
  'bitcoin-name-not-payable': { name: string }
  /** An offer gave no invoice that could be used. */
  'offer-failed': Record<never, never>
  'bitcoin-name-not-found': { name: string }
  'invoice-unreadable': Record<never, never>
  /** It hides its receiver behind blinded paths. */
  'invoice-blinded': Record<never, never>
  /** It is for another network than the sats here are on. */
  'invoice-foreign': { network: string; own: string }
  'invoice-amount-differs': { asked: Msats; invoice: Msats }
  /** It has expired, or is about to. */
  'invoice-expired': Record<never, never>
  /** Somebody here has paid this invoice, or is paying it. */
  'invoice-taken': Record<never, never>
  'invoice-own': Record<never, never>
  /** A Lightning Address gave no invoice that could be used. */
  'address-failed': { address: string }
  /** It said no, in its own words. */
  'address-asks-who': { address: string }
  'address-refused': { address: string; message: string }
  'address-unreachable': { address: string }
  /** No name server knows its host. */
  'address-no-host': { host: string }
  /** Its host knows no such name or code. */
  'address-unknown': { address: string }
  /** Its host turns us away, or has a fault: with the status of HTTP. */
  'address-turned-away': { address: string; status: number }
  'address-broken': { address: string; status: number }
  /** Its answer is longer than is read. */
  'address-too-large': { address: string }
  /** It takes whole sats alone; `nearest` is one that it takes. */
  'address-whole-sats': { address: string; nearest: Msats }
  /** It wants something done after the payment that nobody here knows (LUD-09). */
  'address-unknown-action': { address: string; tag: string }
  /** A code that gives sats to who scans it, or is for something else. */
  'code-pays-out': Record<never, never>
  'code-not-for-paying': { does: string }
  'address-range': { address: string; smallest: Msats; largest: Msats }
  /** It belongs to somebody here, and paying it would move nothing out. */
  'address-here': { address: string }
  'too-many-withdrawals': { most: number }
  'withdrawal-over': Record<never, never>
  /** The provider ends no code before its time. */
  'code-not-cancellable': { until: Date }
  'not-yours': Record<never, never>
  /** The server's moderators have excluded them from giveaways, drops and rain. */
  blocked: Record<never, never>
  /** A member's daily limit for gifts is used up, but for `left`. */
  'limit-reached': { cap: Msats; left: Msats; until: Date }
  /** The same for somebody whose account is young. */
  'limit-new-account': { cap: Msats; left: Msats; until: Date }
  'cooling-down': { until: Date }
  /** A voucher whose answer is lost would be lost; only replayed keys find it again. */
  'vouchers-not-offered': Record<never, never>
  'voucher-not-found': Record<never, never>
  /** One's own voucher, or a drop's, was redeemed or taken back. */
  'voucher-over': { amount: Msats }
  /** The same of a code that somebody typed. */
  'voucher-code-over': { voucher: string }
  /** A code of a batch whose time is over. */
  'voucher-expired': { at: Date }
  'voucher-count': { most: number }
  'voucher-days': { most: number }
  'voucher-code-malformed': Record<never, never>
  'voucher-code-wrong': Record<never, never>
  /** Too many wrong codes. */
  'voucher-code-locked': { until: Date }
  'drop-shares': { most: number }
  'drop-trivia-incomplete': Record<never, never>
  'drop-over': Record<never, never>
  'drop-empty': Record<never, never>
  'drop-own': Record<never, never>
  'drop-taken': Record<never, never>
  'drop-role': { role: string }
  'drop-account-young': { days: number }
  'drop-member-young': { days: number }
  /** Another Discord account has had a share with the same Lightning account. */
  'drop-lightning-taken': Record<never, never>
  /** A wallet pays the shares, and the claimant has none that it could pay into. */
  'drop-needs-wallet': Record<never, never>
  /** The wallet that pays the shares was disconnected. */
  'drop-wallet-gone': Record<never, never>
  'drop-answer-wrong': { left: number }
  'drop-attempts-used': Record<never, never>
  'drop-codes-coming': Record<never, never>
  'drop-not-yours': Record<never, never>
  /** Nobody who could get something was heard of in that time. */
  'nobody-active': Record<never, never>
  /** Nobody who could get something is in the giver's voice channel. */
  'nobody-in-voice': Record<never, never>
  'reward-to-self': Record<never, never>
  /** Not CSV in UTF-8; `line`: where reading ended. */
  'list-unreadable': { line: number }
  'list-empty': Record<never, never>
  /** `most`: in KiB. */
  'list-too-large': { most: number }
  'list-too-long': { lines: number; most: number }
  /** A part of a split that is not a member or Lightning Address with percents. */
  'split-parts': { text: string }
  'split-percent': { text: string }
  /** `people`: members, and Lightning Addresses. */
  'split-twice': { people: string[] }
  'split-too-many-parts': { most: number }
  /** In percent. */
  'split-sum': { sum: number }
  'split-name': { most: number }
  'split-exists': { name: string }
  'split-too-many': { most: number }
  'split-not-found': { name: string }
  'split-left': { people: string[] }
  'split-bot': { people: string[] }
  'split-blocked': { people: string[] }
  /** They fill balances here. */
  'split-address-here': { people: string[] }
  /** An address was deleted as its owner wanted. */
  'split-forgotten': Record<never, never>
  'split-whole-sats': Record<never, never>
  /** With this sum a part would be less than `smallest`; with `least` none is. */
  'split-part-small': { smallest: Msats; least: Msats }
  'reason-missing': Record<never, never>
  /** No role of theirs has a budget. */
  'budget-none': Record<never, never>
  'budget-exhausted': { cap: Msats; left: Msats; until: Date }
  /** `alone`: a wallet of the server's pays other gifts, but not this kind. */
  'pool-insufficient': { balance: Msats; needed: Msats; alone?: true }
  /** The one who asked for it, or gets it, cannot approve it. */
  /** No time of a day, as 18:00. */
  'schedule-time': { text: string }
  'schedule-zone': { text: string }
  'schedule-not-found': Record<never, never>
  'schedule-too-many': { most: number }
  'rule-not-found': Record<never, never>
  'rule-needs-role': Record<never, never>
  'rule-emoji': { text: string }
  'rule-days': { most: number }
  /** A line of a server's emoji is not one emoji and its amount. */
  'emoji-line': { text: string }
  'emoji-twice': { text: string }
  'emoji-too-many': { most: number }
  /** Emoji of servers have given as much on this day as their giver lets them. */
  'emoji-ceiling': { cap: Msats; left: Msats; until: Date }
  /** It gives more than may be paid here without a confirmation. */
  'emoji-needs-confirmation': { amount: Msats; most: Msats }
  /** It could not pay once a month. */
  'rule-budget-small': { amount: Msats }
  /** This month's. */
  'rule-budget-spent': Record<never, never>
  'rule-too-many': { most: number }
  'api-key-not-found': Record<never, never>
  'api-key-name': { most: number }
  'api-key-too-many': { most: number }
  /** The address of a webhook is forbidden, or too long. */
  'webhook-url': { most: number }
  /** Only a key that hears events has something to send. */
  'webhook-use': Record<never, never>
  /** Another key that works sends to the same address. */
  'webhook-twice': Record<never, never>
  /** A key that gives rewards needs a budget. */
  'api-key-budget-missing': Record<never, never>
  /** The key's limit for 24 hours is used up, but for `left`. */
  'api-key-budget-spent': { budget: Msats; left: Msats }
  /** The moderator who made the key may not reward any more. */
  'api-key-owner': Record<never, never>
  'recipient-not-member': Record<never, never>
  'reward-needs-another': Record<never, never>
  'reward-decided': Record<never, never>
  /** A wallet may have paid it: the book comes from a backup that was made before. */
  'reward-restored': Record<never, never>
  'fundraiser-over': Record<never, never>
  'fundraiser-too-fine': { most: number }
  'too-many-fundraisers': { most: number }
  /** A server's smallest tip would be larger than its largest. */
  'tip-bounds-crossed': { smallest: Msats; largest: Msats }
  'balance-not-proven': Record<never, never>
  /** The record of a button or a card; nobody sees such a button. */
  'not-there': Record<never, never>
  'payment-not-found': Record<never, never>
  /** Its end is known. */
  'payment-not-unknown': Record<never, never>
  /** One operator alone decides nothing. */
  'decision-needs-another': Record<never, never>
  /** The only operator has said so, and it takes effect by itself. */
  'proposal-waits': { until: Date }
  'proposal-not-there': Record<never, never>
  /** Only the provider knows the worth of a redeemed code. */
  'decision-needs-amount': Record<never, never>
  'booking-needs-another': Record<never, never>
  /** Beyond it the books and the wallet would provably disagree. */
  'booking-exceeds': { most: Msats }
  'duration-not-understood': { text: string }
  /** In minutes and days. */
  'duration-out-of-range': { shortest: number; longest: number }
  /** Its goal is reached, its time has passed, or it was closed. */
  'ask-over': Record<never, never>
  'ask-own': Record<never, never>
  'ask-too-many': { most: number }
  'giveaway-not-found': Record<never, never>
  'giveaway-over': Record<never, never>
  /** A moderator ends somebody else's giveaway early. */
  'giveaway-cancel-only': Record<never, never>
  'giveaway-own': Record<never, never>
  /** One of these roles, or all of them. */
  'giveaway-needs-role': { roles: readonly string[] }
  'giveaway-needs-all': { roles: readonly string[] }
  /** It closes at so many entries, and has them. */
  'giveaway-full': Record<never, never>
  /** Least number of entrants: one more than can win. */
  'giveaway-entries-few': { least: number }
  'giveaway-needs-age': { days: number }
  /** Only for people who have written in the server in the last so many days. */
  'giveaway-needs-activity': { days: number }
  'giveaway-edit-nothing': Record<never, never>
  /** The least prize of each winner, and the least number of winners. */
  'giveaway-edit-less': { prize: Msats; winners: number }
  /** A moderator adds to prizes that the starter would pay. */
  'giveaway-edit-starter': Record<never, never>
  'giveaway-edit-pool': Record<never, never>
  /** Its end was announced, and is a minute away at most. */
  'giveaway-closing': Record<never, never>
  /** Somebody else has changed it since. */
  'giveaway-changed': Record<never, never>
  /** Another Discord account has entered with the same Lightning account. */
  'giveaway-entered-elsewhere': Record<never, never>
  'giveaway-not-drawn': Record<never, never>
  'giveaway-nobody-left': Record<never, never>
  /** In minutes and days. */
  'giveaway-claim-time': { shortest: number; longest: number }
  /** They were not drawn. */
  'giveaway-not-won': Record<never, never>
  /** They were drawn, and the time to claim was over then. */
  'giveaway-claim-late': { until: Date }
  /** Winners can still claim. */
  'giveaway-claim-runs': { until: Date }
  'too-many-winners': { most: number }
  /** This very command was carried out before, with another content. */
  'already-done': Record<never, never>
}

export type RefusalCode = keyof RefusalFacts

export class TippingRefusal<Code extends RefusalCode = RefusalCode> extends Error {
  override name = 'TippingRefusal'
  readonly code: Code
  readonly facts: RefusalFacts[Code]

  constructor(code: Code, facts: RefusalFacts[Code]) {
    super(`${code} ${JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? value.toString() : value))}`)
    this.code = code
    this.facts = facts
  }
}
