import { expect, it } from 'vitest'
import { currencyOfReader } from '../../src/lib/prices/currency-of-reader.ts'

it.each([
  ['en-US,en;q=0.5', 'USD'],
  ['en-GB', 'GBP'],
  ['de', 'EUR'],
  ['de-CH;q=0.9, en', 'CHF'],
  ['pt-BR', 'BRL'],
  ['pt-PT', 'EUR'],
  ['zh-Hant', 'TWD'],
  ['hi', 'INR'],
  ['ko', 'KRW'],
  ['es-419', undefined],
  ['*', undefined],
  ['', undefined],
  ['<script>, fr', 'EUR'],
])('a reader’s currency depends on the language header: %s → %s', (header, currency) => {
  expect(currencyOfReader(header)).toBe(currency)
})

it('a reader’s currency is always one that can be displayed', () => {
  const known = Intl.supportedValuesOf('currency')
  for (const region of ['AE', 'CZ', 'IL', 'TH', 'TR', 'UA', 'VN', 'ZA', 'HR']) {
    expect(known).toContain(currencyOfReader(`en-${region}`))
  }
})
