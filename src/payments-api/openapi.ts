import { z } from 'zod'
import { eventStream, signedEvent } from './event-stream.ts'
import { describeLogIn, logInSchemas } from './openapi-log-in.ts'
import { CALLBACKS_TAG, callbackSchemas, describeWebhooks } from './openapi-webhooks.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { type RefusalCode, refusals } from './refusals.ts'

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

export interface OpenApiInfo {
  readonly version: string
  /** The service's address, such as `https://pay.example.com`. */
  readonly serverUrl: string
}

/**
 * Builds the interface's OpenAPI 3.1 document from the declarations that also validate the service's requests and type
 * the client, so the document, the service and the client always agree.
 */
export function openApiDocument(info: OpenApiInfo): Json {
  const declared: readonly Operation[] = Object.values(operations)
  const schemas = schemasOf(declared)
  const paths: Record<string, Json> = {}
  for (const operation of declared) {
    paths[operation.path] = { ...paths[operation.path], [operation.verb.toLowerCase()]: describe(operation) }
  }
  for (const [path, described] of describeLogIn()) paths[path] = { ...paths[path], ...described }
  paths[eventStream.path] = { get: describeStream() }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lightning payments',
      version: info.version,
      description:
        'Send and receive Bitcoin Lightning payments. Every amount is a string of millisatoshis; every time is ISO 8601 UTC. Operations and fields marked additive go beyond the common interface.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ apikey: [] }],
    tags: [...new Set(declared.map((operation) => operation.family)), CALLBACKS_TAG].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'Names the project and its wallet.' },
      },
      parameters: { IdempotencyKey: idempotencyKey },
      headers: { AmountLimit: amountLimit, IdempotencyReplayed: idempotencyReplayed, RetryAfter: retryAfter },
      schemas,
    },
  }
}

function describe(operation: Operation): Json {
  const parameters: Json[] = Object.keys(operation.params.shape).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...parameter(operation, operation.params, name),
  }))
  for (const name of Object.keys(operation.query?.shape ?? {}))
    parameters.push({ name, in: 'query', required: false, ...parameter(operation, operation.query, name) })
  for (const name of Object.keys(operation.headers?.shape ?? {}))
    parameters.push({ name, in: 'header', required: true, ...parameter(operation, operation.headers, name) })
  if (operation.verb === 'POST') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return {
    operationId: operation.name,
    tags: [operation.family],
    summary: operation.summary,
    description: `${operation.description}\n\nNeeds a key with the scope \`${operation.scope}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: reference(`${title(operation)}Request`), example: example(operation.body) },
        },
      },
    }),
    responses: { 200: success(operation), ...refusalsByStatus(operation) },
  }
}

/** Describes the stream of events, whose answer does not have one of the interface's envelopes. */
function describeStream(): Json {
  const { name, summary, description, scope, lastEventId } = eventStream
  return {
    operationId: name,
    tags: [CALLBACKS_TAG],
    summary,
    description: `${description}\n\nNeeds a key with the scope \`${scope}\`.`,
    parameters: [
      { name: 'Last-Event-ID', in: 'header', required: false, description: lastEventId, schema: { type: 'string' } },
    ],
    responses: {
      200: {
        description: 'A stream of server-sent events. The `data` of each is a SignedEvent, as JSON in one line.',
        content: { 'text/event-stream': { schema: reference('SignedEvent') } },
      },
      ...refusalsByStatus(eventStream),
    },
  }
}

