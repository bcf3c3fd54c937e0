import { NewestNames } from '../newest-names.ts'
import { qrPng } from './qr.ts'

/** The most pictures in the cache, each of some 4 KB. */
const MAX_PICTURES = 500

/**
 * Returns a function that draws QR codes. Pictures in use are cached, because drawing one takes 20 ms of processor
 * time.
 */
export function createQrPictures(draw: (text: string) => Promise<Buffer> = qrPng): (text: string) => Promise<Buffer> {
  // A text that is too long for a picture stays too long, so that answer is cached, too.
  const pictures = new NewestNames<Promise<Buffer>>(MAX_PICTURES)
  return (text) => pictures.use(text, () => draw(text))
}
