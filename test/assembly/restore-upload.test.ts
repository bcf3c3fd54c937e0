import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { createBackupDownloads } from '../../src/assembly/backup/download-backup.ts'
import { restoreUpload } from '../../src/assembly/backup/restore-upload.ts'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { tar } from '../../src/lib/tar.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type SmallBooks, smallBooks } from './small-books.ts'

const clock = new ManualClock()
let books: SmallBooks
let archive: Buffer
/** The configuration of another machine, which has no books yet. */
let into: Config

beforeEach(async () => {
  books = await smallBooks()
  const { pieces, end } = await createBackupDownloads(books.config, clock)()
  archive = await buffer(pieces)
  end()
  into = parseConfig({ DATA_FOLDER: join(books.above, 'another') })
})

/** Yields the bytes in pieces of this length, as an upload arrives. */
async function* inPieces(bytes: Buffer, length = 65_536): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
}

const put = (bytes: Buffer, length?: number) => restoreUpload(into, inPieces(bytes, length), clock)
const key = (folder: string) => readFileSync(join(folder, 'own-project.json'), 'utf8')
const there = () =>
  readdirSync(into.dataFolder).filter((name) => /sqlite$|json$|came|restoring/.test(name) && !/lock/.test(name))

describe('a backup from the console', () => {
  it.each([65_536, 777])('is restored from pieces of %i bytes, with outgoing payments paused', async (length) => {
    expect(await put(archive, length)).toMatch(
      /^Restored .*tipping\.sqlite.* as of 2030-01-01T00:00:00.000Z; the books hold\.$/,
    )
    expect(key(into.dataFolder)).toBe(key(books.folder))
    expect(there()).not.toContain('backup-that-came')
    const book = await openTippingDatabase(`file:${into.dataFolder}/tipping.sqlite`)
    expect(await book.read.account.findFirst({ where: { owner: 'alice' } })).toMatchObject({ balance: 5_000n })
    expect(await book.read.outgoingPause.count()).toBeGreaterThan(0)
    await book.close()
  })

  it('is restored after the old files are moved aside, and the result says where', async () => {
    await put(archive)
    expect(await put(archive)).toMatch(/The old data is in .*before-restore-2030-01-01/)
    expect(readdirSync(into.dataFolder).some((name) => name.startsWith('before-restore-'))).toBe(true)
  })

  const changed = () => {
    const bytes = Buffer.from(archive)
    bytes.write('X', bytes.indexOf('"apiKey"') + 1)
    return bytes
  }
  it.each([
    ['is cut short', () => archive.subarray(0, archive.length / 2), /it is cut short/],
    ['is empty', () => Buffer.alloc(0), /it is cut short/],
    ['lacks its end', () => archive.subarray(0, archive.length - 1_024), /it is cut short/],
    ['is a picture', () => Buffer.alloc(2_048, 'JFIF'), /it is not a tar archive/],
    ['contains no files', () => Buffer.alloc(1_024), /is not a backup: it has no manifest\.json/],
    ['was changed', changed, /has changed since the backup/],
  ])('is refused, and nothing is changed, if it %s', async (_, bytes, problem) => {
    await expect(put(bytes())).rejects.toThrow(problem)
    expect(there()).toEqual([])
    await put(archive)
    const before = key(into.dataFolder)
    await expect(put(bytes())).rejects.toThrow(problem)
    expect(key(into.dataFolder)).toBe(before)
  })

  it('is refused if it contains a path that no backup has', async () => {
    const path = join(books.folder, 'own-project.json')
    for (const name of ['../../evil.json', '/tmp/evil.json', 'x/.env', 'books.json']) {
      const bytes = await buffer(tar([{ name, path }], new Date(0)))
      await expect(put(bytes)).rejects.toThrow(/This is not a backup from the console: it contains/)
    }
    expect(there()).toEqual([])
    expect(existsSync(join(books.above, 'evil.json'))).toBe(false)
  })
})
