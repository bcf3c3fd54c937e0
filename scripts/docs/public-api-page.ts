import { publicApiDocument } from '../../src/web/web-server.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly default?: string
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly parameters: readonly { name: string; in: string; description: string; schema: Schema }[]
  readonly responses: Readonly<
    Record<string, { description: string; content?: { 'application/json': { schema: Schema } } }>
  >
}

/** `docs/PUBLIC_API.md`, made from the document that the web server serves. */
export function publicApiPage(): string {
  const { info, paths } = publicApiDocument() as {
    info: { description: string }
    paths: Record<string, { get: Operation }>
  }
  return [
    '# The public API',
    '',
    '<!-- Made by `npm run docs` from the document that the web server serves. Change that, not this page. -->',
    '',
    info.description,
    '',
    'The API is off by default. To switch it on, list the Discord ids of the public servers in `PUBLIC_API_SERVERS`,',
    'separated by commas. The web server serves the API on its port. Programs find its OpenAPI document at',
    '`/api/v1/openapi.json`.',
    '',
    '- Amounts are strings of millisatoshis, times are ISO 8601 in UTC, people are Discord ids.',
    '- The API names no member who opted out of leaderboards in `/settings`.',
    '- Clients may cache an answer for ten seconds. Each answer has an `ETag`: with `If-None-Match`, an unchanged answer is a `304`.',
    '- Every web page may read the API (CORS). It only has `GET`.',
    '- `PUBLIC_API_REQUESTS_PER_SECOND` limits each address, with a burst of ten times that number. Beyond the limit the',
    '  answer is a `429` with `Retry-After`. Behind a proxy, set `TRUST_PROXY`.',
    '- Errors are `{"success": false, "message": "…", "code": "…"}`. A server that is not public is a `404`.',
    ...Object.entries(paths).flatMap(([path, { get }]) => describe(path, get)),
    '',
  ].join('\n')
}

function describe(path: string, { summary, description, parameters, responses }: Operation): string[] {
  const answer = responses['200']?.content?.['application/json'].schema ?? {}
  return [
    '',
    `## ${summary}`,
    '',
    `\`GET ${path}\``,
    '',
    description,
    '',
    '| Parameter | |',
    '|---|---|',
    ...parameters.map((each) => `| \`${each.name}\` (${each.in}) | ${each.description}${choices(each.schema)} |`),
    '',
    '| Field | Type | |',
    '|---|---|---|',
    ...fields(answer, ''),
  ]
}

function choices({ enum: all, default: usual }: Schema): string {
  if (all === undefined) return ''
  return ` ${all.map((each) => `\`${each}\``).join(', ')}${usual === undefined ? '' : `; default \`${usual}\``}.`
}

function fields({ properties = {} }: Schema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    `| \`${path}${name}\` | ${typeOf(field)} | ${field.description ?? ''} |`,
    ...fields(field.items ?? field, `${path}${name}${field.items === undefined ? '.' : '[].'}`),
  ])
}

function typeOf({ type, anyOf = [], enum: all }: Schema): string {
  if (all !== undefined) return all.map((each) => `\`${each}\``).join(', ')
  return type === undefined ? anyOf.map(typeOf).join(' or ') : [type].flat().join(' or ')
}
