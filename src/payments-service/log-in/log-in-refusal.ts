import { HttpProblem } from '../../lib/http/http-problem.ts'
import { type LogInError, type LogInErrorBody, logInErrors } from '../../payments-api/payments-api.ts'

/** A refusal of the token endpoint, in OAuth 2's terms. */
export class LogInRefusal extends HttpProblem {
  constructor(code: LogInError, message: string, headers: Record<string, string> = {}) {
    super(logInErrors[code].status, code, message, headers)
    this.name = 'LogInRefusal'
  }
}

/**
 * Converts a problem to the token endpoint's body: OAuth 2 programs read `error`, this interface's programs read
 * `code`.
 */
export function logInErrorBody(problem: HttpProblem): LogInErrorBody {
  const { message, code, status } = problem
  const error =
    code in logInErrors ? code : status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request'
  return { error, error_description: message.replaceAll('"', "'"), success: false, message, code }
}
