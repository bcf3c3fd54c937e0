import jsqr from 'jsqr'
import { PNG } from 'pngjs'

/** Reads the QR code in a PNG picture, like a phone's camera. */
export function readQr(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png)
  const found = jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })
  if (!found) throw new Error('no QR code can be read in this picture')
  return found.data
}
