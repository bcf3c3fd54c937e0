import { dirname } from 'node:path'
import { LAYERS, type Layer } from './layers.ts'
import { isBrowserCode, type SourceFile } from './source-tree.ts'

/** Finds files, except tests, that import each other in a circle, even for a type alone; reports each circle once. */
export function checkCircles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(
    files.map(({ path, imports, runtimeImports }) => [path, path.startsWith('test/') ? runtimeImports : imports]),
  )
  const found = circlesIn(byPath)
  return found.map((circle) => `${circle[0]}: imported in a circle: ${circle.join(' → ')}`)
}

/**
 * Finds folders of `src` whose files import each other in a circle, even for a type alone; reports each circle once,
 * with an import for each of its steps. A file at the top of a part counts as its own folder: the file that assembles a
 * part is above its rooms, even if all of them use it.
 */
export function checkFolderCircles(files: readonly SourceFile[]): string[] {
  const steps = new Map<string, Map<string, string>>()
  for (const { path, imports } of files.filter(({ path }) => path.startsWith('src/') && !isBrowserCode(path))) {
    const from = folderOf(path)
    const to = steps.get(from) ?? new Map<string, string>()
    steps.set(from, to)
    for (const imported of imports.filter((each) => !isBrowserCode(each) && folderOf(each) !== from)) {
      to.set(folderOf(imported), to.get(folderOf(imported)) ?? `${path} imports ${imported}`)
    }
  }
  return circlesIn(new Map([...steps].map(([from, to]) => [from, [...to.keys()]]))).map((circle) => {
    const evidence = circle.slice(1).map((to, i) => steps.get(circle[i] ?? '')?.get(to))
    return `${circle[0]}: folders in a circle: ${circle.join(' → ')} (${evidence.join('; ')})`
  })
}

function folderOf(path: string): string {
  return path.split('/').length === 3 ? path : dirname(path)
}

/** Returns every circle that a depth-first search closes, as its members, with the first one again at the end. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const trail: string[] = []
  const found: string[][] = []
  function visit(node: string): void {
    const at = trail.indexOf(node)
    if (at !== -1) found.push([...trail.slice(at), node])
    if (at !== -1 || done.has(node)) return
    trail.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    trail.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return found
}

/**
 * Finds imports from a layer into a higher one, or between rooms that may be connected only through lower layers.
 */
export function checkLayers(files: readonly SourceFile[]): string[] {
  return Object.entries(LAYERS).flatMap(([part, layers]) =>
    files
      .filter(({ path }) => path.startsWith(`${part}/`))
      .flatMap(({ path, imports }) => {
        const here = findRoom(part, layers, path)
        if (here === undefined) return [`${path}: no layer of ${part} has this room (scripts/house-rules/layers.ts)`]
        return imports
          .filter((imported) => imported.startsWith(`${part}/`))
          .map((imported) => ({ imported, there: findRoom(part, layers, imported) }))
          .filter(({ there }) => there !== undefined && !mayKnow(here, there))
          .map(({ imported, there }) => `${path}: ${here.layer.name} may not import ${imported} (${there?.layer.name})`)
      }),
  )
}

interface RoomInLayers {
  readonly room: string
  readonly layer: Layer
  readonly height: number
}

function findRoom(part: string, layers: readonly Layer[], path: string): RoomInLayers | undefined {
  const room = path.slice(part.length + 1).split('/')[0] ?? ''
  const height = layers.findIndex(({ rooms }) => rooms.includes(room))
  const layer = layers[height]
  return layer && { room, layer, height }
}

function mayKnow(here: RoomInLayers, there: RoomInLayers): boolean {
  if (here.height !== there.height || here.room === there.room) return here.height >= there.height
  return here.layer.apart === undefined || (here.layer.apart[here.room] ?? []).includes(there.room)
}