function success(operation: Operation): Json {
  const headers = { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }
  return {
    description: 'Success.',
    ...(operation.verb === 'POST' && { headers }),
    content: {
      'application/json': { schema: reference(`${title(operation)}Response`) },
      ...(operation.csv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  }
}

/** Returns one response for each status of an operation's refusals, with an example for each code. */
function refusalsByStatus(operation: Pick<Operation, 'refusals'>): Json {
  const codes = new Map<number, RefusalCode[]>()
  for (const code of new Set(operation.refusals)) {
    const { status } = refusals[code]
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  return Object.fromEntries([...codes].map(([status, of]) => [status, refused(status, of)]))
}

function refused(status: number, codes: readonly RefusalCode[]): Json {
  const waits = status === 429 || codes.includes('still_running')
  const limits = codes.some((code) => code === 'amount_too_high' || code === 'amount_too_low')
  const headers = {
    ...(waits && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    ...(limits && { 'X-Amount-Limit': { $ref: '#/components/headers/AmountLimit' } }),
  }
  const examples = codes.map((code) => {
    return [code, { value: { success: false, message: refusals[code].meaning, code } }]
  })
  return {
    description: codes.map((code) => `\`${code}\`: ${refusals[code].meaning}`).join(' '),
    ...((waits || limits) && { headers }),
    content: { 'application/json': { schema: reference('Error'), examples: Object.fromEntries(examples) } },
  }
}

/**
 * Returns every schema by name: those of errors, requests, responses, the resources in them, log-ins, events of the
 * stream, and callbacks.
 */
function schemasOf(declared: readonly Operation[]): Json {
  const registry = z.registry<{ id: string }>()
  registry.add(errorSchema, { id: 'Error' })
  for (const operation of declared) {
    if (operation.body !== undefined) registry.add(operation.body, { id: `${title(operation)}Request` })
    registry.add(operation.response.wire, { id: `${title(operation)}Response` })
    const { title: resource } = operation.response.data.wire.meta() ?? {}
    if (resource !== undefined && !registry.has(operation.response.data.wire)) {
      registry.add(operation.response.data.wire, { id: resource })
    }
  }
  for (const [name, body] of logInSchemas) registry.add(body, { id: name })
  registry.add(signedEvent.wire, { id: 'SignedEvent' })
  for (const [name, body] of callbackSchemas) if (!registry.has(body)) registry.add(body, { id: name })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input', target: 'draft-2020-12' })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]))
}

/**
 * Removes a schema's own identity, which would redirect its references. Inside the document, a schema is identified by
 * its place.
 */
function withoutIdentity({ $id: _id, $schema: _schema, ...schema }: Json): Json {
  return schema
}

function parameter(operation: Operation, fields: z.ZodObject | undefined, name: string): Json {
  const field = fields?.shape[name]
  if (field === undefined) throw new Error(`${operation.name} declares no parameter ${name}`)
  const { description, ...schema } = withoutIdentity(z.toJSONSchema(field, { io: 'input' }))
  return { description, schema }
}

/** Returns an operation's name with a capital first letter, such as `PayToGamertag` for `payToGamertag`. */
function title(operation: Operation): string {
  return operation.name.charAt(0).toUpperCase() + operation.name.slice(1)
}

/**
 * Returns the smallest body that the service accepts, or, if nothing is required, one with every field that has an
 * example.
 */
function example(body: z.ZodObject): Json {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input' })
  const shown = Object.entries(properties).flatMap(([name, field]) => {
    const [value] = typeof field === 'object' ? (field.examples ?? []) : []
    return value !== undefined && (required.length === 0 || required.includes(name)) ? [[name, value] as const] : []
  })
  return Object.fromEntries(shown)
}

function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

const errorSchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe('A sentence for people.'),
    code: z
      .string()
      .describe('A stable code; new codes may be added.')
      .meta({ examples: Object.keys(refusals) }),
  })
  .describe('The body of every answer that is not a success.')

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Additive. Send the same key at every attempt to do the same thing. It is done once, and every later attempt gets the first answer. Each project has its own keys.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

const idempotencyReplayed: Json = {
  description: '`true` on the stored answer to an earlier request with the same Idempotency-Key.',
  schema: { type: 'string', enum: ['true'] },
}

const amountLimit: Json = {
  description:
    'Additive. With amount_too_high the largest amount that is possible, with amount_too_low the smallest; with nothing_sent what the node can send now, fees included. In msats.',
  schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
}
const retryAfter: Json = { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } }
