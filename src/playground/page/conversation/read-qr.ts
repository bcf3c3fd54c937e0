import type jsQrFunction from 'jsqr'

const longestSide = 900
const known = new Map<string, Promise<string | null>>()
let library: Promise<typeof jsQrFunction> | undefined

/** Reads the QR code in a picture; null if none can be read. Each picture is read only once. */
export function readQr(url: string): Promise<string | null> {
  let reading = known.get(url)
  if (reading === undefined) {
    reading = read(url).catch(() => null)
    known.set(url, reading)
  }
  return reading
}

async function read(url: string): Promise<string | null> {
  const image = new Image()
  image.src = url
  await image.decode()
  const scale = Math.min(1, longestSide / Math.max(image.naturalWidth, image.naturalHeight))
  const width = Math.round(image.naturalWidth * scale)
  const height = Math.round(image.naturalHeight * scale)
  const pixels = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (pixels === null) return null
  pixels.drawImage(image, 0, 0, width, height)
  const { data } = pixels.getImageData(0, 0, width, height)
  const find = await loadLibrary()
  return find(data, width, height, { inversionAttempts: 'dontInvert' })?.data || null
}

/** Loads jsQR, a script for pages without modules, which sets its function as a property of `window`. */
function loadLibrary(): Promise<typeof jsQrFunction> {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/modules/jsqr'
    script.onload = () => resolve((window as unknown as { jsQR: typeof jsQrFunction }).jsQR)
    script.onerror = () => reject(new Error('the QR reader could not be loaded'))
    document.head.append(script)
  })
  return library
}
