import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSats, MAX_MSATS, sats } from '../../../src/lib/money/amount.ts'
import { type AmountFault, parseAmountText } from '../../../src/lib/money/amount-text.ts'
import { processorTime } from '../../support/processor-time.ts'

const BTC = 100_000_000_000n

describe('the function parseAmountText, given an amount', () => {
  const amounts: Array<[string, bigint]> = [
    ['500', 500_000n],
    [' 500 ', 500_000n],
    ['007', 7_000n],
    ['1,000', 1_000_000n],
    ['1 000', 1_000_000n],
    ['1\u00a0000', 1_000_000n],
    ['1\u202f000\u202f000', 1_000_000_000n],
    ["1'000", 1_000_000n],
    ['1’000', 1_000_000n],
    ['1_000', 1_000_000n],
    ['1,000,000', 1_000_000_000n],
    ['1.000.000', 1_000_000_000n],
    ['1,00,000', 100_000_000n],
    ['2.5k', 2_500_000n],
    ['2,5k', 2_500_000n],
    ['2.5K', 2_500_000n],
    ['10 k', 10_000_000n],
    ['1m', 1_000_000_000n],
    ['1M', 1_000_000_000n],
    ['1.25m', 1_250_000_000n],
    ['1,5', 1_500n],
    ['0.5', 500n],
    ['.5', 500n],
    ['0,001', 1n],
    ['0.001', 1n],
    ['1,234.5', 1_234_500n],
    ['1.234,5', 1_234_500n],
    ['1 234,567', 1_234_567n],
    ['21 sats', 21_000n],
    ['21sat', 21_000n],
    ['1 satoshi', 1_000n],
    ['sats 21', 21_000n],
    ['2k sats', 2_000_000n],
    ['1m sats', 1_000_000_000n],
    ['1500 msats', 1_500n],
    ['1msat', 1n],
    ['1,500 msats', 1_500n],
    ['0.001 btc', BTC / 1_000n],
    ['0,001 BTC', BTC / 1_000n],
    ['1 btc', BTC],
    ['btc 0.5', BTC / 2n],
    ['₿0.001', BTC / 1_000n],
    ['0.00000000001 btc', 1n],
    ['21000000 btc', 21_000_000n * BTC],
    ['５００', 500_000n],
    ['1.00', 1_000n],
    ['1000.500', 1_000_500n],
    ['1234.567', 1_234_567n],
    [',001', 1n],
    ['1500 msatoshi', 1_500n],
    ['1M satoshi', 1_000_000_000n],
    [`${'0'.repeat(39)}5`, 5_000n],
    ['1e3', 1_000_000n],
    ['1E3', 1_000_000n],
    ['1.5e3', 1_500_000n],
    ['2.5e0', 2_500n],
    ['1.2345e1', 12_345n],
    ['2e2 btc', 200n * BTC],
    ['1e3 sats', 1_000_000n],
    ['٥٠', 50_000n],
    ['۵۰', 50_000n],
    ['५०', 50_000n],
    ['৫০', 50_000n],
    ['๕๐', 50_000n],
    ['١٬٠٠٠', 1_000_000n],
    ['٢٫٥k', 2_500_000n],
  ]
  it.each(amounts)('converts %j to msats', (text, amount) =>
    expect(parseAmountText(text)).toEqual({ kind: 'msats', amount }),
  )

  const all = [
    'all',
    'ALL',
    ' All ',
    'max',
    'Max',
    '100%',
    '100.00 %',
    'Alles',
    'todo',
    'ВСЁ',
    '全部',
    'すべて',
    'tất cả',
    'الكل',
  ]
  it.each(all)('reads %j as “all”', (text) => expect(parseAmountText(text)).toEqual({ kind: 'all' }))

  it.each([
    ['half', 5_000],
    [' Half ', 5_000],
    ['½', 5_000],
    ['¼', 2_500],
    ['¾', 7_500],
    ['1/2', 5_000],
    ['Hälfte', 5_000],
    ['半分', 5_000],
    ['la mitad', 5_000],
    ['một nửa', 5_000],
    ['نصف', 5_000],
    ['50%', 5_000],
    ['50 %', 5_000],
    ['٥٠٪', 5_000],
    ['５０％', 5_000],
    ['33,33%', 3_333],
    ['0.01%', 1],
    ['99.99%', 9_999],
  ])('reads %j as %d basis points', (text, basisPoints) =>
    expect(parseAmountText(text)).toEqual({ kind: 'part', basisPoints }),
  )

  // Zero-width space and joiner, byte order mark, word joiner, direction marks and isolates, soft hyphen, a tag.
  const unseen = '\u200b \u200d \ufeff \u2060 \u200e \u200f \u202a \u2066 \u00ad \u{e0020}'.split(' ')
  it.each(unseen)('ignores the invisible character %j around or inside amounts and words', (mark) => {
    const typed = [`${mark}500${mark}`, `5${mark}00`, `${mark} 500 ${mark}`, `$${mark}5`, `${mark}All${mark}`]
    expect(typed.map(parseAmountText)).toEqual([
      { kind: 'msats', amount: 500_000n },
      { kind: 'msats', amount: 500_000n },
      { kind: 'msats', amount: 500_000n },
      { kind: 'fiat', currency: 'USD', value: '5' },
      { kind: 'all' },
    ])
  })

  it.each([
    ['$5', 'USD', '5'],
    ['5$', 'USD', '5'],
    ['5 usd', 'USD', '5'],
    ['USD 5', 'USD', '5'],
    ['$5 usd', 'USD', '5'],
    ['5 bucks', 'USD', '5'],
    ['1 buck', 'USD', '1'],
    ['100 usdt', 'USD', '100'],
    ['100 USDC', 'USD', '100'],
    ['$1e3', 'USD', '1000'],
    ['€3', 'EUR', '3'],
    ['3,50 €', 'EUR', '3.5'],
    ['$1,234.50', 'USD', '1234.5'],
    ['€1.234,50', 'EUR', '1234.5'],
    ['$1,000', 'USD', '1000'],
    ['$2.5k', 'USD', '2500'],
    ['£0.01', 'GBP', '0.01'],
    ['100 jpy', 'JPY', '100'],
    ['20 mxn', 'MXN', '20'],
    ['20 kes', 'KES', '20'],
    ['R$10', 'BRL', '10'],
    ['1m ars', 'ARS', '1000000'],
    ['$2.25k', 'USD', '2250'],
    ['$1000000000000000', 'USD', '1000000000000000'],
    ['$999999999999999.5', 'USD', '999999999999999.5'],
  ])('reads %j as an amount in a fiat currency', (text, currency, value) =>
    expect(parseAmountText(text)).toEqual({ kind: 'fiat', currency, value }),
  )
})

