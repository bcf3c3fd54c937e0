/**
 * `npm run prove -- count`: the lines of code that stand around the product, as git knows them, for each line of it; and the pages about
 * proof and speed. Exits with 1 where there are more than there should be.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const CODE = /\.(?:ts|mts|mjs|js|css|txt)$/
/** Lines around the product for each line of it. */
const MAX_AROUND = 1.15
const MAX_ON_PAGES = 300

function linesOf(place: string, kind: RegExp): number {
  const list = execFileSync('git', ['ls-files', '-z', place], { cwd: root, encoding: 'utf8' })
  const files = list.split('\0').filter((file) => kind.test(file))
  return files.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
}

function count(what: string, places: readonly string[], kind = CODE): number {
  const parts = places.map((place) => ({ place, lines: linesOf(place, kind) }))
  const sum = parts.reduce((all, { lines }) => all + lines, 0)
  const number = new Intl.NumberFormat('en')
  const each = parts.map(({ place, lines }) => `${place} ${number.format(lines)}`).join(', ')
  console.log(`${what}: ${number.format(sum)} lines (${each})`)
  return sum
}

const product = count('the product', ['src', 'clients'])
const around = count('tests, proofs and scripts', ['test', 'proof', 'scripts']) / product
console.log(`${around.toFixed(2)} lines around each line of the product, ${MAX_AROUND} at most`)
const pages = count('pages about proof and speed', ['docs/RELIABILITY.md', 'docs/PERFORMANCE.md'], /\.md$/)
if (around > MAX_AROUND || pages > MAX_ON_PAGES) process.exitCode = 1
