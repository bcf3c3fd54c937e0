import { describe, expect, it } from 'vitest'
import { whyFilesRefuse, withFiles } from '../../src/lib/file-trouble.ts'
import { Problem } from '../../src/lib/problem.ts'

const refused = (code: string, more: object = {}) => Object.assign(new Error(`${code}: no`), { code, ...more })

describe('an error during file access', () => {
  it.each([
    ['a folder of another user', refused('EACCES', { path: '/b' }), /^there is no permission for \/b\. Give it to/],
    ['a full disk', refused('ENOSPC'), /^the disk is full\. Free/],
    ['a full disk, in SQLite’s words', refused('SQLITE_FULL'), /^the disk is full\. Free/],
    ['a read-only disk', refused('EROFS', { path: '/a', dest: '/b' }), /^\/b is on a read-only file system\./],
    ['a database that is locked', refused('SQLITE_BUSY'), /^another process keeps the database locked\. Stop/],
    ['a file that is in the way', refused('EISDIR'), /^EISDIR: no\. Check/],
  ])('is explained along with a remedy: %s', async (_, error, words) => {
    expect(whyFilesRefuse(error)).toMatch(words)
    const thrown = await withFiles('It failed', 'try again.', () => Promise.reject(error)).catch((other) => other)
    expect(thrown).toBeInstanceOf(Problem)
    expect(thrown.message).toBe(`It failed: ${whyFilesRefuse(error)}, then try again.`)
  })

  it.each([
    ['a bug', new TypeError('x is undefined')],
    ['caused by an argument that Node refuses', refused('ERR_INVALID_ARG_TYPE')],
    ['an error that is already explained', new Problem('There is no backup.')],
  ])('is passed on unchanged if it is %s', async (_, error) => {
    await expect(withFiles('It failed', 'try again.', () => Promise.reject(error))).rejects.toBe(error)
  })
})