describe('the function parseAmountText, given a currency or unit', () => {
  it.each([
    ['USD', '$ us$ dollar dollars usd'],
    ['EUR', '€ euro euros eur'],
    ['GBP', '£'],
    ['BRL', 'r$'],
    ['INR', '₹'],
    ['RUB', '₽'],
    ['UAH', '₴'],
    ['TRY', '₺'],
    ['KRW', '₩'],
    ['PLN', 'zł'],
    ['XAF', 'xaf'],
    ['XCD', 'xcd'],
    ['XOF', 'xof'],
    ['XCG', 'xcg'],
    ['XPF', 'xpf'],
  ])('recognizes the currency %s by each of the names %s', (currency, names) => {
    for (const name of names.split(' ')) {
      const fiat = { kind: 'fiat', currency, value: '5' }
      expect([parseAmountText(`5 ${name}`), parseAmountText(`${name} 5`)]).toEqual([fiat, fiat])
    }
  })

  it.each([
    [1n, 'msat msats msatoshi msatoshis millisat millisats millisatoshi millisatoshis'],
    [1_000n, 'sat sats satoshi satoshis s'],
    [BTC, 'btc xbt'],
  ])('recognizes the unit of %d msats by each of the names %s', (size, names) => {
    for (const name of names.split(' ')) {
      expect(parseAmountText(`7 ${name}`)).toEqual({ kind: 'msats', amount: 7n * size })
    }
    expect(parseAmountText('0.5 bitcoin')).toEqual({ kind: 'msats', amount: BTC / 2n })
    expect(parseAmountText('0.5 bitcoins')).toEqual({ kind: 'msats', amount: BTC / 2n })
  })

  it('refuses unknown currency codes and signs that several currencies share', () => {
    for (const sign of '¥ 円 元'.split(' ')) {
      expect(parseAmountText(`${sign}5`)).toEqual({ kind: 'invalid', reason: 'ambiguous' })
    }
    for (const code of 'xau xag xdr xsu xxx xts all'.split(' ')) {
      expect(parseAmountText(`5 ${code}`)).toEqual({ kind: 'invalid', reason: 'words' })
    }
  })
})

