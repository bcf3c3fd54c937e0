/** A fault that a request meets instead of its normal answer. */
export type PlannedFault =
  /** Answers with 429 instead of carrying out the request. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number }
  /** Answers with this status instead of carrying out the request. */
  | { readonly kind: 'fail'; readonly status: number }
  /** Answers with one of Discord's error codes instead of carrying out the request. */
  | { readonly kind: 'refuse'; readonly status: number; readonly code: number; readonly message: string }
  /** Carries out the request, but breaks the connection before the answer. */
  | { readonly kind: 'lose-answer' }

/**
 * The requests that a fault concerns: those with this method, and with a path (without `/api/v10`) that matches the
 * pattern. Both are optional.
 */
export interface RequestMatch {
  readonly method?: string
  readonly path?: RegExp
  /** How many requests the fault concerns. By default, 1. */
  readonly times?: number
}

interface Planned {
  readonly fault: PlannedFault
  readonly match: RequestMatch
  left: number
}

/** The faults that a test has planned. Each applies to the next requests that match it. */
export class FaultPlan {
  #planned: Planned[] = []

  add(fault: PlannedFault, match: RequestMatch = {}): void {
    this.#planned.push({ fault, match, left: match.times ?? 1 })
  }

  /** Returns the fault for this request, and counts it as used; undefined if there is none. */
  take(method: string, path: string): PlannedFault | undefined {
    if (this.#planned.length === 0) return undefined
    const found = this.#planned.find(
      ({ match }) => (match.method ?? method) === method && (match.path?.test(path) ?? true),
    )
    if (found === undefined) return undefined
    found.left -= 1
    if (found.left === 0) this.#planned = this.#planned.filter((each) => each !== found)
    return found.fault
  }
}
