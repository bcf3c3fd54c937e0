/**
 * The requests to send that the node receives only seconds after the connection broke, and until then rightly does not
 * know. This object outlives the processes that call the node.
 */
export class LateRequests {
  #left = 0

  /** Delays the next `requests` requests, besides those that chance delays. */
  delay(requests: number): void {
    this.#left = requests
  }

  /** Returns whether to delay the current request, and counts this delay. */
  take(): boolean {
    if (this.#left === 0) return false
    this.#left -= 1
    return true
  }
}
