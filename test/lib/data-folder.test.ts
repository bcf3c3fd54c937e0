import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataFolder } from '../../src/lib/data-folder.ts'
import { openSqliteFile } from '../../src/lib/database/sqlite/sqlite-file.ts'
import { Problem } from '../../src/lib/problem.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the error that a user without root's permissions reads. */
async function toldToOthers(data: string): Promise<string> {
  const module = join(import.meta.dirname, '../../src/lib/data-folder.ts')
  const script = `import { openDataFolder } from ${JSON.stringify(module)}
    try { openDataFolder(${JSON.stringify(data)}) } catch (error) { console.log(error.message) }`
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], nobody)
  return stdout
}

describe('the data folder', () => {
  it('is created with access for its owner only, and reused if it already exists', () => {
    const data = join(folder, 'deep/data')
    expect(openDataFolder(data)).toBe(data)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    writeFileSync(join(data, 'book.sqlite'), '')
    expect(openDataFolder(data)).toBe(data)
  })

  it('is closed to other users if it was open to them', () => {
    const open = join(folder, 'open')
    mkdirSync(open, { mode: 0o755 })
    chmodSync(open, 0o755)
    openDataFolder(open)
    expect(statSync(open).mode & 0o777).toBe(0o700)
  })

  it('is refused if there is already a file with its name', () => {
    const data = join(folder, 'taken')
    writeFileSync(data, '')
    expect(() => openDataFolder(data)).toThrow(Problem)
    expect(() => openDataFolder(data)).toThrow(
      /there is a file with that name\. Move it away, or set DATA_FOLDER to another folder/,
    )
  })

  it('is refused if it or any of its files is not writable', async () => {
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o777 })
    chmodSync(data, 0o777)
    const stored = join(data, 'ports.json')
    writeFileSync(stored, '{}')
    chmodSync(stored, 0o444)
    expect(await toldToOthers(data)).toContain(`there is no permission to write ${stored}. Give the folder`)
    chmodSync(data, 0o555)
    expect(await toldToOthers(data)).toContain(`there is no permission to write ${data}. Give the folder`)
  })
})

describe('a SQLite file', () => {
  it('is refused with an explanation if it is really a text file or a folder', () => {
    const file = join(folder, 'network.sqlite')
    writeFileSync(file, 'This is not a database, and it is long enough to be looked at as one. '.repeat(20))
    expect(() => openSqliteFile(file, ['journal_mode = WAL'], '')).toThrow(Problem)
    expect(() => openSqliteFile(file, ['journal_mode = WAL'], '')).toThrow(
      `The file ${file} could not be opened: it is not a SQLite database, or it is damaged. Restore a backup.`,
    )
    expect(() => openSqliteFile(folder, [], '')).toThrow(/there is a folder with that name\. Move it away/)
  })

  it('is refused with an explanation if a page is damaged', () => {
    const file = join(folder, 'network.sqlite')
    const pages = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i FROM n`
    openSqliteFile(file, [], `CREATE TABLE t (i INTEGER); ${pages}`).close()
    openSqliteFile(file, [], '').close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('Z', 8192, 12288))
    expect(() => openSqliteFile(file, [], '')).toThrow(/it is damaged\. Restore a backup\.$/)
    // Nothing advises what would set other data aside, unless it says so and the file is a playground's own.
    expect(() => openSqliteFile(file, [], '', ', or do that')).toThrow(/Restore a backup, or do that\.$/)
  })
})
