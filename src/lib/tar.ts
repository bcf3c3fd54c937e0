import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** A file in an archive. */
export interface TarFile {
  /** The name in the archive, at most 100 bytes. */
  readonly name: string
  /** The path from which the file is read. */
  readonly path: string
}

const BLOCK = 512
/** The smallest size in bytes that eleven octal digits cannot express. */
const MAX_SIZE = 8 ** 11
/** The most bytes of a name. */
const MAX_NAME = 100

/**
 * Yields, piece by piece, an archive of files that every `tar` program unpacks (POSIX ustar). In the archive, the files
 * are readable only by their owner. While this function reads them, they must not change. Throws RangeError for a file
 * of 8 GiB or more, or with a name of more than 100 bytes, and whatever reading throws.
 */
export async function* tar(files: readonly TarFile[], at: Date): AsyncGenerator<Buffer> {
  for (const { name, path } of files) {
    const { size } = await stat(path)
    yield headerOf(name, size, at)
    yield* createReadStream(path) as AsyncIterable<Buffer>
    const rest = size % BLOCK
    if (rest > 0) yield Buffer.alloc(BLOCK - rest)
  }
  yield Buffer.alloc(2 * BLOCK)
}

function headerOf(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME) throw new RangeError(`the name ${name} has more than ${MAX_NAME} bytes`)
  if (size >= MAX_SIZE)
    throw new RangeError(`${name} has ${size} bytes, but a file in an archive must have fewer than ${MAX_SIZE}`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(at.getTime() / 1_000), 11), 136)
  // The checksum is computed as if its own field contained spaces.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(sumOf(header), 6)} `, 148)
  return header
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0)
}

/** The receiver of an archive's files. Either `tar` or another program made the archive. */
export interface Unpacking {
  /** Whether a file of this name, without its folders, is accepted. Any other file is an error. */
  readonly takes: (name: string) => boolean
  /** Writes the next piece of a file, which may be empty. */
  readonly write: (name: string, piece: Buffer) => void
}

/**
 * Passes on the files of an archive, piece by piece. Throws NoArchive if the pieces are not an archive, or if the
 * archive is cut short or contains other files.
 */
export async function untar(pieces: AsyncIterable<Uint8Array>, { takes, write }: Unpacking): Promise<void> {
  const reader = new PieceReader(pieces)
  for (;;) {
    const header = await reader.block()
    if (header.every((byte) => byte === 0)) return await reader.finish()
    const { name, size, kind } = readHeader(header)
    // Folders and extended headers (pax) contain none of our data.
    const isFile = kind === '0' || kind === '\0'
    if (isFile && !takes(name)) throw new NoArchive(`it contains ${name || 'a file without a name'}`)
    if (isFile) write(name, Buffer.alloc(0))
    await reader.read(size, (piece) => isFile && write(name, piece))
    await reader.read((BLOCK - (size % BLOCK)) % BLOCK, () => {})
  }
}

/** The error for data that is not one of our archives. The message explains the reason, as the end of a sentence. */
export class NoArchive extends Error {}

function readHeader(header: Buffer) {
  const text = (from: number, length: number) => header.toString('latin1', from, from + length).split('\0', 1)[0] ?? ''
  const octal = (from: number, length: number) => Number.parseInt(text(from, length).trim(), 8)
  const plain = Buffer.from(header)
  plain.write(' '.repeat(8), 148)
  const size = octal(124, 12)
  if (octal(148, 8) !== sumOf(plain) || !Number.isSafeInteger(size) || size < 0)
    throw new NoArchive('it is not a tar archive')
  return { name: text(0, 100).split('/').at(-1) ?? '', size, kind: header.toString('latin1', 156, 157) }
}

/** A reader that receives pieces of any length, and reads any number of bytes from them. */
class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  async block(): Promise<Buffer> {
    const parts: Buffer[] = []
    await this.read(BLOCK, (piece) => void parts.push(piece))
    return Buffer.concat(parts)
  }

  async read(length: number, take: (piece: Buffer) => unknown): Promise<void> {
    let left = length
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new NoArchive('it is cut short')
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      take(piece)
    }
  }

  /** Discards the remaining pieces, so that their sender gets an answer. */
  async finish(): Promise<void> {
    while (await this.#more()) this.#rest = Buffer.alloc(0)
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#pieces.next()
    if (done !== true) this.#rest = Buffer.from(value)
    return done !== true
  }
}
