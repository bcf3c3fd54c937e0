const WIDTH = 40
const EVERY_MS = 250

/** A progress bar on stderr, or a line now and then if stderr is not a terminal. */
export class Progress {
  readonly #total: number
  readonly #what: string
  readonly #began = performance.now()
  #done = 0
  #shownAt = 0

  constructor(total: number, what: string) {
    this.#total = total
    this.#what = what
  }

  add(count: number): void {
    this.#done += count
    const now = performance.now()
    const everyMs = process.stderr.isTTY ? EVERY_MS : 60_000
    if (now - this.#shownAt < everyMs) return
    this.#shownAt = now
    this.#show()
  }

  end(): void {
    this.#show()
    if (process.stderr.isTTY) process.stderr.write('\n')
  }

  #show(): void {
    const part = Math.min(this.#done / this.#total, 1)
    const perSecond = this.#done / ((performance.now() - this.#began) / 1_000)
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')
    const line = `${bar} ${Math.floor(part * 100)} %  ${this.#done} of ${this.#total} ${this.#what}, ${perSecond.toFixed(1)}/s`
    process.stderr.write(process.stderr.isTTY ? `\r${line}\x1b[K` : `${line}\n`)
  }
}
