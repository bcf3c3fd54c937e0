import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One place of the code, and what stands there instead. */
export interface SourceChange {
  readonly file: string
  /** As it is written there, once. */
  readonly text: string
  readonly instead: string
}

/** What is wrong with places as they are written down: files that are not there, texts that are not there exactly once. */
export function misplaced(root: string, places: readonly Pick<SourceChange, 'file' | 'text'>[]): string[] {
  return places.flatMap(({ file, text }) => {
    const code = read(join(root, file))
    if (code === undefined) return [`${file} is not there; it should have this once: ${text}`]
    const times = code.split(text).length - 1
    return times === 1 ? [] : [`${file} has this ${times} times instead of once: ${text}`]
  })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
