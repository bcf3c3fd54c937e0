import { crc32 } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { chunksOf, movingPicture } from '../../scripts/screenshots/moving-picture.ts'

/** Draws a picture in one shade of grey, with a square in another shade at (x, y). */
function picture(x: number, y: number, size = 3): Buffer {
  const png = new PNG({ width: 20, height: 10 })
  png.data.fill(255)
  for (let dy = 0; dy < size; dy += 1) {
    for (let dx = 0; dx < size; dx += 1) png.data.writeUInt32BE(0x336699ff, ((y + dy) * 20 + x + dx) * 4)
  }
  return PNG.sync.write(png)
}

/** Draws the frames one after the other, as the specification says, and returns each picture. */
function played(moving: Buffer): { ms: number; pixels: Buffer; drawn: number }[] {
  const chunks = chunksOf(moving)
  const canvas = new PNG({ width: 20, height: 10 })
  const header = chunks[0]?.data ?? Buffer.alloc(0)
  return chunks.flatMap(({ type, data }, at) => {
    if (type !== 'fcTL') return []
    const [width = 0, height = 0, x = 0, y = 0] = [4, 8, 12, 16].map((offset) => data.readUInt32BE(offset))
    const next = chunks[at + 1]
    const body = next?.type === 'fdAT' ? next.data.subarray(4) : (next?.data ?? Buffer.alloc(0))
    const size = Buffer.from(header)
    size.writeUInt32BE(width, 0)
    size.writeUInt32BE(height, 4)
    const part = PNG.sync.read(
      Buffer.concat([moving.subarray(0, 8), ...[sealed('IHDR', size), sealed('IDAT', body), sealed('IEND')]]),
    )
    PNG.bitblt(part, canvas, 0, 0, width, height, x, y)
    return [{ ms: data.readUInt16BE(20), pixels: Buffer.from(canvas.data), drawn: width * height }]
  })
}

function sealed(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type), data])
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

it('a moving picture shows every frame for its set time and stores only what changes', () => {
  const frames = [picture(1, 1), picture(4, 1), picture(4, 1), picture(16, 6)]
  const moving = movingPicture(frames.map((png, at) => ({ png, ms: 100 * (at + 1) })))
  const shown = played(moving)
  expect(shown.map(({ ms }) => ms)).toEqual([100, 200, 300, 400])
  expect(shown.map(({ pixels }) => pixels)).toEqual(frames.map((png) => PNG.sync.read(png).data))
  expect(shown.map(({ drawn }) => drawn)).toEqual([200, 18, 1, 120])
  // A program that knows no animations.
  expect(PNG.sync.read(moving).data).toEqual(PNG.sync.read(frames[0] as Buffer).data)
  const ordered = chunksOf(moving).flatMap(({ type, data }) =>
    ['fcTL', 'fdAT'].includes(type) ? [data.readUInt32BE(0)] : [],
  )
  expect(ordered).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('a moving picture needs at least one frame, and frames of a single size', () => {
  const other = PNG.sync.write(new PNG({ width: 3, height: 3 }))
  expect(() => movingPicture([])).toThrow('needs a frame')
  expect(() =>
    movingPicture([
      { png: picture(1, 1), ms: 1 },
      { png: other, ms: 1 },
    ]),
  ).toThrow('of one size')
})
