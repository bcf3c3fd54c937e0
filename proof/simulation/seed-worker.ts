import { type ChildProcess, fork } from 'node:child_process'
import { runSeed, type SeedResult } from './run-seed.ts'

/** A process that plays seeds, one after the other, with the code beside its entry file. */
export class SeedWorker {
  readonly #child: ChildProcess

  /**
   * Starts the process: `entry` is the simulate.ts to run, `template` a folder with databases that `makeTemplate` made,
   * or a database on a server.
   */
  constructor(entry: string, template: string, args: readonly string[]) {
    // Larger heaps collect a world's garbage less often. Code is compiled at its first use, since much of it runs in
    // every world. Prisma, in production, does not record which line made a query.
    const execArgv = ['--max-semi-space-size=64', '--always-sparkplug']
    const env = { ...process.env, NODE_ENV: 'production' }
    this.#child = fork(entry, ['--worker', template, ...args], { execArgv, env })
  }

  /** Plays one seed; `onLived` receives the number of steps so far. Rejects if the process ends first. */
  live(seed: string, onLived: (steps: number) => void): Promise<SeedResult> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) =>
        reject(new Error(`the process that lived through seed ${seed} ended with ${code}`))
      const onMessage = ({ lived, result }: Told) => {
        onLived(lived)
        if (result === undefined) return
        child.off('message', onMessage).off('exit', onExit)
        resolve(result)
      }
      child.on('message', onMessage).on('exit', onExit)
      child.send(seed)
    })
  }

  /** Ends the process once it has nothing left to do. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

type Told = { readonly lived: number; readonly result?: SeedResult }

const TOLD_EVERY_STEPS = 50

/** Runs in the process of a SeedWorker: plays each seed that the process receives, and reports the result. */
export function workThroughSeeds(life: {
  steps: number
  template: string
  complaintsFail: boolean
  faults: readonly string[] | undefined
}): void {
  process.on('message', async (seed: string) => {
    let told = 0
    const tell = (message: Told) => process.send?.(message)
    const onStep = (step: number) => {
      if (step - told < TOLD_EVERY_STEPS) return
      tell({ lived: step - told })
      told = step
    }
    const result = await runSeed({ ...life, seed, onStep })
    tell({ lived: result.steps - told, result })
  })
}
