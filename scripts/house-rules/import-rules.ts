import { ENTRY_FILES, MAY_IMPORT, PACKAGE_OWNERS, SELF_CONTAINED, TEST_FILES } from './rules.ts'
import { isBrowserCode, isWithin, type SourceFile } from './source-tree.ts'

/** The parts of package.json that the rules need. */
export interface PackageFacts {
  readonly scripts?: Readonly<Record<string, string>>
  /** The file that each command starts, by the command's name. */
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Finds imports against the direction between buildings, of files behind a public file, or of another building's
 * package.
 */
export function checkDirections(files: readonly SourceFile[], { dependencies = {} }: PackageFacts): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !isBrowserCode(path))
    .flatMap((file) => {
      const building = buildingOf(file.path)
      const allowed = MAY_IMPORT[building]
      if (allowed === undefined) return [`${file.path}: ${building} is no building of docs/ARCHITECTURE.md`]
      const astray = file.imports.filter((path) => !isWithin(path, [building, ...allowed]))
      const packages = file.packages.map(packageName)
      return [
        ...astray.map((path) => `${file.path}: ${building} may not import ${path}`),
        ...packages
          .filter((name) => PACKAGE_OWNERS[name] !== undefined && !isWithin(file.path, PACKAGE_OWNERS[name]))
          .map((name) => `${file.path}: only ${PACKAGE_OWNERS[name]?.join(', ')} may import ${name}`),
        ...packages
          .filter((name) => !name.startsWith('node:') && dependencies[name] === undefined)
          .map((name) => `${file.path}: ${name} is not among the dependencies in package.json`),
      ]
    })
}

/** Finds imports in self-contained folders of anything outside them. */
export function checkSelfContained(files: readonly SourceFile[]): string[] {
  return SELF_CONTAINED.flatMap((folder) =>
    files
      .filter(({ path }) => isWithin(path, [folder]))
      .flatMap(({ path, imports }) =>
        imports
          .filter((imported) => !isWithin(imported, [folder]))
          .map((imported) => `${path}: ${folder} judges what it may not know, and may not import ${imported}`),
      ),
  )
}

/** Returns the building of a file: the innermost one with its own rules. */
function buildingOf(path: string): string {
  const folders = path.split('/')
  const inner = folders.slice(0, 3).join('/')
  return MAY_IMPORT[inner] === undefined ? folders.slice(0, 2).join('/') : inner
}

/**
 * Returns the name of the package that an import is from: `name` for `name/inner`, `@scope/name` for
 * `@scope/name/inner`.
 */
function packageName(request: string): string {
  return request.split('/', request.startsWith('@') ? 2 : 1).join('/')
}

/** Finds files that no entry point reaches. */
export function checkDeadFiles(files: readonly SourceFile[], { scripts = {}, bin = {} }: PackageFacts): string[] {
  const started = [...Object.values(scripts), ...Object.values(bin)]
  const named = started.flatMap((script) => script.match(/\b(?:src|proof|scripts|test)\/[\w./-]+\.\w+/g) ?? [])
  const fromEntries = reach(files, (path) => ENTRY_FILES.test(path) || named.includes(path))
  const fromTests = reach(files, (path) => TEST_FILES.test(path) || named.includes(path))
  return files
    .filter(({ path }) => !isBrowserCode(path) && /\.(ts|js|mjs)$/.test(path) && !path.endsWith('.d.ts'))
    .filter(({ path }) => path.startsWith('test/') || !fromEntries.has(path))
    .filter(({ path }) => !/^(?:test|proof)\//.test(path) || !fromTests.has(path))
    .map(({ path }) => `${path}: a dead file: ${path.startsWith('test/') ? 'no test' : 'no entry point'} reaches it`)
}

function reach(files: readonly SourceFile[], isEntry: (path: string) => boolean): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = files.map(({ path }) => path).filter(isEntry)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    waiting.push(...(byPath.get(path)?.imports ?? []))
  }
  return reached
}
