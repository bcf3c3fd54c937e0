import { parse } from 'csv-parse/sync'
import jsqrModule from 'jsqr'
import { describe, expect, it } from 'vitest'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { codesCsv } from '../../src/bot/vouchers/batch-command.ts'
import { printSheet } from '../../src/bot/vouchers/print-sheet.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { BatchCode } from '../../src/tipping/tipping.ts'

// The package is CommonJS: its function is the default export of the default export.
const readQr = jsqrModule as unknown as typeof jsqrModule.default

const LNURL = `lnurl1${'dp68gurn8ghj7mrww4exctnrdakj7'.repeat(5)}`
const expiresAt = new Date(Date.UTC(2030, 1, 3, 4, 5, 6))

function codeOf(number: number, change: Partial<BatchCode> = {}): BatchCode {
  const code = `C${String(number).padStart(7, '2')}`
  return { id: `v${number}`, number, amount: sats(500), state: 'live', code, anyWallet: undefined, ...change }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => codeOf(index + 1))

async function sheet(codes: readonly BatchCode[], language = 'en', testMoney = false): Promise<string> {
  return await printSheet(
    codes,
    { amount: sats(500), expiresAt, testMoney },
    createTranslators(() => testMoney)(language),
  )
}

/** Returns the texts of all QR codes on a sheet, read from its image masks. */
function scanned(pdf: string): (string | undefined)[] {
  return [...pdf.matchAll(/BI \/W (\d+) \/H \d+ .*? ID ([0-9a-f]+)> EI/g)].map(([, width, hex = '']) => {
    const size = Number(width)
    const [row, scale, quiet] = [Math.ceil(size / 8) * 2, 4, 4]
    const side = (size + 2 * quiet) * scale
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const [r, c] = [Math.floor(y / scale) - quiet, Math.floor(x / scale) - quiet]
        if (r < 0 || c < 0 || r >= size || c >= size) continue
        const byte = Number.parseInt(hex.slice(r * row + (c >> 3) * 2, r * row + (c >> 3) * 2 + 2), 16)
        const isDark = ((byte >> (7 - (c & 7))) & 1) === 0
        if (isDark) pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
      }
    }
    return readQr(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data
  })
}

describe('a print sheet', () => {
  it('has a QR code for each unredeemed voucher, for any wallet or for the bot', async () => {
    const wallet = { request: LNURL, amount: sats(490) }
    const pdf = await sheet([
      codeOf(1, { anyWallet: wallet }),
      codeOf(2, { state: 'redeemed', code: undefined }),
      codeOf(3),
    ])
    expect(scanned(pdf)).toEqual([`LIGHTNING:${LNURL.toUpperCase()}`, 'C2222223'])
    expect(pdf).toContain('(C2222221) Tj')
    expect(pdf).toContain('(500 sats) Tj')
    expect(pdf).toContain('(Until 2030-02-03 04:05 UTC) Tj')
    expect(pdf).not.toContain('#2)')
  })

  it.each([
    [1, 1],
    [24, 1],
    [25, 2],
    [1_000, 42],
  ])('has up to 24 codes on each page; codes and pages: %i, %i', async (count, pages) => {
    const pdf = await sheet(many(count))
    expect(pdf.match(/\/Type \/Page /g)).toHaveLength(pages)
    expect(pdf).toContain(`/Count ${pages} `)
    expect(pdf.match(/ EI Q/g)).toHaveLength(count)
    // Discord accepts 10 MB from everybody.
    expect(pdf.length).toBeLessThan(2_000_000)
  })

  it('is an ASCII PDF that lists the correct offset of each object', async () => {
    const pdf = await sheet(many(30), 'fr')
    expect(pdf).toMatch(/^%PDF-1\.4\n[\n\x20-\x7e]*%%EOF\n$/)
    const table = Number(/startxref\n(\d+)\n/.exec(pdf)?.[1])
    expect(pdf.slice(table, table + 5)).toBe('xref\n')
    const places = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place))
    expect(places.length).toBeGreaterThan(8)
    for (const [index, place] of places.entries()) expect(pdf.slice(place)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
    for (const [, length, rest = ''] of pdf.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g))
      expect(rest).toHaveLength(Number(length))
  })

  it.each([
    ['de', '(G\\374ltig bis 2030-02-03 04:05 UTC)'],
    ['ru', '(2030-02-03 04:05 UTC)'],
    ['pl', '(2030-02-03 04:05 UTC)'],
    ['zh', '(500 sats)'],
  ])('in %s uses only letters of the standard PDF fonts', async (language, words) => {
    expect(await sheet(many(1), language)).toContain(words)
  })

  it.each(languages.map(({ code }) => code))(
    'says “Until” only in English, and marks test sats as such: %s',
    async (language) => {
      const pdf = await sheet(many(1), language, true)
      if (language !== 'en') expect(pdf).not.toContain('Until')
      expect(pdf).toMatch(/\(500 sats \(test\)\)|\(500 .*(?:test|prova|prueba|uji)/i)
    },
  )

  it('mentions no expiry if the codes have none', async () => {
    const pdf = await printSheet(
      many(1),
      { amount: sats(500), expiresAt: undefined, testMoney: false },
      createTranslators(() => false)('en'),
    )
    expect(pdf).not.toContain('Until')
  })
})

describe('the CSV file of a batch', () => {
  it('is ASCII without a byte-order mark, and has each code’s state and expiry', () => {
    const codes = [codeOf(1, { anyWallet: { request: LNURL, amount: sats(490) } })]
    const text = codesCsv([...codes, codeOf(2, { state: 'redeemed', code: undefined })], expiresAt)
    expect(text).toBe(
      'number,code,sats,state,expires,lnurl\r\n' +
        `1,C2222221,500,live,2030-02-03T04:05:06.000Z,${LNURL}\r\n` +
        '2,,500,redeemed,2030-02-03T04:05:06.000Z,\r\n',
    )
  })

  it.each(['23456789', '23E46789', '2E346789', '9999999E'])('marks the code %s as text for spreadsheets', (code) => {
    const [, row] = parse(codesCsv([codeOf(1, { code })], undefined)) as string[][]
    const cell = row?.[1] ?? ''
    expect(Number.isNaN(Number(cell))).toBe(true)
    expect(cell.replace(/^'/, '')).toBe(code)
    expect(cell).not.toMatch(/^[=+\-@\t]/)
  })
})
