import { z } from 'zod'
import { type LogInEndpoint, type LogInError, logInEndpoints, logInErrors, tokenAnswer, tokenBody } from './log-in.ts'

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

const errorSchema = z
  .object({
    error: z.enum(Object.keys(logInErrors) as LogInError[]),
    error_description: z.string().describe('A sentence for people.'),
    success: z.literal(false),
    message: z.string().describe('The same sentence as `error_description`.'),
    code: z.string().describe('The code of the error: the same word as `error`, or a code of the interface.'),
  })
  .describe('An error of the token endpoint: OAuth 2 and the error shape in one.')

/** The schemas that the log-in addresses refer to, by name. */
export const logInSchemas: ReadonlyArray<readonly [string, z.ZodObject]> = [
  ['RequestTokenRequest', tokenBody],
  ['RequestTokenResponse', tokenAnswer],
  ['LogInError', errorSchema],
]

/** Returns the path and the OpenAPI description of each log-in address that is not an operation. */
export function describeLogIn(): ReadonlyArray<readonly [path: string, described: Json]> {
  return logInEndpoints.map((endpoint) => [endpoint.path, { [endpoint.verb.toLowerCase()]: describe(endpoint) }])
}

function describe({ name, family, summary, description, fields, answer, errors }: LogInEndpoint): Json {
  const about = { operationId: name, tags: [family], summary, description, security: [] }
  if (answer === undefined) {
    const page = { description: 'A page for the user.', content: { 'text/html': { schema: { type: 'string' } } } }
    const back = { description: `Back to the program, with \`error\`: ${listed(errors)}` }
    const said = { description: 'Not for this caller, or too often: a page says so.' }
    const responses = { 200: page, 303: back, 400: page, 403: said, 429: said }
    return { ...about, parameters: parametersOf(fields), responses }
  }
  const schema = { $ref: '#/components/schemas/RequestTokenRequest' }
  return {
    ...about,
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
    },
    responses: {
      200: {
        description: 'Success.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/RequestTokenResponse' } } },
      },
      ...refused(errors),
    },
  }
}

function parametersOf(fields: z.ZodObject): Json[] {
  return Object.entries(fields.shape).map(([name, field]) => {
    const { $schema: _schema, description, ...schema } = z.toJSONSchema(field, { io: 'input' })
    return { name, in: 'query', required: !z.safeParse(field, undefined).success, description, schema }
  })
}

/**
 * Returns the error answers by status: those of the given errors, and those that any operation with a body may have.
 */
function refused(errors: readonly LogInError[]): Json {
  const statuses = [...new Set(errors.map((error) => logInErrors[error].status)), 403, 408, 413, 415, 429, 503]
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/LogInError' } } }
  return Object.fromEntries(
    statuses.map((status) => {
      const own = errors.filter((error) => logInErrors[error].status === status)
      return [status, { description: own.length === 0 ? 'Refused; nothing was exchanged.' : listed(own), content }]
    }),
  )
}

function listed(errors: readonly LogInError[]): string {
  return errors.map((error) => `\`${error}\`: ${logInErrors[error].meaning}`).join(' ')
}
