import { expect, it } from 'vitest'
import { readPaymentText } from '../../../src/lib/lightning/payment-text.ts'

/** From the test vectors of BOLT 12. */
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
])('reads %s as an offer', (text) => {
  expect(readPaymentText(text)).toMatchObject({ kind: 'offer', text: expect.stringMatching(/^ln[oir]1/i) })
})

it.each([
  ['₿bob@example.com', 'bob@example.com'],
  [' ₿ bob@example.com', 'bob@example.com'],
])('reads %s as a Bitcoin name', (text, name) => {
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
  ['bitcoin:bcrt1qexample?amount=1', 'bitcoin:bcrt1qexample?amount=1'],
  ['', ''],
])('leaves %s to others', (text, other) => {
  expect(readPaymentText(text)).toEqual({ kind: 'other', text: other })
})
