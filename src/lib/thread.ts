import { parentPort, Worker, workerData } from 'node:worker_threads'

/** A thread's jobs by name. Each job takes one argument and returns a value that can be copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: each job has an argument of its own
export type Jobs = Readonly<Record<string, (argument: any) => Promise<unknown>>>

/** A thread that does work for this one, which stays free meanwhile. */
export interface Thread<Own extends Jobs> {
  /**
   * Runs a job. Throws an error with the message, code and path of the job's error, or one that says that the thread
   * ended.
   */
  ask<Name extends keyof Own & string>(
    job: Name,
    argument: Parameters<Own[Name]>[0],
  ): Promise<Awaited<ReturnType<Own[Name]>>>
  /** Ends the thread, even during a job. */
  close(): Promise<void>
}

interface Question {
  readonly id: number
  readonly job: string
  readonly argument: unknown
}

type Reply =
  | { readonly id: number; readonly value: unknown }
  /** The failure of a job. A copied error loses its code and paths, so these are sent separately. */
  | { readonly id: number; readonly error: unknown; readonly facts: Facts }

/** What SQLite and the file system state about an error in addition to its message. */
type Facts = Partial<Record<'code' | 'path' | 'dest', string>>

/**
 * Creates a thread that runs `module`, which calls `serveThread`. The thread starts with the first job, and starts
 * again if it has ended. It does not keep the process alive.
 */
export function startThread<Own extends Jobs>(module: URL, data: unknown): Thread<Own> {
  let running: Worker | undefined
  let closed = false
  let asked = 0
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()

  function begin(): Worker {
    const worker = new Worker(module, { workerData: data })
    worker.unref()
    const ended = (why: unknown) => {
      if (running === worker) running = undefined
      const error = new Error(`the thread ended before it answered: ${String(why)}`)
      for (const each of waiting.values()) each.reject(error)
      waiting.clear()
    }
    worker.on('error', ended)
    worker.on('exit', (code) => ended(`exit code ${code}`))
    worker.on('message', (answer: Reply) => {
      const each = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) each?.reject(Object.assign(Object(answer.error), answer.facts))
      else each?.resolve(answer.value)
    })
    return worker
  }

  return {
    async ask(job, argument) {
      if (closed) throw new Error('the thread is closed')
      running ??= begin()
      asked += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(asked, answer)
      running.postMessage({ id: asked, job, argument } satisfies Question)
      return (await answer.promise) as never
    },
    async close() {
      closed = true
      await running?.terminate()
    },
  }
}

/**
 * Runs the jobs that the starting thread requests. `make` receives the data from `startThread`, and returns the jobs.
 */
export function serveThread<Data>(make: (data: Data) => Jobs): void {
  const port = parentPort
  if (port === null) throw new Error('this module must be run as a thread')
  const jobs = make(workerData as Data)
  port.on('message', ({ id, job, argument }: Question) => {
    const done = Promise.try(jobs[job] ?? unknownJob, argument)
    done.then(
      (value) => port.postMessage({ id, value }),
      (error: unknown) => port.postMessage({ id, error, facts: factsOf(error) } satisfies Reply),
    )
  })
}

async function unknownJob(): Promise<never> {
  throw new Error('the thread has no such job')
}

function factsOf(error: unknown): Facts {
  const { code, path, dest } = Object(error) as Facts
  return {
    ...(code !== undefined && { code }),
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  }
}
