/** A fault that replaces or follows the answer to a request. */
export type PlannedFault =
  /** A 429 without doing anything. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number }
  /** A 5xx without doing anything. */
  | { readonly kind: 'fail'; readonly status: number }
  /** One of Discord's codes without doing anything. */
  | { readonly kind: 'refuse'; readonly status: number; readonly code: number; readonly message: string }
  /** The request is carried out, but the connection breaks before the answer. */
  | { readonly kind: 'lose-answer' }

/** Matches requests by method and by a pattern over the path without `/api/v10`; both are optional. */
export interface RequestMatch {
  readonly method?: string
  readonly path?: RegExp
  /** The number of requests. Default: 1. */
  readonly times?: number
}

interface Planned {
  readonly fault: PlannedFault
  readonly match: RequestMatch
  left: number
}

/** Faults that a test has asked for. Each applies to the next requests that it matches. */
export class FaultPlan {
  #planned: Planned[] = []

  add(fault: PlannedFault, match: RequestMatch = {}): void {
    this.#planned.push({ fault, match, left: match.times ?? 1 })
  }

  /** Takes the fault for this request, and uses it up. */
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
