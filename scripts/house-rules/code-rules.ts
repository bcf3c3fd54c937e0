import { basename } from 'node:path'
import { visitorKeys } from 'oxc-parser'
import {
  DRAWER_NAME,
  FILE_NAME,
  MAX_LINES_IN_FILE,
  MAX_LINES_IN_FUNCTION,
  TEST_FUNCTIONS,
  TEST_SWITCHES,
  WORLD_OWNERS,
} from './rules.ts'
import { isBrowserCode, isWithin, type SourceFile } from './source-tree.ts'
import { checkOldName } from './word-rules.ts'

/** Finds files and folders with names that are not in kebab-case or that mean nothing. */
export function checkNames(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path }) => {
    const stems = path.split('/').map((part) => part.replace(/\..*$/, ''))
    return [
      ...(FILE_NAME.test(basename(path)) ? [] : [`${path}: the name is not kebab-case`]),
      ...stems.filter((stem) => DRAWER_NAME.test(stem)).map((stem) => `${path}: "${stem}" does not say what is inside`),
    ]
  })
}

/** Finds files that are too long. */
export function checkFileLengths(files: readonly SourceFile[]): string[] {
  return files
    .map(({ path, text, lineAt }) => ({ path, lines: lineAt(text.trimEnd().length) }))
    .filter(({ lines }) => lines > MAX_LINES_IN_FILE)
    .map(({ path, lines }) => `${path}: ${lines} lines, ${MAX_LINES_IN_FILE} at most`)
}

/** Finds long functions, uses of the outside world where they are not allowed, and skipped tests without a reason. */
export function checkCode(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (file.syntax === undefined) return []
    const rules = [checkFunction, checkOldName, ...(isTest(file) ? [checkTestSwitch] : [])]
    if (file.path.startsWith('src/') && !isBrowserCode(file.path)) rules.push(checkWorld)
    const found: string[] = file.path.startsWith('src/') ? checkWorldImports(file) : []
    walk(file.syntax.program as unknown as Syntax, undefined, (node, parent) => {
      for (const rule of rules) {
        const problem = rule(file, node, parent)
        if (problem !== undefined) found.push(`${file.path}:${file.lineAt(node.start)}: ${problem}`)
      }
    })
    return found
  })
}

function isTest({ path }: SourceFile): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts')
}

/** A node of the ESTree that oxc-parser makes, with the fields that these rules read. */
interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name?: string
  readonly callee?: Syntax
  readonly object?: Syntax
  readonly property?: Syntax
  readonly computed?: boolean
  readonly key?: Syntax
  readonly arguments?: readonly Syntax[]
}

function walk(
  node: Syntax,
  parent: Syntax | undefined,
  visit: (node: Syntax, parent: Syntax | undefined) => void,
): void {
  visit(node, parent)
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [(node as unknown as Record<string, unknown>)[key]].flat()) {
      if (child !== null && child !== undefined) walk(child as Syntax, node, visit)
    }
  }
}

function checkFunction(file: SourceFile, node: Syntax, parent: Syntax | undefined): string | undefined {
  if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return undefined
  const lines = file.lineAt(node.end) - file.lineAt(node.start) + 1
  const isChapter = parent?.type === 'CallExpression' && /^(describe|suite)\b/.test(textOf(file, parent.callee))
  if (lines <= MAX_LINES_IN_FUNCTION || (isChapter && isTest(file))) return undefined
  return `a function of ${lines} lines, ${MAX_LINES_IN_FUNCTION} at most`
}

function checkWorld(file: SourceFile, node: Syntax, parent: Syntax | undefined): string | undefined {
  const name = worldName(file, node, parent)
  return name === undefined ? undefined : trespass(file, name)
}

function checkWorldImports(file: SourceFile): string[] {
  if (isBrowserCode(file.path)) return []
  const timers = file.packages.filter((name) => name.startsWith('node:timers'))
  const fromCrypto = (file.syntax?.module.staticImports ?? [])
    .filter(({ moduleRequest }) => moduleRequest.value === 'node:crypto')
    .flatMap(({ entries }) => entries.map(({ importName }) => importName.name ?? ''))
  return [...timers, ...fromCrypto]
    .map((name) => trespass(file, name))
    .filter((problem) => problem !== undefined)
    .map((problem) => `${file.path}: ${problem}`)
}

function trespass(file: SourceFile, name: string): string | undefined {
  const owned = WORLD_OWNERS.find(({ names }) => names.includes(name))
  if (owned === undefined || isWithin(file.path, owned.owners)) return undefined
  return `${name}: only ${owned.owners.join(' and ')} may reach for ${owned.what}`
}

/** Returns the name of `Date.now`, `new Date()` or a bare `setTimeout`, but not of a property with the same name. */
function worldName(file: SourceFile, node: Syntax, parent: Syntax | undefined): string | undefined {
  if (node.type === 'NewExpression' && node.callee?.name === 'Date' && node.arguments?.length === 0) return 'new Date()'
  if (node.type === 'MemberExpression') return textOf(file, node).replace(/^globalThis\./, '')
  if (node.type !== 'Identifier') return undefined
  const isLabel = (parent?.property === node || parent?.key === node) && parent.computed !== true
  return isLabel || parent?.type === 'ImportSpecifier' ? undefined : node.name
}

function checkTestSwitch(file: SourceFile, node: Syntax): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const [subject, ...switches] = textOf(file, node).split('.')
  const last = switches.at(-1) ?? ''
  if (!TEST_FUNCTIONS.includes(subject ?? '') || !TEST_SWITCHES.includes(last)) return undefined
  const line = file.lineAt(node.start)
  const explained = file.syntax?.comments.some(({ start, end }) => {
    return file.lineAt(start) === line || file.lineAt(end) === line - 1
  })
  return explained ? undefined : `.${last} without a comment that says why`
}

function textOf(file: SourceFile, node: Syntax | undefined): string {
  return node === undefined ? '' : file.text.slice(node.start, node.end)
}
