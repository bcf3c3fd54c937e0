/**
 * Requests to send that the node receives only seconds after the connection broke. Until then it rightly says that it
 * knows no such payment. Outlives the processes that call the node.
 */
export class LateRequests {
  #left = 0

  /** Delays the next requests, besides those that chance delays. */
  delay(requests: number): void {
    this.#left = requests
  }

  /** Whether the current request is one of them. */
  take(): boolean {
    if (this.#left === 0) return false
    this.#left -= 1
    return true
  }
}
