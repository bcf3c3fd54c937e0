import type { z } from 'zod'
import { signatureHeaders } from './callback-signature.ts'
import { type CallbackKind, callbackOccasions, callbacks } from './callbacks.ts'
import { operations } from './operations.ts'

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

/** The tag of all callbacks. */
export const CALLBACKS_TAG = 'Callbacks'

const KINDS = Object.keys(callbacks) as CallbackKind[]

/** The schemas of all callbacks' bodies, by name. */
export const callbackSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  KINDS.map((kind) => [schemaOf(kind), callbacks[kind].wire]),
)

/** Returns the OpenAPI document's `webhooks`: what the service POSTs to a `callbackUrl`, by kind. */
export function describeWebhooks(): Json {
  return Object.fromEntries(KINDS.map((kind) => [kind, { post: describe(kind) }]))
}

function describe(kind: CallbackKind): Json {
  const { summary, description, askedBy } = callbackOccasions[kind]
  const askers = askedBy.map((name) => operations[name].summary).join(' or ')
  return {
    operationId: `${kind}Callback`,
    tags: [CALLBACKS_TAG],
    summary,
    description: `${description}\n\nSent to the \`callbackUrl\` of ${askers}, at least once, in order for each resource; one that was given up and is redelivered later arrives after those that went ahead.`,
    security: [],
    parameters: Object.entries(signatureHeaders).map(([name, meaning]) => ({
      ...{ name, in: 'header', required: true, description: meaning, schema: { type: 'string' } },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaOf(kind)}` } } },
    },
    responses: {
      '2XX': { description: 'Accepted. The rest of the answer is not read.' },
      default: { description: 'Not accepted: it is sent again at growing intervals, for three days.' },
    },
  }
}

function schemaOf(kind: CallbackKind): string {
  const { title } = callbacks[kind].wire.meta() ?? {}
  if (title === undefined) throw new Error(`the body of the callback ${kind} has no title`)
  return title
}
