import { expect, it } from 'vitest'
import { publicApiDocument } from '../../src/web/web-server.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>
interface Described {
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/**
 * The API for keys, typed by hand from its table. A field marked `*` must be sent. Nothing here is computed from the
 * source.
 */
const reward = 'id string, member string, amountMsats string, testMoney boolean, reason string, state enum'
const asWritten = {
  'POST /api/v1/rewards': {
    sent: '*Idempotency-Key header',
    body: '*member string, *amountMsats string, *reason string',
    answer: `201 application/json: ${reward}`,
    refused: '400 401 403 404 409 422 429 503 default',
  },
  'GET /api/v1/rewards/{id}': {
    sent: '*id path',
    body: '',
    answer: `200 application/json: ${reward}`,
    refused: '401 403 404 429 default',
  },
  'GET /api/v1/members/{member}': {
    sent: '*member path',
    body: '',
    answer: '200 application/json: member string, bot boolean, linked boolean',
    refused: '401 403 404 429 503 default',
  },
  'GET /api/v1/events': {
    sent: 'Last-Event-ID header',
    body: '',
    answer: `200 text/event-stream: type enum, at string, channel string or null, from string or null,
      to string or null, amountMsats string, testMoney boolean`,
    refused: '400 401 403 410 429 503 default',
  },
}

const document = publicApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

function typeOf({ type, enum: names, anyOf }: Schema): string {
  return anyOf?.map(typeOf).join(' or ') ?? (names === undefined ? [type].flat().join(' or ') : 'enum')
}

function fields(content: Content | undefined, markRequired: boolean): string {
  const [schema] = Object.values(content ?? {}).map((each) => each.schema)
  const mark = (name: string) => (markRequired && schema?.required?.includes(name) ? '*' : '')
  return Object.entries(schema?.properties ?? {})
    .map(([name, property]) => `${mark(name)}${name} ${typeOf(property)}`)
    .join(', ')
}

it.each(Object.entries(asWritten))('%s is declared as the interface defines it', (at, written) => {
  const [verb = '', path = ''] = at.split(' ')
  const operation = document.paths[path]?.[verb.toLowerCase()]
  expect(operation?.security).toEqual([{ key: [] }])
  const { parameters = [], requestBody, responses = {} } = operation ?? {}
  const answered = Object.keys(responses).filter((status) => status.startsWith('2'))
  const { content } = responses[answered[0] ?? ''] ?? {}
  expect({
    sent: parameters.map((each) => `${each.required ? '*' : ''}${each.name} ${each.in}`).join(', '),
    body: fields(requestBody?.content, true),
    answer: `${answered} ${Object.keys(content ?? {})}: ${fields(content, false)}`,
    refused: Object.keys(responses)
      .filter((status) => !answered.includes(status))
      .join(' '),
  }).toEqual({ ...written, answer: written.answer.replaceAll(/\s+/g, ' ') })
})

it('the operations of the keyed API, and no others, need a key', () => {
  const all = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { security }]) => ({ at: `${verb.toUpperCase()} ${path}`, security })),
  )
  const keyed = all.filter(({ security }) => security !== undefined).map(({ at }) => at)
  expect(keyed.sort()).toEqual(Object.keys(asWritten).sort())
})
