import { create, toBuffer } from 'qrcode'

/** The width of the light border that ISO/IEC 18004 requires around the symbol. */
const QUIET_ZONE_MODULES = 4

/**
 * The settings of the PNG encoder. Each line of pixels is written as its difference from the line above (the PNG filter
 * "up", 2), because most lines of a QR code repeat the previous one. Trying every filter on every line, as the encoder
 * would, takes six times as long and produces more bytes.
 */
const PNG_ENCODING = { filterType: 2, deflateStrategy: 0, deflateLevel: 6 }

/**
 * Draws a QR code as a PNG: black on white, error correction M, at least `minimumPixels` wide. Every module is a whole
 * number of pixels wide, so that edges stay sharp. Text that does not depend on case (bech32: invoices, LNURL codes,
 * their `lightning:` links) is written in upper case, which QR codes store more densely (alphanumeric mode). Throws if
 * the text is too long for a QR code (some 2,300 bytes, or 3,300 characters of bech32).
 */
export async function qrPng(text: string, { minimumPixels = 512 } = {}): Promise<Buffer> {
  const payload = isBech32(text) ? text.toUpperCase() : text
  const symbol = create(payload, { errorCorrectionLevel: 'M' })
  const widthModules = symbol.modules.size + 2 * QUIET_ZONE_MODULES
  return await toBuffer(payload, {
    type: 'png',
    errorCorrectionLevel: 'M',
    margin: QUIET_ZONE_MODULES,
    scale: Math.ceil(minimumPixels / widthModules),
    color: { dark: '#000000ff', light: '#ffffffff' },
    rendererOpts: PNG_ENCODING,
  })
}

/**
 * Returns the dots of a QR code with error correction M, without the light border, for a printer. Throws as `qrPng`
 * does.
 */
export function qrDots(text: string): {
  readonly size: number
  readonly isDark: (row: number, column: number) => boolean
} {
  const { modules } = create(isBech32(text) ? text.toUpperCase() : text, { errorCorrectionLevel: 'M' })
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 }
}

/**
 * Whether a text is an invoice or LNURL code in one case, with or without `lightning:` before it (BIP 173: bech32 has
 * no mixed case).
 */
function isBech32(text: string): boolean {
  return (
    /^(lightning:)?(ln(bc|tb|tbs|bcrt)|lnurl)[a-z0-9]*1[ac-hj-np-z02-9]{6,}$/.test(text.toLowerCase()) &&
    (text === text.toLowerCase() || text === text.toUpperCase())
  )
}

/**
 * Draws a QR code for a terminal, dark on light whatever the terminal's colours. Each line contains two rows of
 * modules. Throws as `qrPng` does.
 */
export function qrText(text: string): string {
  const payload = isBech32(text) ? text.toUpperCase() : text
  const { modules } = create(payload, { errorCorrectionLevel: 'L' })
  const isDark = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < modules.size && column < modules.size && modules.get(row, column) === 1
  const lines: string[] = []
  for (let row = -2; row < modules.size + 2; row += 2) {
    let line = ''
    for (let column = -2; column < modules.size + 2; column += 1) {
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)]
      line += upper ? (lower ? ' ' : '▄') : lower ? '▀' : '█'
    }
    // White on black: the blocks are the light modules.
    lines.push(`\u001b[97;40m${line}\u001b[0m`)
  }
  return lines.join('\n')
}
