/** The parts of a JSON schema that our OpenAPI documents use. */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
}

/** One operation of an API, as its OpenAPI document describes it. */
export interface ApiOperation {
  readonly name: string
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly host: 'base' | 'alt'
  readonly idempotent: boolean
  readonly description: string
  /** A call's input: path parameters, query, headers and body fields together. */
  readonly input: Schema
  readonly query: readonly string[]
  /** The fields that are sent as headers of the same name. */
  readonly headers: readonly string[]
  readonly hasBody: boolean
  readonly takesKey: boolean
  /** A call's result; undefined if the answer has no body. */
  readonly answer: Schema | undefined
  /** The fields that the answer must have to be useful. */
  readonly needs: Readonly<Record<string, 'there' | 'amount'>>
  /** Whether the answer is a stream of server-sent events. */
  readonly isStream: boolean
}

export interface Api {
  /** The name of the API's client. */
  readonly client: string
  readonly about: string
  readonly hasEnvelope: boolean
  readonly provingCodes: Readonly<Record<string, number>>
  readonly operations: readonly ApiOperation[]
  /** The named schemas, in the order of the document. */
  readonly types: ReadonlyMap<string, Schema>
}

interface Content {
  readonly schema?: Schema
}

interface Described {
  readonly operationId: string
  /** The operation's security requirements, which are empty if it needs no key. */
  readonly security?: readonly unknown[]
  readonly description: string
  readonly parameters?: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: Schema
    readonly $ref?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** The facts about an operation that an OpenAPI document cannot state. */
export interface Beyond {
  readonly host?: 'base' | 'alt' | undefined
  readonly idempotent?: boolean | undefined
  /** The fields that another provider's answer may lack. */
  readonly mayLack?: ReadonlySet<string> | undefined
}

/**
 * Reads the model of a client from an OpenAPI document. The client has every operation in the document that needs a
 * key.
 */
export function readApi(
  about: Pick<Api, 'client' | 'about' | 'hasEnvelope' | 'provingCodes'>,
  { paths, components: { schemas = {} } }: OpenApi,
  beyond: (name: string) => Beyond,
): Api {
  const types = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (!/(?:Request|Response)$/.test(name) || (schema.title !== undefined && schema.title === name)) {
      types.set(name, schema)
    }
  }
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, described]) => {
      // Browsers and OAuth 2 libraries call the operations that need no key.
      if (described.security?.length === 0) return []
      const operation = readOperation(described, { path, verb, schemas, beyond, hasEnvelope: about.hasEnvelope })
      const [input, answer] = [operation.input, operation.answer]
      if (Object.keys(input.properties ?? {}).length > 0) types.set(inputName(operation), input)
      // An answer without its own name in the document gets the operation's name.
      if (answer !== undefined && answer.$ref === undefined) types.set(answer.title ?? answerName(operation), answer)
      return [operation]
    }),
  )
  return { ...about, operations, types }
}

/** Returns the name of the type of a call's input. */
export function inputName({ name }: Pick<ApiOperation, 'name'>): string {
  return `${upper(name)}Input`
}

/** Returns the name of the type of a call's result. */
export function answerName({ name, answer }: Pick<ApiOperation, 'name' | 'answer'>): string {
  return answer?.$ref === undefined ? (answer?.title ?? `${upper(name)}Answer`) : nameOf(answer.$ref)
}

export function nameOf(reference: string): string {
  return reference.replace(/^.*\//, '')
}

export function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

interface Around {
  readonly path: string
  readonly verb: string
  readonly schemas: Readonly<Record<string, Schema>>
  readonly beyond: (name: string) => Beyond
  readonly hasEnvelope: boolean
}

/** Moves the mark of an additive operation from a description's beginning to the end of its first paragraph. */
function withMarkAtEnd(description: string): string {
  const [first = '', ...rest] = description.split('\n\n')
  if (!first.startsWith('Additive. ')) return description
  return [`${first.slice('Additive. '.length)} Not every provider offers this operation.`, ...rest].join('\n\n')
}

function readOperation(described: Described, { path, verb, schemas, beyond, hasEnvelope }: Around): ApiOperation {
  const { operationId: name, description, parameters = [], requestBody, responses } = described
  const { host = 'base', idempotent = verb === 'get', mayLack } = beyond(name)
  const named = parameters.filter((each) => each.in === 'path' || each.in === 'query' || isField(each))
  const body = resolve(requestBody?.content['application/json']?.schema, schemas)
  const content = (responses['200'] ?? responses['201'] ?? responses['204'])?.content ?? {}
  const isStream = content['application/json'] === undefined && content['text/event-stream'] !== undefined
  const whole = (isStream ? content['text/event-stream'] : content['application/json'])?.schema
  const answer = hasEnvelope && !isStream ? resolve(whole, schemas)?.properties?.data : whole
  const fields = named.map(({ name: field = '', schema, description: meaning }): [string, Schema] => [
    field,
    { ...schema, ...(meaning !== undefined && { description: meaning }) },
  ])
  return {
    ...{ name, path, host, idempotent, isStream, answer },
    description: withMarkAtEnd(description),
    verb: verb.toUpperCase() as ApiOperation['verb'],
    input: {
      type: 'object',
      properties: { ...Object.fromEntries(fields), ...body?.properties },
      required: [
        ...named.filter((each) => each.required === true).map(({ name: field = '' }) => field),
        ...(body?.required ?? []),
      ],
    },
    query: named.filter((each) => each.in === 'query').map(({ name: field = '' }) => field),
    headers: named.filter(isField).map(({ name: field = '' }) => field),
    hasBody: requestBody !== undefined,
    takesKey: parameters.some((each) => /Idempotency-?Key$/.test(each.name ?? each.$ref ?? '')),
    needs: isStream ? {} : needsOf(resolve(answer, schemas), mayLack),
  }
}

/**
 * Returns whether a parameter is a header that the call has as a field. HTTP's own headers (`If-None-Match`) are not.
 */
function isField({ in: place, name = '' }: { readonly in?: string; readonly name?: string }): boolean {
  return place === 'header' && /^[a-z]+$/.test(name)
}

function needsOf(answer: Schema | undefined, mayLack: ReadonlySet<string> | undefined): ApiOperation['needs'] {
  const { properties = {}, required = [] } = answer ?? {}
  const needed = required.filter((field) => mayLack?.has(field) !== true)
  const kinds = needed.flatMap((field): [string, 'there' | 'amount'][] => {
    const schema = properties[field]
    if (schema?.type !== 'string') return []
    if (isAmount(schema)) return [[field, 'amount']]
    // A string may be empty, unless nobody could find the money without it.
    return mayLack === undefined && !/^(?:id|status|state|code)$/.test(field) ? [] : [[field, 'there']]
  })
  return Object.fromEntries(kinds)
}

/**
 * Returns whether a schema is of an amount in msats. A Discord id also consists of digits, but the description of an id
 * does not mention millisatoshis.
 */
export function isAmount({ type, pattern, description }: Schema): boolean {
  return type === 'string' && pattern !== undefined && (AMOUNT.test(pattern) || /millisatoshis/.test(description ?? ''))
}

const AMOUNT = /^\^\(?(?:0\|)?\[1-9\]\[0-9\]\{0,18\}\)?\$$/

function resolve(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  return schema?.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]
}
