import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GENERATED_FOLDERS } from './rules.ts'

/**
 * The files whose lines count: all code that somebody reads and maintains, with its empty lines and comments. Texts
 * (JSON), pictures and recorded books do not count, and neither do generated files: Prisma's clients, and the files
 * derived for PostgreSQL.
 */
const CODE = /\.(?:ts|js|mjs|cjs|css|html|sql|prisma|sh|c|go|txt)$/
const WRITTEN_BY_PROGRAMS = [
  ...GENERATED_FOLDERS.map((name) => `/${name}/`),
  '/postgres/migrations/',
  '/postgres/schema.prisma',
]
/** The maximum number of lines of proof for each line of the product. */
const MAX_PROOF = 1.1
/** The maximum number of lines of the pages about proof and speed. */
const MAX_ON_PAGES = 300

export interface Weight {
  readonly product: number
  readonly proof: number
  readonly pages: number
}

/** Counts the lines of the product, of the proof around it, and of the pages about proof and speed. */
export function weigh(root: string): Weight {
  const count = (folders: readonly string[]) => folders.reduce((sum, folder) => sum + linesBelow(root, folder), 0)
  return {
    product: count(['src', 'prisma']),
    proof: count(['test', 'proof', 'scripts']),
    pages: linesOf(join(root, 'docs/RELIABILITY.md')) + linesOf(join(root, 'docs/PERFORMANCE.md')),
  }
}

/** Returns the figures as one line, and the limits that they break. */
export function judgeWeight({ product, proof, pages }: Weight): { figures: string; broken: string[] } {
  const [productText, proofText] = [product, proof].map((lines) => lines.toLocaleString('en'))
  const ratio = proof / product
  return {
    figures: `Product: ${productText} lines. Proof: ${proofText} lines, ${ratio.toFixed(2)} for each line of the product (${MAX_PROOF} at most).`,
    broken: [
      ...(ratio > MAX_PROOF
        ? [`test, proof and scripts: ${ratio.toFixed(3)} lines for each line of src and prisma, ${MAX_PROOF} at most`]
        : []),
      ...(pages > MAX_ON_PAGES ? [`the pages about proof and speed: ${pages} lines, ${MAX_ON_PAGES} at most`] : []),
    ],
  }
}

function linesBelow(root: string, folder: string): number {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => CODE.test(path) && !WRITTEN_BY_PROGRAMS.some((part) => path.includes(part)))
    .reduce((sum, path) => sum + linesOf(join(root, path)), 0)
}

function linesOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1
}
