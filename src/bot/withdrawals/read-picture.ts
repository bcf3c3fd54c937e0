import jsqr from 'jsqr'
import type { UploadedPicture } from '../interactions/command.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** The maximum size of a picture, in bytes. A phone's photo has some three megabytes. */
const MAX_BYTES = 8 * 1024 * 1024
/** The maximum number of pixels in a picture. 24 megapixels use a hundred megabytes while they are decoded. */
const MAX_PIXELS = 24_000_000
const TIMEOUT_MS = 5_000
/**
 * The widths to which a picture is shrunk, tried in order. Even a QR code that fills a tenth of a picture can be read.
 */
const WIDTHS = [900, 1_800]
const TYPES = /^image\/(png|jpeg|webp|gif)$/

/**
 * Reads the QR code in an uploaded picture. Discord reports a picture's size, so one that is too large is not fetched.
 * Throws CommandRefusal if there is no code, or the file is not a picture of a permitted type and size.
 */
export async function readPicture({ url, bytes, width, height, contentType }: UploadedPicture): Promise<string> {
  const isPicture = TYPES.test(contentType) && width > 0 && height > 0
  if (!isPicture || bytes > MAX_BYTES || width * height > MAX_PIXELS)
    throw new CommandRefusal('commandRefusals.no-picture')
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`Discord answered ${answer.status} for a picture that was uploaded`)
  const picture = Buffer.from(await answer.arrayBuffer())
  if (picture.length > MAX_BYTES) throw new CommandRefusal('commandRefusals.no-picture')
  for (const most of WIDTHS) {
    const text = await codeIn(picture, { width, height, contentType, most })
    if (text !== undefined) return text
    if (width <= most) break
  }
  throw new CommandRefusal('commandRefusals.no-code')
}

interface Drawn {
  readonly width: number
  readonly height: number
  readonly contentType: string
  readonly most: number
}

/**
 * Decodes and shrinks the picture outside this thread. Resolves to the text of its QR code; undefined if none is found.
 */
async function codeIn(picture: Buffer, { width, height, contentType, most }: Drawn): Promise<string | undefined> {
  const scale = Math.min(1, most / Math.max(width, height))
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const data = `data:${contentType};base64,${picture.toString('base64')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><rect width="100%" height="100%" fill="#fff"/><image href="${data}" width="${wide}" height="${high}" preserveAspectRatio="none"/></svg>`
  const { renderAsync } = await import('@resvg/resvg-js')
  const drawn = await renderAsync(svg, { font: { loadSystemFonts: false } })
  const found = jsqr.default(new Uint8ClampedArray(drawn.pixels), drawn.width, drawn.height)
  return found === null || found.data === '' ? undefined : found.data
}
