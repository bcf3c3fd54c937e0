import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BackupFile } from '../../src/assembly/backup/contents.ts'
import { putInPlace } from '../../src/assembly/backup/put-in-place.ts'

/** Tests moving a backup's files from a folder to the two places where they belong, which can be on two disks. */

let folder: string
let [staging, first, second]: [string, string, string] = ['', '', '']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'in-place-'))
  staging = join(folder, 'staging')
  first = join(folder, 'first')
  second = join(folder, 'second')
  write('staging/tipping.sqlite', 'new book')
  write('staging/own-project.json', 'new key')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

function places(): [BackupFile, BackupFile] {
  return [
    { name: 'tipping.sqlite', file: join(first, 'tipping.sqlite'), kind: 'database', of: 'bot' },
    { name: 'own-project.json', file: join(second, 'own-project.json'), kind: 'key', of: 'bot' },
  ]
}

/** Returns the contents of every file of both places, and the folders. */
function seen(): Record<string, string> {
  const entries = ['first', 'second'].flatMap((name) =>
    existsSync(join(folder, name)) ? readdirSync(join(folder, name), { recursive: true, withFileTypes: true }) : [],
  )
  const found = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(folder.length + 1), entry.isFile() ? readFileSync(path, 'utf8') : 'a folder'] as const
  })
  return Object.fromEntries(found)
}

function oldOnes(): void {
  write('first/tipping.sqlite', 'old book')
  write('second/own-project.json', 'old key')
}

/** Returns a copy of the place that calls `meddle` whenever the path of its file is read while the condition holds. */
function meddled(place: BackupFile, when: () => boolean, meddle: () => void): BackupFile {
  return {
    ...place,
    get file() {
      if (when()) meddle()
      return place.file
    },
  }
}

describe('files put in place', () => {
  it('are copied from the staging folder even if their own folders do not exist yet', () => {
    expect(putInPlace(staging, places(), 'aside')).toEqual([])
    expect(seen()).toEqual({ 'first/tipping.sqlite': 'new book', 'second/own-project.json': 'new key' })
    for (const { file } of places()) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(staging, 'tipping.sqlite'), 'utf8')).toBe('new book')
  })

  it('replace old files, which are moved aside with their logs', () => {
    oldOnes()
    write('first/tipping.sqlite-wal', 'its log')
    write('first/tipping.sqlite-shm', 'the index of it')
    write('first/tipping.sqlite.restoring', 'of an earlier restore')
    expect(putInPlace(staging, places(), 'aside/of-today')).toEqual([
      join(first, 'aside/of-today'),
      join(second, 'aside/of-today'),
    ])
    expect(seen()).toEqual({
      ...{ 'first/aside': 'a folder', 'first/aside/of-today': 'a folder' },
      ...{ 'second/aside': 'a folder', 'second/aside/of-today': 'a folder' },
      'first/tipping.sqlite': 'new book',
      'first/aside/of-today/tipping.sqlite': 'old book',
      'first/aside/of-today/tipping.sqlite-wal': 'its log',
      'first/aside/of-today/tipping.sqlite-shm': 'the index of it',
      'second/own-project.json': 'new key',
      'second/aside/of-today/own-project.json': 'old key',
    })
    for (const place of [first, second]) expect(statSync(join(place, 'aside/of-today')).mode & 0o777).toBe(0o700)
  })

  it('leave no old file behind where the backup has none', () => {
    oldOnes()
    rmSync(join(staging, 'own-project.json'))
    expect(putInPlace(staging, places(), 'aside')).toHaveLength(2)
    expect(seen()).toMatchObject({ 'first/tipping.sqlite': 'new book', 'second/aside/own-project.json': 'old key' })
    expect(existsSync(join(second, 'own-project.json'))).toBe(false)
  })

  it('are synced before they are renamed, and their folders are synced afterwards', () => {
    oldOnes()
    const log: string[] = []
    const opened = new Map<number, string>()
    const { openSync, fsyncSync, closeSync, renameSync } = fs
    const name = (path: unknown) => String(path).slice(folder.length + 1)
    Object.assign(fs, {
      openSync: (...args: Parameters<typeof openSync>) => {
        const opening = openSync(...args)
        opened.set(opening, name(args[0]))
        return opening
      },
      fsyncSync: (opening: number) => {
        log.push(`on the disk: ${opened.get(opening)}`)
        fsyncSync(opening)
      },
      closeSync: (opening: number) => {
        opened.delete(opening)
        closeSync(opening)
      },
      renameSync: (from: string, to: string) => {
        log.push(`now ${name(to)}`)
        renameSync(from, to)
      },
    })
    syncBuiltinESMExports()
    try {
      putInPlace(staging, places(), 'aside')
    } finally {
      Object.assign(fs, { openSync, fsyncSync, closeSync, renameSync })
      syncBuiltinESMExports()
    }
    expect(log).toEqual([
      ...['on the disk: first/tipping.sqlite.restoring', 'on the disk: second/own-project.json.restoring'],
      ...['now first/aside/tipping.sqlite', 'now second/aside/own-project.json'],
      ...['now first/tipping.sqlite', 'now second/own-project.json'],
      ...['on the disk: first/aside', 'on the disk: second/aside', 'on the disk: first', 'on the disk: second'],
    ])
    expect(opened.size).toBe(0)
  })
})

