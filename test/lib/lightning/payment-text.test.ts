import { expect, it } from 'vitest'
import { decodeOffer } from '../../../src/lib/lightning/bolt12.ts'
import { readPaymentText } from '../../../src/lib/lightning/payment-text.ts'

/** An offer from the test vectors of BOLT 12. */
const OFFER = 'lno1pg257enxv4ezqcneype82um50ynhxgrwdajx283qfwdpl28qqmc78ymlvhmxcsywdk5wrjnj36jryg488qwlrnzyjczs'

it.each([
  OFFER,
  OFFER.toUpperCase(),
  ` lightning:${OFFER} `,
  'lno1pg257enxv4ezqcneype82um50ynhxgrwdajx28+\n  3qfwdpl28qqmc78ymlvhmxcsywdk5wrjnj36jryg488qwlrnzyjczs',
  `bitcoin:?lno=${OFFER}`,
  `BITCOIN:?LNO=${OFFER.toUpperCase()}`,
  `bitcoin:bcrt1qexample?amount=0.001&lno=${OFFER}`,
  'lni1qqg',
  'lnr1qqg',
])('the payment text %s is read as an offer', (text) => {
  expect(readPaymentText(text)).toMatchObject({ kind: 'offer', text: expect.stringMatching(/^ln[oir]1/i) })
})

it.each([
  ['₿bob@example.com', 'bob@example.com'],
  [' ₿ bob@example.com', 'bob@example.com'],
])('the payment text %s is read as a Bitcoin name', (text, name) => {
  expect(readPaymentText(text)).toEqual({ kind: 'bitcoin-name', name })
})

it.each([
  ['bob@example.com', 'bob@example.com'],
  ['₿bob', '₿bob'],
  ['LIGHTNING://lnbc1abc', 'lnbc1abc'],
  ['lnbc1abc', 'lnbc1abc'],
  ['lno', 'lno'],
  ['lno1 has two wallets @home', 'lno1 has two wallets @home'],
  // What Lightning pays surely comes before an offer, and before the chain.
  [`bitcoin:bcrt1qexample?amount=1&lightning=lnbcrt1abc&lno=${OFFER}`, 'lnbcrt1abc'],
  ['bitcoin:bcrt1qexample?LIGHTNING=LNBCRT1ABC', 'LNBCRT1ABC'],
  // Every other field may hold a question mark, and the query begins at the first.
  ['bitcoin:bcrt1qexample?pj=https://x.org/?x=1&lightning=lnbcrt1abc', 'lnbcrt1abc'],
  ['bitcoin:?lightning=lnbcrt1abc&label=who?', 'lnbcrt1abc'],
  ['lnbc1 abc\n def', 'lnbc1abcdef'],
  ['\u200blnbc1\u200babc\ufeff', 'lnbc1abc'],
  ['bc1', 'bc1'],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
  ['', ''],
])('the payment text %s is neither an offer, a Bitcoin name nor an on-chain address', (text, other) => {
  expect(readPaymentText(text)).toEqual({ kind: 'other', text: other })
})

it.each([
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'bcrt1qexampleexample',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  ' bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.1 ',
  'bitcoin:bcrt1qexample?amount=1',
  'bitcoin:',
  'bitcoin:bc1qexample?lightning=',
])('the payment text %s is read as an on-chain address', (text) => {
  expect(readPaymentText(text)).toMatchObject({ kind: 'on-chain' })
})

it('an offer that is split by a plus sign is read correctly from a link', () => {
  const link =
    'bitcoin:?lno=lno1pg257enxv4ezqcneype82um50ynhxgrwdajx28+%0A3qfwdpl28qqmc78ymlvhmxcsywdk5wrjnj36jryg488qwlrnzyjczs'
  expect(decodeOffer((readPaymentText(link) as { text: string }).text).description).toBe("Offer by rusty's node")
})
