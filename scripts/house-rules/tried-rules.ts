import { visitorKeys } from 'oxc-parser'
import { NOT_TRIED, TRIED_BY } from './not-tried.ts'
import { isWithin, type SourceFile } from './source-tree.ts'

/** The file that declares the bot's nouns. */
const TIPPING = 'src/tipping/tipping.ts'
const OPERATIONS = 'src/payments-api/operations.ts'

/** A node of the ESTree that oxc-parser makes, with the fields that this rule reads. */
interface Syntax {
  readonly type: string
  readonly name?: string
  readonly id?: Syntax
  readonly key?: Syntax
  readonly body?: { readonly body?: readonly Syntax[] } | readonly Syntax[]
  readonly object?: Syntax
  readonly property?: Syntax
  readonly computed?: boolean
  readonly shorthand?: boolean
  readonly properties?: readonly Syntax[]
  readonly typeAnnotation?: Syntax
  readonly typeName?: Syntax
}

/**
 * Checks that the simulation calls each verb of the bot (`noun.verb`) and each operation of the service
 * (`client.operation`), unless it is listed with a reason. Returns the verbs and operations that nobody calls, and the
 * exemptions without effect.
 */
export function checkTried(files: readonly SourceFile[], notTried = NOT_TRIED): string[] {
  const offered = [...verbsOf(files), ...operationsOf(files)]
  if (offered.length === 0) return []
  const called = callsOf(files.filter(({ path }) => isWithin(path, TRIED_BY)))
  const isExempt = (what: string) => what in notTried || `${what.split('.')[0]}.*` in notTried
  const untried = offered.filter((what) => !called.has(what) && !isExempt(what))
  const idle = Object.keys(notTried).filter((what) => {
    const meant = offered.filter((each) => each === what || what === `${each.split('.')[0]}.*`)
    return meant.length === 0 || meant.some((each) => called.has(each))
  })
  return [
    ...untried.map((what) => `proof/people: nobody there calls ${what}; add an actor, or the reason to not-tried.ts`),
    ...idle.map((what) => `scripts/house-rules/not-tried.ts: ${what} is exempt, and is called or does not exist`),
  ]
}

/** Returns `noun.verb` for every verb of every noun in the bot's public API. */
function verbsOf(files: readonly SourceFile[]): string[] {
  const interfaces = new Map<string, readonly Syntax[]>()
  for (const { path, syntax } of files) {
    if (!isWithin(path, ['src/tipping']) || syntax === undefined) continue
    each(syntax.program as unknown as Syntax, (node) => {
      if (node.type === 'TSInterfaceDeclaration' && !interfaces.has(node.id?.name ?? ''))
        interfaces.set(node.id?.name ?? '', membersOf(node))
    })
  }
  const nouns = files.some(({ path }) => path === TIPPING) ? (interfaces.get('Tipping') ?? []) : []
  return nouns.flatMap(({ key, typeAnnotation }) => {
    const type = typeAnnotation?.typeAnnotation?.typeName?.name ?? ''
    const verbs = (interfaces.get(type) ?? []).filter((member) => member.type === 'TSMethodSignature')
    return verbs.map((verb) => `${key?.name}.${verb.key?.name}`)
  })
}

/** Returns `client.operation` for every operation of the interface. */
function operationsOf(files: readonly SourceFile[]): string[] {
  const file = files.find(({ path }) => path === OPERATIONS)
  const found: string[] = []
  if (file?.syntax === undefined) return found
  each(file.syntax.program as unknown as Syntax, (node) => {
    if (node.type === 'ObjectExpression')
      found.push(...(node.properties ?? []).flatMap(({ key }) => (key?.name === undefined ? [] : `client.${key.name}`)))
  })
  return found
}

/** Returns every `noun.verb` in these files, even after another name, as in `tipping.tips.ask`. */
function callsOf(files: readonly SourceFile[]): Set<string> {
  const called = new Set<string>()
  for (const { syntax } of files) {
    if (syntax === undefined) continue
    each(syntax.program as unknown as Syntax, ({ type, object, property, computed }) => {
      if (type !== 'MemberExpression' || computed) return
      const noun = object?.type === 'MemberExpression' ? object.property?.name : object?.name
      called.add(`${noun}.${property?.name}`)
    })
  }
  return called
}

function membersOf({ body }: Syntax): readonly Syntax[] {
  return Array.isArray(body) ? body : ((body as { readonly body?: readonly Syntax[] } | undefined)?.body ?? [])
}

function each(node: Syntax, visit: (node: Syntax) => void): void {
  visit(node)
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [(node as unknown as Record<string, unknown>)[key]].flat()) {
      if (child !== null && child !== undefined) each(child as Syntax, visit)
    }
  }
}
