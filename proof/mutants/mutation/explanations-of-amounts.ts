import type { Explained } from './explained.ts'

const AMOUNT = 'src/lib/money/amount.ts'
const AMOUNT_TEXT = 'src/lib/money/amount-text.ts'
const DECIMAL_TEXT = 'src/lib/money/decimal-text.ts'
const NEVER_MISSING =
  'The expression has matched, so each of its groups is a text: what stands for a missing one is for the compiler.'

/** What survives the tests of amounts, and why that is well. */
export const OF_AMOUNTS: readonly Explained[] = [
  {
    file: AMOUNT_TEXT,
    code: "const [, sign = '', before = '', innerSign = '', digits = '', after = ''] = parts",
    changes: [`'' => "Stryker was here!"`],
    because: NEVER_MISSING,
  },
  {
    file: AMOUNT,
    code: 'return limit > sats(10) ? limit : sats(10)',
    changes: ['limit > sats(10) => limit >= sats(10)'],
    because: 'Of two equal amounts either is the larger.',
  },
  {
    file: AMOUNT,
    code: 'const absolute = amount < 0n ? -amount : amount',
    changes: ['amount < 0n => amount <= 0n'],
    because: 'Zero is its own opposite.',
  },
  {
    file: AMOUNT,
    code: 'if (style === undefined) {',
    changes: ['style === undefined => true'],
    because: 'A formatter that is made again writes the same; the store only saves time.',
  },
  {
    file: AMOUNT,
    code: 'numberStyles.set(locale, style)',
    changes: ['numberStyles.set(locale, style) => ;'],
    because: 'A formatter that is made again writes the same; the store only saves time.',
  },
  {
    file: DECIMAL_TEXT,
    code: "const [, whole = '', mark = '', fraction = ''] = /^(.*)([.,])(\\d*)$/.exec(text) ?? []",
    changes: ['/^(.*)([.,])(\\d*)$/ => /(.*)([.,])(\\d*)$/', '[] => ["Stryker was here"]'],
    because: 'The first group takes all from the beginning anyway, and the first element is left out.',
  },
  {
    file: DECIMAL_TEXT,
    code: "const [, whole = '', mark = '', fraction = ''] = /^(.*)([.,])(\\d*)$/.exec(text) ?? []",
    changes: [`'' => "Stryker was here!"`],
    because: 'Where there is no mark, only that is asked: every text includes nothing, and the other two are not used.',
  },
  {
    file: AMOUNT,
    code: "style = { figures, point: figures.formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.' }",
    changes: [
      `'.' => ""`,
      "figures.formatToParts(1.5).find((part) => part.type === 'decimal')?.value => figures.formatToParts(1.5).find(part => part.type === 'decimal').value",
    ],
    because: 'Every language writes a mark before decimals; what stands for a missing one is for the compiler.',
  },
  {
    file: 'src/tipping/core/read-amount.ts',
    code: 'default:',
    changes: ['default: return read.reason satisfies never => default:'],
    because: 'There is no other reason: the compiler sees to it there.',
  },
]
