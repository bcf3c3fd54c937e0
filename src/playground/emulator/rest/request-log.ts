import type { RecordedRequest } from '../views.ts'

/** Remembers the bot's latest requests. */
export class RequestLog {
  readonly #kept: number
  #requests: RecordedRequest[] = []

  constructor(kept: number) {
    this.#kept = kept
  }

  add(request: RecordedRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > 2 * this.#kept) this.#requests = this.#requests.slice(-this.#kept)
  }

  all(): RecordedRequest[] {
    return this.#requests.slice(-this.#kept)
  }

  clear(): void {
    this.#requests = []
  }
}
