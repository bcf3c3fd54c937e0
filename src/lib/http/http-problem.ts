/**
 * A refusal that a handler throws, and that the HTTP server converts to the error format
 * `{"success":false,"message":…,"code":…}`.
 */
export class HttpProblem extends Error {
  /** The HTTP status, 400 to 599. */
  readonly status: number
  /** A stable code in snake_case, for programs. */
  readonly code: string
  /** Extra response headers, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  /** Creates a refusal. `message` is a sentence for a person: what is wrong and what to do. */
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'HttpProblem'
    this.status = status
    this.code = code
    this.headers = headers
  }

  /** Returns the response's body. */
  toBody(): ProblemBody {
    return { success: false, message: this.message, code: this.code }
  }
}

/** The format of every failure. */
export interface ProblemBody {
  readonly success: false
  readonly message: string
  readonly code: string
}
