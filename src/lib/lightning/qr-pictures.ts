import { NewestNames } from '../newest-names.ts'
import { qrPng } from './qr.ts'

/** Pictures kept at most, some 4 KB each. */
const MAX_PICTURES = 500

/** Draws QR codes, each once while it is in use: a drawing takes 20 ms of the processor. */
export function createQrPictures(draw: (text: string) => Promise<Buffer> = qrPng): (text: string) => Promise<Buffer> {
  // A text that is too long for a picture stays too long: that answer is kept as well.
  const pictures = new NewestNames<Promise<Buffer>>(MAX_PICTURES)
  return (text) => pictures.use(text, () => draw(text))
}
