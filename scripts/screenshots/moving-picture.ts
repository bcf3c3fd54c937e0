import { crc32 } from 'node:zlib'
import { PNG } from 'pngjs'

/** One frame of a moving picture. */
export interface Frame {
  /** A PNG without transparency, of the same size as all others. */
  readonly png: Buffer
  /** The frame's duration in milliseconds; at most 65 seconds. */
  readonly ms: number
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** The PNG options for pictures without an alpha channel: screenshots of pages have no transparent parts. */
const OPAQUE = { colorType: 2, deflateLevel: 9 } as const

/**
 * Joins pictures into one that moves and repeats: an animated PNG (the PNG specification, third edition, "Animation
 * information"). Each frame stores only the rectangle that changed. Programs that do not support animations show the
 * first frame.
 */
export function movingPicture(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png }) => PNG.sync.read(png))
  const [first] = pictures
  if (first === undefined) throw new Error('A moving picture needs a frame.')
  const chunks = [
    chunk('IHDR', dataOf(PNG.sync.write(first, OPAQUE), 'IHDR')),
    chunk('acTL', numbers(frames.length, 0)),
  ]
  let sequence = 0
  for (const [at, picture] of pictures.entries()) {
    const { width, height } = picture
    if (width !== first.width || height !== first.height) throw new Error('All frames must be of one size.')
    const box = changed(pictures[at - 1], picture)
    const part = new PNG({ width: box.width, height: box.height })
    PNG.bitblt(picture, part, box.x, box.y, box.width, box.height, 0, 0)
    const data = dataOf(PNG.sync.write(part, OPAQUE), 'IDAT')
    chunks.push(chunk('fcTL', frameControl(sequence++, box, frames[at]?.ms ?? 0)))
    chunks.push(at === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])))
  }
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns the smallest rectangle around the changes, or a single pixel without any, since a frame cannot be empty. */
function changed(before: PNG | undefined, after: PNG): Box {
  const { width, height } = after
  if (before === undefined) return { x: 0, y: 0, width, height }
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      if (before.data.readUInt32BE(at) === after.data.readUInt32BE(at)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

function frameControl(sequence: number, { x, y, width, height }: Box, ms: number): Buffer {
  const delay = Buffer.alloc(6)
  delay.writeUInt16BE(ms, 0)
  delay.writeUInt16BE(1_000, 2)
  // The last two bytes, 0 and 0: the next frame is drawn over this one.
  return Buffer.concat([numbers(sequence, width, height, x, y), delay])
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))])
}

/** Joins the data of all chunks of a type. */
function dataOf(png: Buffer, type: string): Buffer {
  return Buffer.concat(chunksOf(png).flatMap((each) => (each.type === type ? [each.data] : [])))
}

/** Reads the chunks of a PNG, in order. */
export function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const found: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return found
}
