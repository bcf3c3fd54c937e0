import type { ShownMutant } from './mutant.ts'

/** Why no test notices some changes of one line, nor need notice them. */
export interface Explained {
  readonly file: string
  /** The line as it is written, without the space before it. */
  readonly code: string
  /** What stands there and what stands there instead, with single spaces: as `npm run prove -- mutate` shows it. */
  readonly changes: readonly string[]
  readonly because: string
}

export function explains({ file, code, changes }: Explained, mutant: ShownMutant): boolean {
  return file === mutant.file && code === mutant.code && changes.includes(mutant.change)
}

/** Explanations whose line is not there any more: what they were about may be noticed by now, or need another reason. */
export function outdated(explanations: readonly Explained[], read: (file: string) => string): string[] {
  return explanations
    .filter(({ file, code }) => {
      const lines = read(file).split('\n')
      return !lines.some((line) => line.trim() === code)
    })
    .map(({ file, code }) => `${file} has no such line any more, so take its explanation out: ${code}`)
}
