import { HttpProblem } from '../../lib/http/http-problem.ts'
import { type LogInError, type LogInErrorBody, logInErrors } from '../../payments-api/payments-api.ts'

/** The token endpoint's refusals, in the words of OAuth 2. */
export class LogInRefusal extends HttpProblem {
  constructor(code: LogInError, message: string, headers: Record<string, string> = {}) {
    super(logInErrors[code].status, code, message, headers)
    this.name = 'LogInRefusal'
  }
}

/** A problem as the token endpoint tells it: programs of OAuth 2 read `error`, those of the interface `code`. */
export function logInErrorBody(problem: HttpProblem): LogInErrorBody {
  const { message, code, status } = problem
  const error =
    code in logInErrors ? code : status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request'
  return { error, error_description: message.replaceAll('"', "'"), success: false, message, code }
}
