/**
 * `npm run prove -- count`: the lines that stand around the product, as git knows them: all files of test, proof and scripts, data
 * included, and the pages about proof and speed. Exits with 1 where there are more than there should be.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const LIMITS = [
  { what: 'tests, proofs and scripts', of: ['test', 'proof', 'scripts'], most: 85_000 },
  { what: 'pages about proof and speed', of: ['docs/RELIABILITY.md', 'docs/PERFORMANCE.md'], most: 300 },
] as const

function linesOf(place: string): number {
  const list = execFileSync('git', ['ls-files', '-z', place], { cwd: root, encoding: 'utf8' })
  const files = list.split('\0').filter(Boolean)
  return files.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
}

const number = new Intl.NumberFormat('en')
console.log(`src: ${number.format(linesOf('src'))} lines`)
for (const { what, of, most } of LIMITS) {
  const parts = of.map((place) => ({ place, lines: linesOf(place) }))
  const sum = parts.reduce((all, { lines }) => all + lines, 0)
  const each = parts.map(({ place, lines }) => `${place} ${number.format(lines)}`).join(', ')
  console.log(`${what}: ${number.format(sum)} lines (${each}), ${number.format(most)} at most`)
  if (sum > most) process.exitCode = 1
}
