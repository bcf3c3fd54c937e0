/**
 * Requests to send that the node hears only seconds after the connection broke: meanwhile it says, and rightly so, that it
 * knows no such payment. Outlives the processes that ask the node.
 */
export class LateRequests {
  #left = 0

  /** Next requests that are heard late, besides those that chance makes late. */
  delay(requests: number): void {
    this.#left = requests
  }

  /** Whether the request that is made now is one of them. */
  take(): boolean {
    if (this.#left === 0) return false
    this.#left -= 1
    return true
  }
}
