import { describe, expect, it, test } from 'vitest'
import { whyNotSent } from '../../src/bot/cards/not-sent.ts'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { quotable } from '../../src/bot/messages/quotable.ts'
import type { Links } from '../../src/bot/pay-pages/links.ts'
import { limitSaid } from '../../src/bot/refusals/provider-reason.ts'
import { refusalText } from '../../src/bot/refusals/refusal-text.ts'
import { drawWithdrawal } from '../../src/bot/withdrawals/draw-withdrawal.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { providerWords } from '../../src/tipping/core/provider-words.ts'
import { type RefusalCode, type RefusalFacts, TippingRefusal, type WithdrawalView } from '../../src/tipping/tipping.ts'

/** The facts of one refusal with each code; the file does not compile if a code has no line here. */
const facts: RefusalFacts = {
  'winding-down': { until: new Date(Date.UTC(2030, 0, 31)) },
  'wind-down-date': { text: 'soon' },
  'wind-down-already': { until: new Date(Date.UTC(2030, 0, 31)) },
  'wind-down-none': {},
  'wind-down-listed': {},
  'amount-not-understood': { text: 'lots' },
  'amount-with-words': { text: 'lots' },
  'amount-with-people': {},
  'amount-of-nothing': { text: 'all' },
  'amount-more-than-all': { text: '200%' },
  'amount-ambiguous': { text: 'just 1.000' },
  'amount-zero': {},
  'amount-missing': {},
  'amount-fraction-of-msat': {},
  'amount-too-small': { smallest: sats(1) },
  'amount-too-large': { largest: sats(10_000_000) },
  'amount-needs-rate': { currency: 'USD' },
  'insufficient-funds': { balance: sats(340), needed: sats(500), missing: sats(160) },
  'no-recipients': {},
  'list-unreadable': { line: 7 },
  'list-empty': {},
  'list-too-large': { most: 256 },
  'list-too-long': { lines: 1_001, most: 1_000 },
  'too-many-recipients': { most: 1500 },
  'tip-to-self': {},
  'tip-to-bot': {},
  'tip-join-own': {},
  'tip-join-received': {},
  'tip-joined': {},
  'anonymous-off': {},
  'anonymous-from-pool': {},
  'text-too-long': { what: 'note', most: 280 },
  'gamertag-malformed': { gamertag: 'a b' },
  'not-there': {},
  'gamertag-not-found': { gamertag: 'nobody' },
  'gamertag-linked-elsewhere': { gamertag: 'bob' },
  'gamertag-not-linked': { gamertag: 'bob' },
  'gamertag-unproven': { gamertag: 'bob' },
  'gamertag-code-wrong': { gamertag: 'bob' },
  'not-linked': {},
  'wallet-not-offered': {},
  'own-wallet-gone': {},
  'own-wallet-needed': {},
  'own-wallet-missing': {},
  'nobody-with-wallet': {},
  'gift-needs-balance': {},
  'drop-needs-wallet': {},
  'drop-wallet-gone': {},
  'own-wallet-no-invoice': {},
  'recipient-needs-wallet': { members: ['7'] },
  'recipient-no-invoice': { members: ['7'] },
  'too-many-codes': { most: 5 },
  'too-many-promises': { count: 10, most: sats(100_000) },
  'promise-over': {},
  'server-wallet-needed': {},
  'server-wallet-restored': {},
  'no-custody': {},
  'nothing-to-claim': {},
  'claim-not-yours': { members: ['7'] },
  'faucet-closed': {},
  'faucet-taken': { until: new Date(0) },
  'faucet-empty': { until: new Date(0) },
  'faucet-dry': {},
  'too-many-open-deposits': { most: 5, until: new Date(Date.UTC(2030, 0, 31)) },
  'too-many-unpaid-tips': { most: 5, until: new Date(Date.UTC(2030, 0, 31)), balance: msats(0n), needed: msats(5n) },
  'address-not-offered': {},
  'address-malformed': { name: 'ä' },
  'address-taken': { name: 'alice' },
  'too-many-addresses': { most: 3 },
  'provider-unreachable': {},
  'provider-refused': { message: 'no route' },
  'outgoing-paused': {},
  'outgoing-paused-by-operator': { reason: 'we look into it' },
  'outgoing-paused-after-restore': {},
  'list-before-restore': {},
  'vouchers-not-offered': {},
  'voucher-not-found': {},
  'voucher-over': { amount: sats(500) },
  'voucher-code-over': { voucher: 'ABCD2345' },
  'voucher-expired': { at: new Date(Date.UTC(2030, 0, 1)) },
  'voucher-count': { most: 1_000 },
  'voucher-days': { most: 365 },
  'voucher-code-malformed': {},
  'voucher-code-wrong': {},
  'voucher-code-locked': { until: new Date(Date.UTC(2030, 0, 1)) },
  'drop-shares': { most: 25 },
  'drop-trivia-incomplete': {},
  'drop-over': {},
  'drop-empty': {},
  'drop-own': {},
  'drop-taken': {},
  'drop-role': { role: '123' },
  'drop-account-young': { days: 30 },
  'drop-member-young': { days: 7 },
  'drop-lightning-taken': {},
  'drop-answer-wrong': { left: 2 },
  'drop-attempts-used': {},
  'drop-codes-coming': {},
  'drop-not-yours': {},
  'nobody-active': {},
  'nobody-in-voice': {},
  'rate-stale': { currency: 'USD', at: new Date(Date.UTC(2030, 0, 1)) },
  'insufficient-for-invoice': { balance: sats(340), needed: sats(510), missing: sats(170), feeLimit: sats(10) },
  'insufficient-for-batch': { balance: sats(340), needed: sats(510), missing: sats(170), feeLimit: sats(10) },
  'insufficient-with-fee': { balance: sats(340), needed: sats(510), missing: sats(170), feeLimit: sats(10) },
  'too-little-to-withdraw': { balance: sats(4), needed: sats(11), missing: sats(7), feeLimit: sats(10) },
  'destination-not-understood': { text: 'my wallet' },
  'destination-on-chain': { text: 'bc1qexample' },
  'destination-half': { text: 'bob@' },
  'wallet-name-unknown': { name: 'bob' },
  'address-not-understood': { text: 'me@nowhere' },
  'offer-not-payable': {},
  'bitcoin-name-not-payable': { name: 'bob@example.com' },
  'offer-failed': {},
  'bitcoin-name-not-found': { name: 'bob@example.com' },
  'invoice-unreadable': {},
  'invoice-blinded': {},
  'invoice-foreign': { network: 'testnet', own: 'bitcoin' },
  'invoice-amount-differs': { asked: sats(500), invoice: sats(600) },
  'invoice-expired': {},
  'invoice-taken': {},
  'invoice-own': {},
  'address-failed': { address: 'bob@example.com' },
  'address-no-host': { host: 'exampel.com' },
  'address-unknown': { address: 'bob@example.com' },
  'address-turned-away': { address: 'bob@example.com', status: 403 },
  'address-broken': { address: 'bob@example.com', status: 502 },
  'address-too-large': { address: 'bob@example.com' },
  'address-whole-sats': { address: 'bob@example.com', nearest: sats(50) },
  'address-unknown-action': { address: 'bob@example.com', tag: 'hologram' },
  'code-pays-out': {},
  'code-not-for-paying': { does: 'login' },
  'address-asks-who': { address: 'bob@example.com' },
  'address-refused': { address: 'bob@example.com', message: 'Nobody is there.' },
  'address-unreachable': { address: 'bob@example.com' },
  'address-here': { address: 'bob@example.com' },
  'address-range': { address: 'bob@example.com', smallest: sats(7), largest: sats(70) },
  'too-many-withdrawals': { most: 3 },
  'withdrawal-over': {},
  'code-not-cancellable': { until: new Date(60_000) },
  'not-yours': {},
  blocked: {},
  'limit-reached': { cap: sats(1_000), left: sats(70), until: new Date(Date.UTC(2030, 0, 1)) },
  'limit-new-account': { cap: sats(100), left: sats(7), until: new Date(Date.UTC(2030, 0, 1)) },
  'cooling-down': { until: new Date(Date.UTC(2030, 0, 1)) },
  'reward-to-self': {},
  'split-parts': { text: 'ann' },
  'split-percent': { text: '0' },
  'split-twice': { people: ['7'] },
  'split-too-many-parts': { most: 25 },
  'split-sum': { sum: 99.5 },
  'split-name': { most: 40 },
  'split-exists': { name: 'podcast' },
  'split-too-many': { most: 25 },
  'split-not-found': { name: 'podcast' },
  'split-left': { people: ['7'] },
  'split-bot': { people: ['7'] },
  'split-blocked': { people: ['7'] },
  'split-address-here': { people: ['bob@example.com'] },
  'split-forgotten': {},
  'split-whole-sats': {},
  'split-part-small': { smallest: sats(1), least: sats(5) },
  'reason-missing': {},
  'budget-none': {},
  'budget-exhausted': { cap: sats(1_000), left: sats(70), until: new Date(Date.UTC(2030, 0, 1)) },
  'pool-insufficient': { balance: sats(70), needed: sats(1_000) },
  'schedule-time': { text: 'noon' },
  'schedule-zone': { text: 'Mars' },
  'schedule-not-found': {},
  'schedule-too-many': { most: 10 },
  'api-key-not-found': {},
  'api-key-name': { most: 40 },
  'api-key-too-many': { most: 10 },
  'webhook-url': { most: 500 },
  'webhook-use': {},
  'webhook-twice': {},
  'api-key-name-taken': {},
  'api-key-budget-missing': {},
  'api-key-budget-spent': { budget: sats(1_000), left: sats(10) },
  'api-key-owner': {},
  'recipient-not-member': {},
  'rule-not-found': {},
  'rule-needs-role': {},
  'rule-emoji': { text: 'medal' },
  'rule-days': { most: 3_650 },
  'emoji-line': { text: 'fire 100' },
  'emoji-twice': { text: '🔥' },
  'emoji-too-many': { most: 5 },
  'emoji-ceiling': { cap: sats(500), left: sats(20), until: new Date(0) },
  'emoji-needs-confirmation': { amount: sats(20_000), most: sats(10_000) },
  'rule-budget-small': { amount: sats(100) },
  'rule-budget-spent': {},
  'rule-too-many': { most: 25 },
  'reward-needs-another': {},
  'reward-decided': {},
  'reward-restored': {},
  'fundraiser-over': {},
  'fundraiser-too-fine': { most: 7 },
  'too-many-fundraisers': { most: 7 },
  'tip-bounds-crossed': { smallest: sats(70), largest: sats(7) },
  'balance-not-proven': {},
  'payment-not-found': {},
  'payment-not-unknown': {},
  'decision-needs-another': {},
  'proposal-waits': { until: new Date(0) },
  'proposal-not-there': {},
  'decision-needs-amount': {},
  'booking-needs-another': {},
  'booking-exceeds': { most: sats(21) },
  ...{ 'suspense-exceeds': { most: sats(21) }, 'suspense-empty': {} },
  ...{ 'nothing-paid-in': {}, 'nothing-taken-out': {}, 'ask-over': {}, 'ask-own': {} },
  'duration-not-understood': { text: 'soon' },
  'duration-out-of-range': { shortest: 1, longest: 30 },
  'ask-too-many': { most: 3 },
  'giveaway-not-found': {},
  'giveaway-over': {},
  'giveaway-cancel-only': {},
  'giveaway-own': {},
  'giveaway-full': {},
  'giveaway-entries-few': { least: 4 },
  'giveaway-needs-role': { roles: ['5', '6'] },
  'giveaway-needs-all': { roles: ['5', '6'] },
  'giveaway-needs-age': { days: 30 },
  'giveaway-needs-activity': { days: 7 },
  'giveaway-edit-nothing': {},
  'giveaway-edit-less': { prize: sats(500), winners: 2 },
  'giveaway-edit-starter': {},
  'giveaway-edit-pool': {},
  'giveaway-closing': {},
  'giveaway-changed': {},
  'giveaway-entered-elsewhere': {},
  'giveaway-not-drawn': {},
  'giveaway-nobody-left': {},
  'giveaway-claim-time': { shortest: 10, longest: 7 },
  'giveaway-not-won': {},
  'giveaway-claim-late': { until: new Date(0) },
  'giveaway-claim-runs': { until: new Date(0) },
  'too-many-winners': { most: 50 },
  'already-done': {},
}

