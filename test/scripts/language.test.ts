import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The maximum length of a sentence; a longer one has more than one idea. */
const MAX_WORDS = 40

/** The maximum length of a test's name; a longer one does not fit on one line of a failing run's output. */
const MAX_NAME_LENGTH = 80

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })]

const sources = globSync('src/**', { cwd: root, exclude: ['src/*/generated/**'] })

describe('the documentation', () => {
  it.each(pages)('has no sentence of more than 40 words: %s', (page) => {
    const long = sentencesOf(read(page)).filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)
    expect(long).toEqual([])
  })

  it('is searched for long sentences in paragraphs, lists and tables', () => {
    const long = `Go ${'on and '.repeat(20)}on.`
    const page = `Short.\n\n${long} Short.\n\n- ${long}\n\n| Short. | ${long} |\n`
    expect(sentencesOf(page).filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)).toHaveLength(3)
  })

  it('names only existing places for each word in the glossary', () => {
    const rows = [...read('docs/GLOSSARY.md').matchAll(/^\| (.+?) \| .+? \| (.+?) \|/gm)].slice(1)
    const missing = rows.flatMap(([, word = '', places = '']) => placesOf(places).map((place) => `${word}: ${place}`))
    expect(missing).toEqual([])
    expect(rows.length).toBeGreaterThan(40)
  })
})

describe('the names of tests', () => {
  it('have at most 80 characters', () => {
    const files = globSync('{test,proof}/**/*.test.ts', { cwd: root })
    const names = files.flatMap((file) => namesIn(read(file)))
    expect(names.length).toBeGreaterThan(4_000)
    expect(names.filter((name) => name.length > MAX_NAME_LENGTH)).toEqual([])
  })

  it('are found in calls with any quotes and with tables of values', () => {
    const file = `it('is a "name"', f)\n  it.each([['a', 'b']])("%s's name", f)\n  describe.skipIf(x)(\`many\`, f)\n`
    expect(namesIn(file)).toEqual(['is a "name"', "%s's name", 'many'])
  })
})

/** Returns a page's sentences: code and quoted texts count as one word, and link addresses do not count. */
function sentencesOf(page: string): string[] {
  const text = page
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '\n\n')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/“[^”]*”/g, 'quote')
  return text
    .replaceAll(/^\s*(?:[-*]|\d+\.) /gm, '\n\n')
    .replaceAll(/^\s*[#|<].*$/gm, (line) => `\n\n${line.replaceAll('|', '\n\n')}\n\n`)
    .split(/\n\s*\n/)
    .flatMap((block) =>
      block
        .replaceAll(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?][*_”"’)]*) /),
    )
}

/** Returns the places in a glossary's cell that do not exist; a place is a path, or the end of one. */
function placesOf(cell: string): string[] {
  const places = [...cell.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place.replace('*/', ''))
  const isThere = (place: string) =>
    existsSync(join(root, place)) || sources.some((path) => `/${path}`.endsWith(`/${place}`))
  return places.filter((place) => !place.includes('<') && !place.includes('*') && !isThere(place))
}

function namesIn(file: string): string[] {
  const each =
    /^\s*(?:it|test|describe)(?:\.\w+)*(?:\((?:\[[\s\S]*?\]|\w+)\))?\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/gm
  return [...file.matchAll(each)].map(([, single, double, template]) => single ?? double ?? template ?? '')
}
