import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The files that docs/ARCHITECTURE.md names in its section of paths; a name without a folder is beside the one before it. */
function filesOnPaths(): string[] {
  const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')
  const section = text.split('## Three paths')[1]?.split('\n## ')[0] ?? ''
  let folder = ''
  return [...section.matchAll(/`([a-z-]+(?:\/[a-z-]+)*\.ts)`/g)].map(([, name = '']) => {
    const isShort = !name.includes('/')
    const file = isShort ? join(folder, name) : existsSync(join(root, 'src', name)) ? name : join('tipping', name)
    folder = dirname(file)
    return file
  })
}

describe('the paths in docs/ARCHITECTURE.md', () => {
  it('lead through files that are there', () => {
    const files = filesOnPaths()
    expect(files.length).toBeGreaterThan(25)
    expect(files.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([])
  })
})

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })]

describe('a path from the root', () => {
  it.each(pages)('exists where %s names it', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|proof|scripts|prisma|deploy|docs)\/[\w./-]+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })
})