describe('the function parseAmountText, given an invalid text', () => {
  const faults: Array<[AmountFault, string[]]> = [
    // Nobody looks for a number behind so much of nothing.
    ['empty', ['', ' ', '\u00a0\n', `${' '.repeat(2_000)}5`, '\u200b', '\ufeff \u2060']],
    ['not-a-number', ['123,45,678', '1,00,0000', '1’00', '1 00,5', "12'34.5", `${'0'.repeat(40)}5`]],
    ['not-a-number', ['5\u200b6 7', `${'1'.repeat(41)}`, `5${' '.repeat(40)}sats`]],
    [
      'not-a-number',
      [
        'abc',
        'k',
        '$',
        '0x10',
        '1 5',
        'e3',
        '1e3e3',
        '1e300',
        '1e-3',
        '5²',
        '20%%',
        '-20%',
        '$20%',
        '0.001%',
        '1 00',
        '1,00,00',
        '1..5',
        '1.2.3',
        'Infinity',
        'NaN',
        '+5',
      ],
    ],
    ['not-a-number', ['10²', '5½', '½ ½', 'half all', '1.', '1,', 'sats', '1.000 000', '5-', '5-6']],
    [
      'words',
      [
        '5 thanks',
        '5 thanks!',
        '5 apples',
        '5 all',
        '5 k k',
        '5 constructor',
        '500 谢谢',
        '5 für dich',
        '1k for you 🎉',
        '5xyz',
      ],
    ],
    ['more-than-all', ['100.01%', '101%', '200 %']],
    ['zero', ['0%', '0.00%', '0e3', '٠', '0', '0.0', '.0', '0k', '$0', '0 btc', '000']],
    ['negative', ['-5', '-0', '−5', '- 5', '--5', '-$5', '$-5', '-1,000', '-2.5k']],
    ['fraction-of-msat', ['0.0001', '1.2345', '0.5 msats', '0.000000000001 btc', '0.0000001k']],
    ['too-large', ['1e30', '21000001 btc', '2100000000000001', '9'.repeat(40), `$${'9'.repeat(20)}`, '99999999999m']],
    [
      'ambiguous',
      ['1.000', '12.345', '999.000 sats', '1.000k', '1,000k', '1,500m', '1.000 btc', '1,000 btc', '$1.000'],
    ],
    ['ambiguous', ['₿1', '₿ 5', '1 bitcoin', '1Msats', '1Msat', '$5 cad', '¥500', '1 m btc', '$5 sats']],
    ['ambiguous', ['1000,000', '1234,567', '1,0000', '€1.500', '₿1k', '₿1.5k', '₿1m', '₿1.00']],
    ['ambiguous', ['1Msatoshi', '1kMsat', 'Msats 5', '1k Msats']],
  ]
  it.each(faults.flatMap(([reason, texts]) => texts.map((text): [string, AmountFault] => [text, reason])))(
    'refuses %j as %s',
    (text, reason) => expect(parseAmountText(text)).toEqual({ kind: 'invalid', reason }),
  )
})

describe('the function parseAmountText, given any text', () => {
  const amountLike = fc.string({ unit: fc.constantFrom(..."0123459.,' _-$€₿kmKM satbcusd\u00a0"), maxLength: 30 })

  it('never throws and never returns an impossible amount', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), amountLike), (text) => {
        const parsed = parseAmountText(text)
        if (parsed.kind === 'msats') expect(parsed.amount > 0n && parsed.amount <= MAX_MSATS).toBe(true)
        if (parsed.kind === 'fiat') expect(parsed.value).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses a text of 10 megabytes without hanging', () => {
    for (const text of ['1'.repeat(1e7), ' '.repeat(1e7), '1,'.repeat(5e6)]) {
      expect(parseAmountText(text).kind).toBe('invalid')
    }
  })

  it('parses the slowest texts of 40 characters in less than 1 ms on average', () => {
    const worst = [
      '-'.repeat(40),
      ' '.repeat(39),
      `${' '.repeat(20)}-${' '.repeat(19)}`,
      '1 '.repeat(20),
      "'".repeat(40),
    ]
    const texts = worst.flatMap((text) => [`x${text.slice(1)}`, `${text.slice(1)}x`, `5${text.slice(2)}x`])
    const spent = processorTime()
    for (let round = 0; round < 100; round += 1) for (const text of texts) parseAmountText(text)
    expect(spent() / (100 * texts.length)).toBeLessThan(1)
  })

  const wholeSats = fc.bigInt(1n, MAX_MSATS / 1_000n)

  it('reads a whole number of sats back from its English format', () => {
    fc.assert(
      fc.property(wholeSats, (count) => {
        expect(parseAmountText(formatSats(sats(count)))).toEqual({ kind: 'msats', amount: sats(count) })
      }),
    )
  })

  const locales = 'en es pt de fr it nl pl tr ru uk ja zh id hi de-CH en-IN'.split(' ')
  it.each(locales)('never misreads a whole number of sats in the format of the locale %s', (locale) => {
    fc.assert(
      fc.property(fc.oneof(wholeSats, fc.bigInt(1n, 5_000_000n)), (count) => {
        const parsed = parseAmountText(formatSats(sats(count), locale))
        if (parsed.kind === 'invalid') expect(parsed.reason).toBe('ambiguous')
        else expect(parsed).toEqual({ kind: 'msats', amount: sats(count) })
      }),
    )
  })

  it('reads msats back from their English format or reports them as ambiguous', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_MSATS), (amount) => {
        const parsed = parseAmountText(`${formatSats(amount)} sats`)
        if (parsed.kind === 'invalid') expect(parsed.reason).toBe('ambiguous')
        else expect(parsed).toEqual({ kind: 'msats', amount })
      }),
    )
  })

  it('reads amounts in bitcoin exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_MSATS), (amount) => {
        const text = `${amount / BTC}.${(amount % BTC).toString().padStart(11, '0')} btc`
        expect(parseAmountText(text)).toEqual({ kind: 'msats', amount })
      }),
    )
  })
})
