/** A change of the code, as Stryker describes it to its plugins. Lines and columns count from 0. */
export interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: { readonly start: Position; readonly end: Position }
}

export interface Position {
  readonly line: number
  readonly column: number
}

/** What tells a mutant from all others: not its number nor its folder, which change from run to run. */
export function nameOf({ fileName, mutatorName, replacement, location: { start, end } }: Mutant): string {
  const file = fileName.replace(/^.*?(?=src\/)/, '')
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n')
}

/** A mutant as the code shows it. */
export interface ShownMutant {
  /** From the project's root. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The line in which it begins, trimmed. */
  readonly code: string
  /** What stands there and what stands there instead, as `from => to`, with single spaces. */
  readonly change: string
}

export function fileOf(name: string): string {
  return name.split('\n', 1)[0] ?? ''
}

/** Finds a mutant in the text of its file, by its name. */
export function showMutant(name: string, text: string): ShownMutant {
  const [file = '', startLine, startColumn, endLine, endColumn, , ...replacement] = name.split('\n')
  const [from, to] = [Number(startLine), Number(endLine)]
  const lines = text.split('\n').slice(from, to + 1)
  const code = (lines[0] ?? '').trim()
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, Number(endColumn))
  lines[0] = (lines[0] ?? '').slice(Number(startColumn))
  const change = `${lines.join('\n')} => ${replacement.join('\n')}`.replaceAll(/\s+/g, ' ')
  return { file, line: from + 1, code, change }
}
