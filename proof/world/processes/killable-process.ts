import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { COMPILED } from './compiled.ts'

const SOURCES = join(import.meta.dirname, '../../../src/cli')
/** How many characters of its last output are in the error when a process ends on its own. */
const LAST_WORDS = 4_000

interface Running {
  readonly child: ChildProcess
  said: string
}

/** A program of `src/cli` as a separate process, to be killed and restarted. It must not end on its own. */
export class KillableProcess {
  kills = 0
  readonly #program: string
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #isUp: RegExp
  readonly #args: readonly string[]
  #running: Running | undefined
  #discarded = false

  /**
   * Prepares a process, without starting it. `program` is a file of `src/cli`; `folder` is where the program runs, so
   * that it does not read this machine's `.env`. `isUp` matches the standard output of a process that is up; by
   * default, any output does. Errors do not count.
   */
  constructor(
    program: string,
    folder: string,
    environment: Readonly<Record<string, string>>,
    isUp = /./,
    args: readonly string[] = [],
  ) {
    this.#isUp = isUp
    this.#args = args
    this.#program = program
    this.#folder = folder
    this.#environment = environment
  }

  /** The process's id; undefined without a process. */
  get pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** All output since the last start. */
  get said(): string {
    return this.#running?.said ?? ''
  }

  /**
   * Starts the process. Resolves when the process reports that it is up. Rejects with its output if it ends instead.
   */
  async start(): Promise<void> {
    if (this.#discarded) throw new Error(`${this.#program} is not started any more`)
    const child = spawn(process.execPath, [join(SOURCES, this.#program), ...this.#args], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH ?? '', ...COMPILED, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const running: Running = { child, said: '' }
    this.#running = running
    const up = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        running.said += chunk
        if (stream === child.stdout && this.#isUp.test(running.said)) up.resolve()
      })
    }
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${this.#endOf(running)} before it was up`)
    })
    ended.catch(() => undefined)
    await Promise.race([ended, up.promise])
  }

  /**
   * Kills the process without warning, as the system would, even while it is starting. Rejects if it was dead already.
   */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
    this.kills += 1
  }

  /**
   * Resolves to the process's exit code and last output when it ends on its own, or to undefined if it still runs after
   * `timeoutMs`.
   */
  async endsByItself(timeoutMs: number): Promise<{ code: number | null; lastWords: string } | undefined> {
    const running = this.#running
    if (running === undefined) throw new Error(`${this.#program} does not run`)
    const { child } = running
    if (child.exitCode === null && child.signalCode === null) {
      const timeout = AbortSignal.timeout(timeoutMs)
      await once(child, 'close', { signal: timeout }).catch(() => undefined)
    }
    if (child.exitCode === null && child.signalCode === null) return undefined
    this.#running = undefined
    return { code: child.exitCode, lastWords: running.said.slice(-LAST_WORDS) }
  }

  /** Stops the process with SIGTERM, if it was started. Rejects if it was dead already, or ends with an error. */
  async stop(): Promise<void> {
    if (this.#running !== undefined) await this.#end('SIGTERM')
  }

  /** Ends the process for good, in any state. */
  async discard(): Promise<void> {
    this.#discarded = true
    if (this.#running !== undefined) await this.#end('SIGKILL').catch(() => undefined)
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const running = this.#running
    if (running === undefined) throw new Error(`${this.#program} does not run`)
    this.#running = undefined
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${this.#endOf(running)} by itself`)
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    const asTold = signal === 'SIGKILL' ? child.signalCode === signal : child.exitCode === 0
    if (!asTold) throw new Error(`${this.#endOf(running)}, and not by our ${signal}`)
  }

  #endOf({ child: { exitCode, signalCode }, said }: Running): string {
    const lastWords = said.slice(-LAST_WORDS).trim() || 'none'
    return `${this.#program} ended with ${exitCode ?? signalCode} (its last words: ${lastWords})`
  }
}
