import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, '../../src/cli')

/** One of the two programs as a process of its own, to be killed and started again. */
export class Victim {
  kills = 0
  readonly #program: string
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess | undefined

  /** `program` is a file of `src/cli`; `folder` is where it runs, so that no `.env` of this machine reaches it. */
  constructor(program: string, folder: string, environment: Readonly<Record<string, string>>) {
    this.#program = program
    this.#folder = folder
    this.#environment = environment
  }

  /** Of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts it; resolves when it says that it is up. Throws with what it said when it ends instead. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [join(SOURCES, this.#program)], {
      cwd: this.#folder,
      // Compiled once, and read from there by all who follow: half of a start is compiling.
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(this.#folder, 'compiled'), ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`${this.#program} ended with ${code ?? signal} before it was up: ${said}`)
    })
    ended.catch(() => undefined)
    await Promise.race([ended, spoke(child)])
  }

  /** Kills it as the system would, without a word: also while it is starting. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
    this.kills += 1
  }

  /** Asks it to stop. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
}

/** Its first words are that it is up; what follows is read and dropped. */
async function spoke(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('the process has no standard output')
  await once(child.stdout, 'data')
  child.stdout.resume()
}
