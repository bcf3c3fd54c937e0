import { publicApiDocument } from '../../src/callback-server/callback-server.ts'

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

/** `docs/PUBLIC_API.md`, made from the document that the callback server serves. */
export function publicApiPage(): string {
  const { info, paths } = publicApiDocument() as {
    info: { description: string }
    paths: Record<string, { get: Operation }>
  }
  return [
    '# The public API',
    '',
    '<!-- Made by `npm run docs` from the document that the callback server serves. Change that, not this page. -->',
    '',
    info.description,
    '',
    'It is off until `PUBLIC_API_SERVERS` names the servers (their Discord ids, separated by commas) whose figures anybody',
    'may read. They are served on the port of the callback server, and described for programs at `/api/v1/openapi.json`.',
    '',
    '- Amounts are strings of millisatoshis, times are ISO 8601 in UTC, people are Discord ids.',
    '- Whoever has chosen in `/settings` to be left out of leaderboards is named nowhere.',
    '- Answers carry an `ETag` and may be kept for ten seconds; with `If-None-Match`, what has not changed is a `304`.',
    '- Every web page may read them (CORS). Nothing can be changed: there is only `GET`.',
    '- One address may ask `PUBLIC_API_REQUESTS_PER_SECOND` times a second, and ten times that at once; then it is a `429`',
    '  with `Retry-After`. Behind a proxy, `TRUST_PROXY` says whose word about addresses counts.',
    '- Errors are `{"success": false, "message": "…", "code": "…"}`. A server that was not opened is a `404`.',
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
  return ` ${all.map((each) => `\`${each}\``).join(', ')}${usual === undefined ? '' : `; \`${usual}\` if left out`}.`
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
