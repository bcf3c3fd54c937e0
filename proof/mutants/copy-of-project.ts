import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceChange } from './mutant.ts'

/** A copy of the project and its packages, in which code is changed and restored. */
export class CopyOfProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'satchel-copy-'))
  /** The original contents of the changed files, by path. */
  readonly #before = new Map<string, string>()

  /** Copies these files and folders of `root`. */
  constructor(root: string, names: readonly string[]) {
    for (const name of names) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** Makes the changes, runs `work`, and restores the code. */
  async during<Result>(changes: readonly SourceChange[], work: () => Promise<Result>): Promise<Result> {
    try {
      for (const change of changes) this.#make(change)
      return await work()
    } finally {
      for (const [path, text] of this.#before) writeFileSync(path, text)
      this.#before.clear()
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #make({ file, text, instead }: SourceChange): void {
    const path = join(this.folder, file)
    const code = readFileSync(path, 'utf8')
    if (!this.#before.has(path)) this.#before.set(path, code)
    writeFileSync(
      path,
      code.replace(text, () => instead),
    )
  }
}
