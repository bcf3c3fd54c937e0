import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

const architecture = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')

/** Returns the text of a section of docs/ARCHITECTURE.md. */
function section(title: string): string {
  return architecture.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
}

/**
 * Returns the files that the section on paths mentions; a name without a folder is in the same folder as the previous
 * file.
 */
function filesOnPaths(): string[] {
  let folder = ''
  return [...section('Two paths').matchAll(/`([a-z-]+(?:\/[a-z-]+)*\.ts)`/g)].map(([, name = '']) => {
    const isShort = !name.includes('/')
    const file = isShort ? join(folder, name) : existsSync(join(root, 'src', name)) ? name : join('tipping', name)
    folder = dirname(file)
    return file
  })
}

/**
 * Returns whether a path in the table exists, from `src/` or from the root. NOUN stands for a folder of the bot; a bare
 * name is in the row's folder.
 */
function isThere(path: string, row: string): boolean {
  const folder = /`([\w/-]+\/)`/.exec(row)?.[1] ?? ''
  return [`src/${path}`, path, `src/${folder}${path}`].some(
    (each) => globSync(each.replace('NOUN', '*'), { cwd: root }).length > (path.includes('NOUN') ? 10 : 0),
  )
}

describe('docs/ARCHITECTURE.md', () => {
  it('describes each path through files that exist', () => {
    const files = filesOnPaths()
    expect(files.length).toBeGreaterThan(25)
    expect(files.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([])
  })

  it('names existing files for each change in its table', () => {
    const rows = section('To change something').split('\n').slice(1)
    const named = rows.flatMap((row) => [...row.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => ({ path, row })))
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter(({ path, row }) => !isThere(path, row)).map(({ path }) => path)).toEqual([])
  })

  it('has at most 200 lines', () => {
    expect(architecture.split('\n').length - 1).toBeLessThanOrEqual(200)
  })
})

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })]

describe('a path that a page names from the root', () => {
  it.each(pages)('exists: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|proof|scripts|prisma|deploy|docs)\/[\w./-]+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })
})
