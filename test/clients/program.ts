import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { untilItHolds } from '../support/until-it-holds.ts'
import { CLIENTS } from './run-python.ts'

/** A running program, and its output so far. */
export class Program {
  text = ''
  readonly #process: ChildProcessWithoutNullStreams
  /** Resolves to the program's exit code when it has ended. */
  readonly ended: Promise<number | null>

  constructor(command: string, file: string, env: Readonly<Record<string, string>>) {
    const around = { PATH: process.env.PATH, PYTHONPATH: join(CLIENTS, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
    this.#process = spawn(command, [join(CLIENTS, '..', file)], { env: { ...around, ...env } })
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on('data', (piece: Buffer) => {
        this.text += piece.toString()
      })
    }
    this.ended = new Promise((resolve) => this.#process.on('close', resolve))
  }

  /** Waits until the output matches; resolves to the first captured group. Rejects if the program ends first. */
  async says(pattern: RegExp): Promise<string> {
    await Promise.race([untilItHolds(() => pattern.test(this.text)), this.#tooEarly(pattern)])
    return pattern.exec(this.text)?.[1] ?? ''
  }

  async #tooEarly(pattern: RegExp): Promise<void> {
    const code = await this.ended
    if (!pattern.test(this.text)) throw new Error(`it ended with ${code} and never said ${pattern}: ${this.text}`)
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.ended
  }
}
