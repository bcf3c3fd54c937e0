import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { qrDots } from '../../lib/lightning/qr.ts'
import { isPrintable, PAGE, PdfPage, pdfOf } from '../../lib/pdf.ts'
import { nextTurn } from '../../lib/turns.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import type { BatchCode, VoucherBatchView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'

const MARGIN = 28
const COLUMNS = 3
const ROWS = 8
const PER_PAGE = COLUMNS * ROWS
const CELL = { width: (PAGE.width - 2 * MARGIN) / COLUMNS, height: (PAGE.height - 2 * MARGIN) / ROWS } as const
/**
 * The side of a QR code. ISO/IEC 18004 requires four light modules around it; the space between it and the cell's edge
 * is wider than that.
 */
const QR_SIDE = 78
const TEXT_LEFT = 96

/** The facts that a sheet shows about its batch. */
export interface PrintedBatch extends Pick<VoucherBatchView, 'amount' | 'expiresAt'> {
  /** Whether the batch's sats are worthless, which is also printed on the sheet. */
  readonly testMoney: boolean
}

/**
 * Draws a batch's unredeemed codes to be printed and cut, 24 on each A4 page. Each QR code contains a request that any
 * wallet can claim, or the code itself if the provider does not offer such requests.
 */
export async function printSheet(codes: readonly BatchCode[], batch: PrintedBatch, t: Translator): Promise<string> {
  const live = codes.filter(({ code }) => code !== undefined)
  const pages: PdfPage[] = []
  for (let first = 0; first < live.length; first += PER_PAGE) {
    const page = new PdfPage()
    drawGrid(page)
    for (const [place, code] of live.slice(first, first + PER_PAGE).entries()) drawTicket(page, place, code, batch, t)
    pages.push(page)
    // A page takes some 100 ms, while others wait.
    await nextTurn()
  }
  return pdfOf(pages, printable(t('batch.title', { codes: live.length, amount: batch.amount }), String(live.length)))
}

function drawGrid(page: PdfPage): void {
  for (let column = 1; column < COLUMNS; column += 1) {
    const x = MARGIN + column * CELL.width
    page.dashed(x, MARGIN, x, PAGE.height - MARGIN)
  }
  for (let row = 1; row < ROWS; row += 1) {
    const y = MARGIN + row * CELL.height
    page.dashed(MARGIN, y, PAGE.width - MARGIN, y)
  }
}

function drawTicket(
  page: PdfPage,
  place: number,
  { number, code = '', anyWallet }: BatchCode,
  { amount, expiresAt, testMoney }: PrintedBatch,
  t: Translator,
): void {
  const left = MARGIN + (place % COLUMNS) * CELL.width
  const top = MARGIN + Math.floor(place / COLUMNS) * CELL.height
  const { size, isDark } = qrDots(anyWallet === undefined ? code : lightningUri(anyWallet.request))
  page.dots(size, isDark, { x: left + 10, y: top + (CELL.height - QR_SIDE) / 2, side: QR_SIDE })
  const at = { x: left + TEXT_LEFT, width: CELL.width - TEXT_LEFT - 6 }
  const sum = `${amount / 1_000n} sats${testMoney ? ' (test)' : ''}`
  page.text(printable(t.amount(amount), sum), { ...at, y: top + 30, size: 12, font: 'bold' })
  page.text(code, { ...at, y: top + 47, size: 12, font: 'code' })
  page.text('/voucher redeem', { ...at, y: top + 58, size: 7 })
  if (expiresAt !== undefined) {
    const until = utcMinute(expiresAt)
    page.text(printable(t('batch.until', { until }), until), { ...at, y: top + 72, size: 7 })
  }
  page.text(`#${number}`, { ...at, y: top + 84, size: 6 })
}

/**
 * Returns the text if PDF's fonts, which have no Cyrillic or Chinese, can print it. Otherwise returns `otherwise`,
 * which everybody can read.
 */
function printable(text: string, otherwise: string): string {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('**', '')
  return isPrintable(plain) ? plain : otherwise
}
