import type { RecordedRequest } from '../views.ts'

/** Remembers the bot's latest requests. */
export class RequestLog {
  readonly #retained: number
  #requests: RecordedRequest[] = []

  constructor(retained: number) {
    this.#retained = retained
  }

  add(request: RecordedRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > 2 * this.#retained) this.#requests = this.#requests.slice(-this.#retained)
  }

  all(): RecordedRequest[] {
    return this.#requests.slice(-this.#retained)
  }

  clear(): void {
    this.#requests = []
  }
}