describe('files that cannot be put in place', () => {
  it.each([
    ['before any file is moved', () => mkdirSync(join(second, 'own-project.json.restoring/full'), { recursive: true })],
    [
      'after half of the old files have been moved aside',
      () => mkdirSync(join(second, 'aside/own-project.json/full'), { recursive: true }),
    ],
  ])('leave the old files in place if the error occurs %s', (_, obstruct) => {
    oldOnes()
    obstruct()
    const before = seen()
    expect(() => putInPlace(staging, places(), 'aside')).toThrow(
      /^The backup could not be put in place: .*\. Check what is there, then restore again\. Nothing was changed: what was there before is in its place\.$/,
    )
    expect(seen()).toEqual(before)
  })

  it('leave the old files in place even if half of the new files had been moved in', () => {
    oldOnes()
    const [book, key] = places()
    const isIn = () => readFileSync(book.file, 'utf8') === 'new book'
    const away = () => rmSync(`${key.file}.restoring`, { force: true })
    const thrown = () => putInPlace(staging, [book, meddled(key, () => existsSync(book.file) && isIn(), away)], 'aside')
    expect(thrown).toThrow(/ENOENT.*Nothing was changed/)
    expect(seen()).toEqual({ 'first/tipping.sqlite': 'old book', 'second/own-project.json': 'old key' })
  })

  it('are reported even if the error does not come from the file system', () => {
    const wrong = meddled(
      places()[0],
      () => true,
      () => {
        throw new TypeError('it is broken')
      },
    )
    // A place without a file in the backup is read only when its old file is moved aside.
    rmSync(join(staging, 'tipping.sqlite'))
    expect(() => putInPlace(staging, [wrong], 'aside')).toThrow(
      'The backup could not be put in place: TypeError: it is broken. Check what is there, then restore again. Nothing was changed',
    )
  })

  it('cause an error that lists, in order, the old files to be moved back', () => {
    oldOnes()
    write('first/tipping.sqlite-wal', 'its log')
    // Nothing can be put where the key is moved aside, and meanwhile other files fill the places of the book and its
    // log.
    mkdirSync(join(second, 'aside/own-project.json/full'), { recursive: true })
    const [book, key] = places()
    const log = `${book.file}-wal`
    const isAside = () => existsSync(join(first, 'aside/tipping.sqlite-wal'))
    const filled = meddled(key, isAside, () => {
      for (const place of [book.file, log]) mkdirSync(join(place, 'full'), { recursive: true })
    })
    const asides = [`${join(first, 'aside/tipping.sqlite-wal')} to ${log}`]
    asides.push(`${join(first, 'aside/tipping.sqlite')} to ${book.file}`)
    expect(() => putInPlace(staging, [book, filled], 'aside')).toThrow(
      new RegExp(
        `^The backup could not be put in place, and neither could all of what was there before: .*, then move these back, and restore again:\n {2}- ${asides.join('\n {2}- ')}$`,
      ),
    )
    expect(readFileSync(join(first, 'aside/tipping.sqlite'), 'utf8')).toBe('old book')
    expect(readFileSync(join(first, 'aside/tipping.sqlite-wal'), 'utf8')).toBe('its log')
    expect(readFileSync(key.file, 'utf8')).toBe('old key')
  })
})
