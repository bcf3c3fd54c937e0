import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAY_NAME_OLD_WORDS, OLD_EXACT_NAMES, OLD_NAMES, OLD_PREFIXES, OLD_TEXTS, STORED_VALUES } from './old-words.ts'
import type { SourceFile } from './source-tree.ts'

/** The parts that every file has, whether or not it is code. */
type Readable = Pick<SourceFile, 'path' | 'text'>

/** Finds texts with a word that the glossary has replaced, in code, documents and database schemas. */
export function checkOldTexts(root: string, files: readonly SourceFile[]): string[] {
  const documents: Readable[] = globSync(['*.md', 'docs/**/*.md', 'prisma/*/schema.prisma'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return [...files, ...documents].filter(mustSpeakNew).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      OLD_TEXTS.filter(({ old }) => old.test(line)).map(({ old, now }) => {
        const [word = ''] = old.exec(line) ?? []
        return `${path}:${index + 1}: ${advice(word, now)}`
      }),
    ),
  )
}

interface Named {
  readonly type: string
  readonly name?: string
  readonly key?: unknown
}

/** Returns the fault if a name in the code contains a word that the glossary has replaced. */
export function checkOldName(file: SourceFile, node: Named, parent: Named | undefined): string | undefined {
  if (!/^(Private)?Identifier$/.test(node.type) || node.name === undefined || !mustSpeakNew(file)) return undefined
  if (parent?.type === 'Property' && parent.key === node && STORED_VALUES.includes(node.name)) return undefined
  const now = insteadOf(node.name)
  return now === undefined ? undefined : advice(node.name, now)
}

function mustSpeakNew({ path }: Readable): boolean {
  return !MAY_NAME_OLD_WORDS.includes(path)
}

function advice(word: string, now: string): string {
  return `"${word}" is an old word; say ${now} (docs/GLOSSARY.md)`
}

function insteadOf(name: string): string | undefined {
  if (Object.hasOwn(OLD_EXACT_NAMES, name)) return OLD_EXACT_NAMES[name]
  const prefix = Object.keys(OLD_PREFIXES).find(
    (each) => name.startsWith(each) && /^[A-Z]/.test(name.slice(each.length)),
  )
  if (prefix !== undefined) return OLD_PREFIXES[prefix]
  const words = name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())
  return OLD_NAMES.find((old) => old.words.some((word) => words.includes(word)))?.now
}
