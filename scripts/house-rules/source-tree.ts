import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'
import { BROWSER_CODE, CHECKED_EXTENSIONS, CHECKED_FOLDERS, GENERATED_FOLDERS } from './rules.ts'

export interface SourceFile {
  /** The file's path, relative to the project's folder, with `/`. */
  readonly path: string
  readonly text: string
  /** The parsed text, or undefined for a file that is not TypeScript or JavaScript. */
  readonly syntax: ParseResult | undefined
  /** The paths of the files of ours that this file imports (types too) or hands to a worker. */
  readonly imports: readonly string[]
  /** The imports that remain when the program runs: all but those of types alone. */
  readonly runtimeImports: readonly string[]
  /** The names of the packages and of Node's modules that this file imports. */
  readonly packages: readonly string[]
  /** Returns the line, counted from 1, of a position in the text. */
  lineAt(position: number): number
}

/** Reads and parses every checked file under `root`. Throws if a file cannot be parsed. */
export function readSourceTree(root: string): SourceFile[] {
  return CHECKED_FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && CHECKED_EXTENSIONS.some((extension) => entry.name.endsWith(extension)))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.split('/').some((name) => GENERATED_FOLDERS.includes(name)))
    .sort()
    .map((path) => readSourceFile(root, path))
}

/** Returns whether a path is one of these files, or is in one of these folders. */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`))
}

export function isBrowserCode(path: string): boolean {
  return isWithin(path, BROWSER_CODE)
}

function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const syntax = /\.(ts|js|mjs)$/.test(path) ? parseSync(path, text) : undefined
  const [problem] = syntax?.errors ?? []
  if (problem !== undefined) throw new Error(`${path}: ${problem.message}`)
  const requests = syntax === undefined ? [] : requestsOf(syntax, text)
  const ours = (names: readonly string[]) => [
    ...new Set(names.filter((name) => name.startsWith('.')).map((name) => posix.join(dirname(path), name))),
  ]
  const packages = requests.filter((name) => /^[@\w]/.test(name))
  return {
    path,
    text,
    syntax,
    imports: ours(requests),
    runtimeImports: syntax === undefined ? [] : ours(requestsOf(syntax, text, { types: false })),
    packages: [...new Set(packages)],
    lineAt: lineCounter(text),
  }
}

/**
 * Returns the module names that the file requests: imports, re-exports, dynamic imports and `new URL('./worker.ts',
 * import.meta.url)`.
 */
function requestsOf({ module }: ParseResult, text: string, { types }: { types: boolean } = { types: true }): string[] {
  const counts = (entry: { isType: boolean }) => types || !entry.isType
  const named = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(counts))
    .map(({ moduleRequest }) => moduleRequest.value)
  const again = module.staticExports.flatMap(({ entries }) =>
    entries.filter(counts).map((entry) => entry.moduleRequest?.value),
  )
  const late = module.dynamicImports.map(({ moduleRequest: { start, end } }) => literal(text.slice(start, end)))
  const urls = [...text.matchAll(/new URL\(\s*(['"])(\.{1,2}\/[^'"]+\.ts)\1,\s*import\.meta\.url/g)].map(
    (match) => match[2],
  )
  return [...named, ...again, ...late, ...urls].filter((name) => name !== undefined)
}

function literal(source: string): string | undefined {
  return /^(['"`])(.*)\1$/.exec(source)?.[2]
}

function lineCounter(text: string): (position: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (position) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
