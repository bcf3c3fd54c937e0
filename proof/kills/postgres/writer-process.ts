import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Question, WithoutId, WriterAnswer } from './writer.ts'

/** A writer process that is killed and restarted. */
export class WriterProcess {
  kills = 0
  /** The number of times that the process ended on its own because a COMMIT's outcome was unknown. */
  endedItself = 0
  /** The number of refused starts, by the reason for the refusal. */
  readonly refusals = new Map<string, number>()
  readonly #url: () => string
  #child: ChildProcess | undefined
  #ready = false
  #closed = false
  #lastWords = ''
  #questions: Question[] = []
  #nextId = 0
  readonly #waiting = new Map<number, (answer: WriterAnswer | undefined) => void>()
  #life: Promise<void> | undefined

  constructor(url: () => string) {
    this.#url = url
  }

  get ready(): boolean {
    return this.#ready
  }

  /** Starts the process, and restarts it whenever it ends. */
  begin(): void {
    this.#life = this.#live()
  }

  /** Resolves to the process's answer; undefined if the process dies before it has answered. */
  ask(question: WithoutId<Question>): Promise<WriterAnswer | undefined> {
    if (!this.#ready) return Promise.resolve(undefined)
    this.#nextId += 1
    const id = this.#nextId
    this.#questions.push({ ...question, id } as Question)
    if (this.#questions.length === 1) setImmediate(() => this.#send())
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  kill(): void {
    if (this.#child?.kill('SIGKILL')) this.kills += 1
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#child?.kill('SIGKILL')
    await this.#life
  }

  async #live(): Promise<void> {
    while (!this.#closed) {
      const child = fork(join(import.meta.dirname, 'writer.ts'), [this.#url()], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      this.#child = child
      this.#lastWords = ''
      child.stderr?.on('data', (chunk) => {
        this.#lastWords = `${this.#lastWords}${chunk}`.slice(-2_000)
      })
      child.on('message', (answers: readonly WriterAnswer[]) => this.#hear(answers))
      // A request to a process that has just died gets no answer, like any other.
      child.on('error', () => undefined)
      const [code] = (await once(child, 'close')) as [number | null]
      this.#note(code)
      this.#ready = false
      for (const [id, resolve] of this.#waiting) {
        this.#waiting.delete(id)
        resolve(undefined)
      }
      if (!this.#closed) await pause(100)
    }
  }

  #note(code: number | null): void {
    if (code === null || this.#closed) return
    if (/while a change was committed/.test(this.#lastWords)) this.endedItself += 1
    else {
      const why = this.#lastWords.trim().replaceAll(/postgresql:\S+/g, '…')
      this.refusals.set(why, (this.refusals.get(why) ?? 0) + 1)
    }
  }

  #hear(answers: readonly WriterAnswer[]): void {
    this.#ready = true
    for (const answer of answers) {
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    }
  }

  #send(): void {
    const questions = this.#questions
    this.#questions = []
    if (this.#child?.connected) this.#child.send(questions, () => undefined)
  }
}