const t = createTranslators(() => false)('en-US')

function say<Code extends RefusalCode>(code: Code, about: RefusalFacts[Code]): string {
  return refusalText(new TippingRefusal(code, about), t)
}

test.each(Object.keys(facts) as RefusalCode[])('the refusal %s has its own text with all of its facts', (code) => {
  const text = say(code, facts[code])
  expect(text).toMatch(/^\S.{20,}\.$/)
  expect(text).not.toMatch(/\{\{|refusals\.|undefined|NaN/)
  const others = (Object.keys(facts) as RefusalCode[]).filter((other) => other !== code)
  expect(others.map((other) => say(other, facts[other]))).not.toContain(text)
  for (const fact of Object.values(facts[code])) {
    if (typeof fact === 'string' && fact !== 'note') expect(text).toContain(fact)
    if (typeof fact === 'number') expect(text).toContain(new Intl.NumberFormat('en').format(fact))
  }
})

test('a refusal for lack of sats suggests a deposit rounded up to whole sats', () => {
  const text = say('insufficient-funds', { balance: msats(999_500), needed: sats(2000), missing: msats(1_000_500) })
  expect(text).toContain('You have **999 sats**, but this needs **2,000 sats**. `/deposit 1001` adds the rest.')
})

test('when the pool alone can pay, a refusal says that the server’s wallet cannot', () => {
  const about = { balance: sats(70), needed: sats(1_000) }
  expect(say('pool-insufficient', { ...about, alone: true })).toMatch(/fills it\. .*not from the server's wallet\.$/)
  expect(say('pool-insufficient', about)).not.toContain('wallet')
})

test('a quoted text is one line, shortened, and without markup', () => {
  const text = say('amount-not-understood', { text: `**${'x'.repeat(90)}**\n[here](https://evil.example)` })
  expect(text).toContain('“\\*\\*xxx')
  expect(text).toContain('…”')
  expect(text).not.toMatch(/\n|evil/)
  expect(say('provider-refused', { message: '[free sats](https://evil.example)' })).toContain('\\[free sats\\]')
})

test('a refusal about test sats says “test sats”', () => {
  const text = refusalText(
    new TippingRefusal('amount-too-small', { smallest: sats(2) }),
    createTranslators(() => true)('en'),
  )
  expect(text).toContain('2 test sats')
})

describe('a typed text in a message of the bot', () => {
  it.each([
    ['a masked link', '[x](https://a.example)', '\\[x\\](`https://a.example`)'],
    [
      'a masked link after another',
      '[x](y) [Claim your 10,000 sats](https://evil.example)',
      '\\[x\\](y) \\[Claim your 10,000 sats\\](`https://evil.example`)',
    ],
    ['a backslash that would undo the bot’s own', '\\[x](y)', '\\\\\\[x\\](y)'],
    ['a mention of a command', '</tip:123>', '\\</tip:123\\>'],
    ['a mention of a channel', '<#123> <@1>', '\\<#123\\> \\<@1\\>'],
    ['emphasis', '**big** _x_ ~~y~~ ||z|| `c`', '\\*\\*big\\*\\* \\_x\\_ \\~\\~y\\~\\~ \\|\\|z\\|\\| \\`c\\`'],
    ['a URL with underscores', 'see https://a.example/b_c_d *', 'see `https://a.example/b_c_d` \\*'],
    ['a masked link inside a URL', 'https://a.test/[x](https://b.test)', '`https://a.test/[x](https://b.test)`'],
    ['a heading', '# Satchel', '\\# Satchel'],
    ...[
      'https://evil.example',
      'HTTP://1.2.3.4/x',
      'www.evil.example',
      'discord.gg/abc',
      'discord://x',
      'evil.example/?a=b',
    ].map((link): [string, string, string] => [`a link, ${link}`, `go ${link} now`, `go \`${link}\` now`]),
    ['a quotation that ends with a link', 'because: “https://a.example/b”.', 'because: “`https://a.example/b`”.'],
    ['a link in brackets', 'a list (https://a.example/b_(c)).', 'a list (`https://a.example/b_(c)`).'],
    ['a link with code in it', 'https://a.example/`b`', '`https://a.example/`\\`b\\`'],
    ['a link in a heading', '# https://a.example', '\\# `https://a.example`'],
    ['a mention of everybody', '@everyone @HERE alice@here.test', '@\u200beveryone @\u200bHERE alice@\u200bhere.test'],
    ['addresses and numbers that are not links', 'bob@getalby.com 1.5 e.g. v2.0.1', 'bob@getalby.com 1.5 e.g. v2.0.1'],
    ['control characters', 'a\u0000\u001b[31mb\ud800', 'a\\[31mb'],
    ['text that runs backwards', 'a\u202eb\u2066c\u200bd', 'abcd'],
    ['Arabic, which is isolated', '\u2069# شكرا *5*', '\u2068# شكرا \\*5\\*\u2069'],
    ['Hebrew, which is isolated', 'תודה 500', '\u2068תודה 500\u2069'],
  ])('loses its markup: %s', (_what, typed, shown) => {
    expect(quotable(typed, 300)).toBe(shown)
  })
})

describe('a provider’s message', () => {
  const said = (message: string, language: string) =>
    refusalText(new TippingRefusal('provider-refused', { message }), createTranslators(() => false)(language))

  it('names the remedy, and the largest or smallest amount if the provider states it', () => {
    const words = providerWords({ code: 'amount_too_high', message: 'No.', limit: 5_000_000n })
    expect(said(words, 'en')).toBe('The largest amount here is **5,000 sats**. Choose a smaller amount.')
    expect(said('[amount_too_low 2000] No.', 'de')).toContain('mindestens')
    expect(said('[amount_too_high] No.', 'en')).toContain('the amount is above the maximum here')
  })

  it('is translated if its code is known', () => {
    expect(said('[insufficient_funds] It holds 3 sats.', 'de')).toContain('in der Wallet hinter mir ist zu wenig')
    expect(said('[invoice_expired] It has expired.', 'fr')).toMatch(/«\sla facture a expiré\s»/)
  })

  it.each(
    languages.flatMap(({ code }) =>
      (['nothing_sent', 'amount_too_high', 'amount_too_low'] as const).map((limit) => [code, limit] as const),
    ),
  )('states the limit, if any, in the language %s: %s', (language, code) => {
    const t = createTranslators(() => false)(language)
    const why = (reason: string) => whyNotSent({ because: 'unreachable', reason }, t)
    const words = providerWords({ code, message: 'At most 5 sats.', limit: 5_000_000n })
    expect(why(words)).toContain(t.amount(sats(5_000)))
    expect(why(words)).not.toMatch(/At most 5 sats|[.。]$/)
    // The remedy is for the person who chose the amount, in its own sentence.
    expect(why(words)).not.toMatch(/[:：。।;]/)
    expect(limitSaid(words, t)).toContain(t.amount(sats(5_000)))
    // Thai ends its sentences without a mark.
    expect(limitSaid(words, t)).toMatch(language === 'th' ? /[^.。।]$/ : /[.。।]$/)
    expect(limitSaid(`[${code}] Not now.`, t)).toBeUndefined()
    expect(why(`[${code}] Not now.`)).toBe(t(`providerSays.${code}`))
  })

  it.each([
    ['unreachable', 'nothing_sent', 'At most **5,000 sats** can be sent right now, including the network fee. '],
    ['refused', 'amount_too_high', 'The largest amount here is **5,000 sats**. '],
  ] as const)('advises the withdrawing member to choose a smaller amount: %s', async (because, code, told) => {
    const reason = providerWords({ code, message: 'No.', limit: 5_000_000n })
    const view: Partial<WithdrawalView> = { kind: 'address', amount: sats(9_000), state: 'returned', because, reason }
    const t = createTranslators(() => false)('en')
    const { embeds } = await drawWithdrawal(view as WithdrawalView, t, {} as Links)
    const back = '↩️ Nothing was sent, and everything is back in your balance. '
    expect(embeds?.[0]?.description).toMatch(new RegExp(`^${RegExp.escape(back + told)}Choose a smaller amount`))
  })

  it.each(['invoice', 'pay'] as const)('states only the limit if the amount is fixed: %s', async (kind) => {
    const reason = providerWords({ code: 'amount_too_high', message: 'No.', limit: 5_000_000n })
    const view: Partial<WithdrawalView> = { kind, amount: sats(9_000), state: 'returned', because: 'refused', reason }
    const { embeds } = await drawWithdrawal(view as WithdrawalView, createTranslators(() => false)('en'), {} as Links)
    expect(embeds?.[0]?.description).toMatch(/the largest amount here is 5,000 sats/)
    expect(embeds?.[0]?.description).not.toContain('Choose')
  })

  it('is quoted without its code if the code is unknown', () => {
    expect(said('[self_destruct] Boom.', 'de')).toContain('„Boom.“')
    expect(said('Closed today.', 'fr')).toMatch(/«\sClosed today\.\s»/)
  })
})
