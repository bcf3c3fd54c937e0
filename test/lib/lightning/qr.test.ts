import jsqrModule from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { qrPng } from '../../../src/lib/lightning/qr.ts'

// The package is CommonJS: its function is the default export of the default export.
const readQr = jsqrModule as unknown as typeof jsqrModule.default

const LNURL = `lnurl1${'dp68gurn8ghj7mrww4exctnrdakj7'.repeat(5)}`
const INVOICE = `lnbcrt10u1${'pjq2xk0pp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqf'.repeat(6)}`

async function picture(text: string, options?: { minimumPixels?: number }) {
  const png = PNG.sync.read(await qrPng(text, options))
  const found = readQr(new Uint8ClampedArray(png.data), png.width, png.height, { inversionAttempts: 'dontInvert' })
  const dark = (x: number, y: number) => png.data[(y * png.width + x) * 4] === 0
  return { png, found, dark }
}

describe('the function qrPng', () => {
  it.each([LNURL, INVOICE, `lightning:${INVOICE}`])('encodes the bech32 text %s in upper case', async (text) => {
    const { found } = await picture(text)
    expect(found?.data).toBe(text.toUpperCase())
    expect(found?.chunks.map(({ type }) => type)).toEqual(['alphanumeric'])
  })

  it.each(['https://example.com/pay?Amount=5&x=é', 'lightning:alice@example.com', 'LNurl1Mixed', 'hello'])(
    'encodes the text %s unchanged',
    async (text) => expect((await picture(text)).found?.data).toBe(text),
  )

  it.each([undefined, 100, 512, 513, 1_024])(
    'draws modules of whole pixels and a picture of at least the requested width (%s)',
    async (minimumPixels) => {
      const { png, found, dark } = await picture(LNURL, minimumPixels === undefined ? undefined : { minimumPixels })
      const modules = 17 + 4 * (found?.version ?? Number.NaN) + 8
      expect(png.width).toBe(png.height)
      expect(png.width).toBeGreaterThanOrEqual(minimumPixels ?? 512)
      expect(png.width % modules).toBe(0)
      const pixels = png.width / modules
      expect(png.width - modules).toBeLessThan(minimumPixels ?? 512)
      // The quiet zone is four modules of white, and the first finder pattern begins right after it.
      const edge = 4 * pixels
      for (let i = 0; i < png.width; i += 1) expect([dark(i, edge - 1), dark(edge - 1, i)]).toEqual([false, false])
      expect(dark(edge, edge)).toBe(true)
    },
  )

  it('draws a picture in black and white only', async () => {
    const { png } = await picture(INVOICE)
    const colours = new Set<number>()
    for (let i = 0; i < png.data.length; i += 4) colours.add(png.data.readUInt32BE(i))
    expect([...colours].sort((a, b) => a - b)).toEqual([0x000000ff, 0xffffffff])
  })

  it('refuses a text that is too long for a QR code', async () => {
    await expect(qrPng('é'.repeat(2_000))).rejects.toThrow(/too big/i)
  })
})
