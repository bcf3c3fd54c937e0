import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node'
import { slowdown } from '../../world/slowdown.ts'
import { readAlone } from './remembering.ts'
import { NOTHING_HAPPENS } from './waiting.ts'

/** Whatever a mutant has left behind is gone after so many. */
const MAX_RUNS = 25
/** Where tests took longer on an idle machine, something may have hung, and may hang on. */
const SLOW_MS = 3_000

type Listener = (value: unknown) => void

interface WorkerProcess {
  readonly worker: ForksPoolWorker
  runs: number
  /** A test of it has waited for what never comes, and what it has begun may be there still. */
  hung: boolean
}

let idle: WorkerProcess | undefined
let alone: ReadonlySet<string> | undefined

/**
 * A process for tests that stays for the next mutants: to load and compile takes longer than most tests do. A mutant that acts while
 * modules are loaded, or in a module that remembers something, has a process of its own.
 */
class ReusedWorker implements PoolWorker {
  readonly name = 'reused'
  readonly cacheFs = true
  readonly #options: PoolOptions
  readonly #listeners: [event: string, listener: Listener][] = []
  readonly #alone: boolean
  #own: WorkerProcess | undefined
  #begun = 0

  constructor(options: PoolOptions) {
    this.#options = options
    const { mode, mutantActivation, activeMutant } = options.project.getProvidedContext() as Record<string, unknown>
    this.#alone = mode !== 'mutant' || mutantActivation === 'static' || isAlone(String(activeMutant))
  }

  get #worker(): ForksPoolWorker {
    if (this.#own === undefined) throw new Error('The process of the tests has not been started.')
    return this.#own.worker
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#worker.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#worker.off(event, listener)
  }

  send(message: WorkerRequest): void {
    if (message.type === 'stop') this.#answer({ type: 'stopped', __vitest_worker_response__: true })
    else this.#worker.send(message)
  }

  /** Of a stop the process is told nothing: it would take down what the next mutant needs. */
  #answer(message: object): void {
    for (const [event, listener] of [...this.#listeners]) if (event === 'message') listener(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async start(): Promise<void> {
    const before = idle
    idle = undefined
    if (before !== undefined && this.#alone) await before.worker.stop()
    this.#own = this.#alone ? undefined : before
    if (this.#own === undefined) {
      const own = { worker: new ForksPoolWorker(this.#options), runs: 0, hung: false }
      this.#own = own
      await own.worker.start()
      own.worker.on('message', (message: unknown) => {
        if (tellsOfHanging(message)) own.hung = true
      })
    }
    this.#begun = performance.now()
  }

  async stop(): Promise<void> {
    const own = this.#own
    if (own === undefined) return
    for (const [event, listener] of this.#listeners.splice(0)) own.worker.off(event, listener)
    own.runs += 1
    const slow = performance.now() - this.#begun > SLOW_MS * slowdown()
    const stays = !this.#alone && own.runs < MAX_RUNS && !own.hung && !slow
    if (stays && idle === undefined) idle = own
    else await own.worker.stop()
  }
}

function isAlone(id: string): boolean {
  alone ??= readAlone(process.env.MUTATE_RECORD ?? '')
  return alone.has(id)
}

/** Whether a process says with it that a test waited for what never comes. Vitest's messages of ended tests have no type of their own. */
function tellsOfHanging(message: unknown): boolean {
  const { m: about, a: told } = message as { m?: unknown; a?: readonly unknown[] }
  if (about !== 'onTaskUpdate') return false
  const packs = (told?.[0] ?? []) as readonly [id: string, result?: { errors?: readonly { message?: string }[] }][]
  return packs.some(([, result]) => result?.errors?.some((error) => error.message?.includes(NOTHING_HAPPENS)))
}

/** For `poolRunner` in Vitest's settings. */
export const REUSED_WORKERS = { name: 'reused', createPoolWorker: (options: PoolOptions) => new ReusedWorker(options) }
