import type { Msats } from '../../lib/money/amount.ts'

/**
 * Everything that tipping may refuse, with the facts that each refusal's text needs. The set is closed: the front
 * explains each refusal in one exhaustive switch, and any other error is a bug. When a refusal is thrown, nothing has
 * moved.
 */
export interface RefusalFacts {
  'amount-not-understood': { text: string }
  'amount-with-words': { text: string }
  /** The amount contains a mention, as in `@bob 10`. */
  'amount-with-people': Record<never, never>
  /** The amount is all or a part of a balance, but no balance is meant. */
  'amount-of-nothing': { text: string }
  /** The amount is a percentage above 100. */
  'amount-more-than-all': { text: string }
  /** The text, such as `1.000`, means different amounts in different countries. */
  'amount-ambiguous': { text: string }
  'amount-zero': Record<never, never>
  'amount-missing': Record<never, never>
  'amount-fraction-of-msat': Record<never, never>
  /** The amount, or each part if it is divided into `parts`, is below `smallest`. */
  'amount-too-small': { smallest: Msats; parts?: number }
  'amount-too-large': { largest: Msats }
  /** The amount is in a currency without a known price. */
  'amount-needs-rate': { currency: string }
  /** The last price is too old to be used. */
  'rate-stale': { currency: string; at: Date }
  'insufficient-funds': { balance: Msats; needed: Msats; missing: Msats }
  'no-recipients': Record<never, never>
  'too-many-recipients': { most: number }
  'tip-to-self': Record<never, never>
  'tip-to-bot': Record<never, never>
  /** A person cannot add to their own tip, to a tip that they received, or twice to the same tip. */
  'tip-join-own': Record<never, never>
  'tip-join-received': Record<never, never>
  'tip-joined': Record<never, never>
  /** This server does not permit anonymous tips. */
  'anonymous-off': Record<never, never>
  /** People who spend a server's pool are always named. */
  'anonymous-from-pool': Record<never, never>
  'text-too-long': { what: 'note' | 'description' | 'reason'; most: number }
  'gamertag-malformed': { gamertag: string }
  'gamertag-not-found': { gamertag: string }
  /** Somebody else has linked this Lightning account. */
  'gamertag-linked-elsewhere': { gamertag: string }
  /** No member has linked this account, so there is no link to end. */
  'gamertag-not-linked': { gamertag: string }
  /** The member must prove with a code from the wallet page that the account is theirs. */
  'gamertag-unproven': { gamertag: string }
  'gamertag-code-wrong': { gamertag: string }
  'not-linked': Record<never, never>
  /** The provider opens no accounts for members, or has no wallet page. */
  'wallet-not-offered': Record<never, never>
  /** The wallet that was to pay, or a recipient's wallet, is no longer connected. */
  'own-wallet-gone': Record<never, never>
  /** Nobody has a balance here: the giver's own wallet has to pay, and the recipients' wallets to receive. */
  'own-wallet-needed': Record<never, never>
  /** Rain from a wallet goes only to people who have a wallet, and nobody eligible has one. */
  'nobody-with-wallet': Record<never, never>
  /** The giver chose to pay from a wallet, but has connected no wallet that may pay. */
  'own-wallet-missing': Record<never, never>
  /** The gift refers to a balance or needs one, but a wallet has to pay for it. */
  'gift-needs-balance': Record<never, never>
  /** The member's own wallet is unreachable, or made no invoice. */
  'own-wallet-no-invoice': Record<never, never>
  'recipient-needs-wallet': { members: readonly string[] }
  /** The recipient's wallet, or Lightning Address, returned no invoice. */
  'recipient-no-invoice': { members: readonly string[] }
  /** A giver has too many codes that are neither paid nor expired. */
  'too-many-codes': { most: number }
  /** A giver has promised too many tips, or too much, to people who have no wallet yet. */
  'too-many-promises': { count: number; most: Msats }
  /** The promise was fulfilled or revoked, or has lapsed. */
  'promise-over': Record<never, never>
  /** A server's wallet has to pay this reward, but no wallet that may pay is connected. */
  'server-wallet-needed': Record<never, never>
  /** A rule or a program requests a payment from a wallet that may have paid since the books' backup. */
  'server-wallet-restored': Record<never, never>
  'no-custody': Record<never, never>
  'nothing-to-claim': Record<never, never>
  /** The tip above the button waits for other people. */
  'claim-not-yours': { members: readonly string[] }
  /** There is no faucet, because the sats are real or the operator wants none. */
  'faucet-closed': Record<never, never>
  'faucet-taken': { until: Date }
  /** The faucet has reached its limit for the day. */
  'faucet-empty': { until: Date }
  /** The operator has too few sats left for the faucet. */
  'faucet-dry': Record<never, never>
  /** This bot's end is announced, so it accepts nothing new. */
  'winding-down': { until: Date }
  /** The text is not a date such as `2030-01-31`, or the date is too near or too far. */
  'wind-down-date': { text: string }
  /** The bot is already winding down, perhaps to another date. */
  'wind-down-already': { until: Date }
  'wind-down-none': Record<never, never>
  /** A claim list exists, which a successor may have honoured. */
  'wind-down-listed': Record<never, never>
  'too-many-open-deposits': { most: number; until: Date }
  /** The balance does not cover a tip, and the giver has as many unpaid invoices for tips as permitted. */
  'too-many-unpaid-tips': { most: number; until: Date; balance: Msats; needed: Msats }
  /** Lightning Addresses are not offered, because payments to them could not be read here. */
  'address-not-offered': Record<never, never>
  'address-malformed': { name: string }
  'address-taken': { name: string }
  'too-many-addresses': { most: number }
  /** The provider could not be reached, and nothing was sent. */
  'provider-unreachable': Record<never, never>
  /** The provider refused the request; `message` is the provider's own text. */
  'provider-refused': { message: string }
  /** The wallet does not cover the books, so nothing leaves. */
  'outgoing-paused': Record<never, never>
  /** An operator has paused outgoing payments; `reason` is the operator's own text. */
  'outgoing-paused-by-operator': { reason: string }
  /** The books come from a backup and are not proven yet. */
  'outgoing-paused-after-restore': Record<never, never>
  /** The list was sent before the books were restored and pays Lightning Addresses, so it may have been paid. */
  'list-before-restore': Record<never, never>
  /** The balance covers the amount, but not the possible fee as well. `needed` includes `feeLimit`. */
  'insufficient-with-fee': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** The balance covers the fixed amounts of a batch of codes, but not their possible fees as well. */
  'insufficient-for-batch': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** The balance covers the amount that an invoice fixes, but not the possible fee as well. */
  'insufficient-for-invoice': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** The balance does not cover even the smallest amount with its possible fee. */
  'too-little-to-withdraw': { balance: Msats; needed: Msats; missing: Msats; feeLimit: Msats }
  /** The text is neither an invoice nor a Lightning Address. */
  'destination-not-understood': { text: string }
  /** The text is an on-chain address, but only Lightning is paid from here. */
  'destination-on-chain': { text: string }
  /** The text is a name without a host, and no wallet at the provider has this name. */
  'wallet-name-unknown': { name: string }
  /** The text is a name without its host or a host alone: half of a Lightning Address. */
  'destination-half': { text: string }
  /** The text is not a Lightning Address, which is the only kind permitted. */
  'address-not-understood': { text: string }
  /** The provider's Lightning node cannot pay BOLT12 offers, or Bitcoin names. */
  'offer-not-payable': Record<never, never>
  'bitcoin-name-not-payable': { name: string }
  /** The offer's maker returned no usable invoice. */
  'offer-failed': Record<never, never>
  'bitcoin-name-not-found': { name: string }
  'invoice-unreadable': Record<never, never>
  /** The invoice hides its receiver behind blinded paths. */
  'invoice-blinded': Record<never, never>
  /** The invoice is for a different network from that of the sats here. */
  'invoice-foreign': { network: string; own: string }
  'invoice-amount-differs': { asked: Msats; invoice: Msats }
  /** The invoice has expired, or is about to expire. */
  'invoice-expired': Record<never, never>
  /** Somebody here has paid this invoice, or is paying it. */
  'invoice-taken': Record<never, never>
  'invoice-own': Record<never, never>
  /** The Lightning Address returned no usable invoice. */
  'address-failed': { address: string }
  /** The address demands the payer's identity, or refused the request (`message` is the address's own text). */
  'address-asks-who': { address: string }
  'address-refused': { address: string; message: string }
  'address-unreachable': { address: string }
  /** No name server knows the address's host. */
  'address-no-host': { host: string }
  /** The host does not know the name or code. */
  'address-unknown': { address: string }
  /** The host rejects the request or has a fault. `status` is the HTTP status. */
  'address-turned-away': { address: string; status: number }
  'address-broken': { address: string; status: number }
  /** The answer is too long to be read. */
  'address-too-large': { address: string }
  /** The address accepts only whole sats. `nearest` is an amount that it accepts. */
  'address-whole-sats': { address: string; nearest: Msats }
  /** The address requires an action after the payment that is unknown here (LUD-09). */
  'address-unknown-action': { address: string; tag: string }
  /** The code pays sats to the person who scans it, or has a purpose other than paying. */
  'code-pays-out': Record<never, never>
  'code-not-for-paying': { does: string }
  'address-range': { address: string; smallest: Msats; largest: Msats }
  /** The address belongs to a member here, so a payment to it would not leave the bot. */
  'address-here': { address: string }
  'too-many-withdrawals': { most: number }
  'withdrawal-over': Record<never, never>
  /** The provider cannot end a code before it expires. */
  'code-not-cancellable': { until: Date }
  'not-yours': Record<never, never>
  /** The server's moderators have excluded the member from giveaways, drops and rain. */
  blocked: Record<never, never>
  /** A member's daily limit for gifts is used up, except for `left`. */
  'limit-reached': { cap: Msats; left: Msats; until: Date }
  /** The daily limit for gifts of a member with a new account is used up, except for `left`. */
  'limit-new-account': { cap: Msats; left: Msats; until: Date }
  'cooling-down': { until: Date }
  /** A voucher could be lost, because the provider does not support finding it by a replay of its key. */
  'vouchers-not-offered': Record<never, never>
  'voucher-not-found': Record<never, never>
  /** The member's own voucher, or a drop's, was redeemed or taken back. */
  'voucher-over': { amount: Msats }
  /** The voucher of a code that somebody typed was redeemed or taken back. */
  'voucher-code-over': { voucher: string }
  /** The code belongs to a batch that has expired. */
  'voucher-expired': { at: Date }
  'voucher-count': { most: number }
  'voucher-days': { most: number }
  'voucher-code-malformed': Record<never, never>
  'voucher-code-wrong': Record<never, never>
  /** The member tried too many wrong codes. */
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
  /** Another Discord account has received a share with the same Lightning account. */
  'drop-lightning-taken': Record<never, never>
  /** A wallet pays the shares, but the claimant has no wallet that it could pay. */
  'drop-needs-wallet': Record<never, never>
  /** The wallet that pays the shares was disconnected. */
  'drop-wallet-gone': Record<never, never>
  'drop-answer-wrong': { left: number }
  'drop-attempts-used': Record<never, never>
  'drop-codes-coming': Record<never, never>
  'drop-not-yours': Record<never, never>
  /** No eligible person was active in the requested time. */
  'nobody-active': Record<never, never>
  /** No eligible person is in the giver's voice channel. */
  'nobody-in-voice': Record<never, never>
  'reward-to-self': Record<never, never>
  /** The list is not CSV in UTF-8. `line`: the line where reading stopped. */
  'list-unreadable': { line: number }
  'list-empty': Record<never, never>
  /** The list is larger than `most` KiB. */
  'list-too-large': { most: number }
  'list-too-long': { lines: number; most: number }
  /** A part of the split is not a percentage with a member or a Lightning Address. */
  'split-parts': { text: string }
  'split-percent': { text: string }
  /** Some members or Lightning Addresses (`people`) occur twice in the split. */
  'split-twice': { people: string[] }
  'split-too-many-parts': { most: number }
  /** The parts of the split do not add up to 100 percent, but to `sum` percent. */
  'split-sum': { sum: number }
  'split-name': { most: number }
  'split-exists': { name: string }
  'split-too-many': { most: number }
  'split-not-found': { name: string }
  'split-left': { people: string[] }
  'split-bot': { people: string[] }
  'split-blocked': { people: string[] }
  /** These Lightning Addresses belong to members here. */
  'split-address-here': { people: string[] }
  /** An address in the split was deleted at its owner's request. */
  'split-forgotten': Record<never, never>
  'split-whole-sats': Record<never, never>
  /** With this sum, a part would be less than `smallest`. With `least`, no part would be. */
  'split-part-small': { smallest: Msats; least: Msats }
  'reason-missing': Record<never, never>
  /** None of the member's roles has a budget. */
  'budget-none': Record<never, never>
  'budget-exhausted': { cap: Msats; left: Msats; until: Date }
  /** The pool does not cover the gift. `alone`: the server's wallet pays other gifts, but not this kind. */
  'pool-insufficient': { balance: Msats; needed: Msats; alone?: true }
  /** The text is not a time such as 18:00. */
  'schedule-time': { text: string }
  'schedule-zone': { text: string }
  'schedule-not-found': Record<never, never>
  'schedule-too-many': { most: number }
  'rule-not-found': Record<never, never>
  'rule-needs-role': Record<never, never>
  'rule-emoji': { text: string }
  'rule-days': { most: number }
  /** A line of a server's list of emoji is not a single emoji with its amount. */
  'emoji-line': { text: string }
  'emoji-twice': { text: string }
  'emoji-too-many': { most: number }
  /** The giver's daily limit for gifts by servers' emoji is used up, except for `left`. */
  'emoji-ceiling': { cap: Msats; left: Msats; until: Date }
  /** The emoji's amount needs a confirmation, which a reaction cannot give. */
  'emoji-needs-confirmation': { amount: Msats; most: Msats }
  /** The budget is too small for one payment a month. */
  'rule-budget-small': { amount: Msats }
  /** This month's budget is spent. */
  'rule-budget-spent': Record<never, never>
  'rule-too-many': { most: number }
  'api-key-not-found': Record<never, never>
  'api-key-name': { most: number }
  'api-key-too-many': { most: number }
  /** The address of a webhook is forbidden, or too long. */
  'webhook-url': { most: number }
  /** A webhook needs a key that receives events; other keys have nothing to send. */
  'webhook-use': Record<never, never>
  /** Another valid key of the server has a webhook with the same address. */
  'webhook-twice': Record<never, never>
  /** Another valid key of the server has the same name. */
  'api-key-name-taken': Record<never, never>
  /** A key that gives rewards needs a budget. */
  'api-key-budget-missing': Record<never, never>
  /** The key's limit for 24 hours is used up, except for `left`. */
  'api-key-budget-spent': { budget: Msats; left: Msats }
  /** The moderator who created the key may no longer give rewards. */
  'api-key-owner': Record<never, never>
  'recipient-not-member': Record<never, never>
  /** Neither the person who requested a reward nor its recipient can approve it. */
  'reward-needs-another': Record<never, never>
  'reward-decided': Record<never, never>
  /** The book was restored from a backup, so a wallet may already have paid the reward. */
  'reward-restored': Record<never, never>
  'fundraiser-over': Record<never, never>
  'fundraiser-too-fine': { most: number }
  'too-many-fundraisers': { most: number }
  /** A server's smallest tip would be larger than its largest. */
  'tip-bounds-crossed': { smallest: Msats; largest: Msats }
  'balance-not-proven': Record<never, never>
  /** The record of a button or a card does not exist. The bot shows no such button. */
  'not-there': Record<never, never>
  'payment-not-found': Record<never, never>
  /** The payment's outcome is known. */
  'payment-not-unknown': Record<never, never>
  /** One operator cannot decide alone. */
  'decision-needs-another': Record<never, never>
  /** The only operator has decided, and the decision takes effect at `until`. */
  'proposal-waits': { until: Date }
  'proposal-not-there': Record<never, never>
  /** The value of a redeemed code must be stated, because only the provider knows it. */
  'decision-needs-amount': Record<never, never>
  'booking-needs-another': Record<never, never>
  /** The amount exceeds `most`, beyond which the books and the wallet would provably disagree. */
  'booking-exceeds': { most: Msats }
  'suspense-exceeds': { most: Msats }
  'suspense-empty': Record<never, never>
  /** The wallet holds no more, or no less, than the books account for. */
  'nothing-paid-in': Record<never, never>
  'nothing-taken-out': Record<never, never>
  'duration-not-understood': { text: string }
  /** The duration is out of range. `shortest` is in minutes, `longest` in days. */
  'duration-out-of-range': { shortest: number; longest: number }
  /** The ask's goal is reached, its time is over, or it was closed. */
  'ask-over': Record<never, never>
  'ask-own': Record<never, never>
  'ask-too-many': { most: number }
  'giveaway-not-found': Record<never, never>
  'giveaway-over': Record<never, never>
  /** A moderator cannot end another member's giveaway early, only cancel it. */
  'giveaway-cancel-only': Record<never, never>
  'giveaway-own': Record<never, never>
  /** The member needs one of these roles, or all of them. */
  'giveaway-needs-role': { roles: readonly string[] }
  'giveaway-needs-all': { roles: readonly string[] }
  /** The giveaway has reached its maximum number of entries. */
  'giveaway-full': Record<never, never>
  /** The maximum number of entries must be at least `least`, one more than the number of winners. */
  'giveaway-entries-few': { least: number }
  'giveaway-needs-age': { days: number }
  /** Only people who have written in the server in the last `days` days can enter. */
  'giveaway-needs-activity': { days: number }
  'giveaway-edit-nothing': Record<never, never>
  /** The change would lower the prize of each winner, now `prize`, or the number of winners, now `winners`. */
  'giveaway-edit-less': { prize: Msats; winners: number }
  /** A moderator cannot raise prizes that the starter would pay. */
  'giveaway-edit-starter': Record<never, never>
  'giveaway-edit-pool': Record<never, never>
  /** The giveaway's end was announced, and is at most a minute away. */
  'giveaway-closing': Record<never, never>
  /** Somebody else has changed the giveaway in the meantime. */
  'giveaway-changed': Record<never, never>
  /** Another Discord account has entered with the same Lightning account. */
  'giveaway-entered-elsewhere': Record<never, never>
  'giveaway-not-drawn': Record<never, never>
  'giveaway-nobody-left': Record<never, never>
  /** The time to claim is out of range. `shortest` is in minutes, `longest` in days. */
  'giveaway-claim-time': { shortest: number; longest: number }
  /** The member was not drawn. */
  'giveaway-not-won': Record<never, never>
  /** The member was drawn, but the time to claim is over. */
  'giveaway-claim-late': { until: Date }
  /** The winners can still claim their prizes. */
  'giveaway-claim-runs': { until: Date }
  'too-many-winners': { most: number }
  /** This command has run before, with different content. */
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
