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
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly content: { 'application/json': { schema: Schema } } }
  readonly parameters: readonly { name: string; in: string; description: string; schema: Schema }[]
  readonly responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, { schema: Schema }>> }>
  >
}

const FIRST_REWARD = [
  '## Your first reward in five minutes',
  '',
  '1. The server needs a pool with sats: type `/pool fund 5000`, and pay the code. Your role needs a budget: `/pool budget`.',
  '2. In the channel that should show the rewards, make a key with `/api-key create`: a name, *Give rewards and look up members*,',
  '   and a budget. Copy the key. The bot shows it once, to you alone.',
  '3. Send a reward of 21 sats from a terminal. `BOT` is the address of the web server, such as `https://bot.example.com`, or',
  '   `http://127.0.0.1:8788` in the playground. *Copy User ID* in the menu of a person needs Developer Mode in Discord.',
  '',
  '```sh',
  'curl "$BOT/api/v1/rewards" \\',
  '  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: match-1" \\',
  '  -d \'{"member": "<Discord id>", "amountMsats": "21000", "reason": "Won a match"}\'',
  '```',
  '',
  'The channel shows a card, and the member has the sats. Send the same request again: nothing is paid twice.',
]

const MERGE = [
  '',
  '### Reward each merge on GitHub',
  '',
  'Copy [reward-a-merge.yml](../examples/reward-a-merge/reward-a-merge.yml) into `.github/workflows`. Store the key as the secret',
  '`SATCHEL_KEY`, the address of the web server as the variable `SATCHEL_URL`, and who is who as the variable `DISCORD_IDS`, such as',
  '`{"octocat": "<Discord id>"}`. The `Idempotency-Key` names the pull request, so running the workflow again pays nothing twice.',
]

const KEYS = [
  'Moderators make keys with `/api-key create`, see them with `/api-key list`, and end them with `/api-key revoke`. A program',
  'sends its key as `Authorization: Bearer KEY`. *Last changes* in `/settings` and the log channel tell who made, revoked and used it.',
  '',
  '- A reward takes the same way as `/reward` by the moderator who made the key: their budget, the approval limit, nobody excluded.',
  '- A key has a budget of its own for any 24 hours, which counts rewards that wait for approval. A leaked key costs no more than that.',
  '- The bot stores only the hash of a key. A key expires after 90 days if you choose nothing else, after 365 at most.',
  '- While its moderator may not reward, a key gives nothing, and tells nothing of members and events.',
  '- Keep keys on servers. Web pages cannot use them (no CORS).',
  '- Each key may send 5 requests a second, with a burst of 50. It may begin 50 streams of events a second, with a burst of 200, and have',
  '  1,000 at once; all keys together 2,000. `PUBLIC_API_REQUESTS_PER_SECOND` limits each address that sends keys that do not work.',
  '- After a timeout or a 5xx, send the same request with the same `Idempotency-Key`.',
]

const LISTEN = [
  '',
  '```sh',
  'curl -N "$BOT/api/v1/events" -H "Authorization: Bearer $KEY"',
  '```',
  '',
  '### Webhooks',
  '',
  'The bot can also POST each event, as the JSON above, to your program: give `/api-key create` a `url` with *Hear what happens*.',
  'It shows the key and a signing secret (`whsec_…`) once. Events begin when the key is made.',
  '',
  '- Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
  '  `verifyWebhook` of the TypeScript client and `verify_webhook` of the Python client check them.',
  '- `webhook-id` is the id of the event, the same as in the stream. Events arrive in order, at least once: remember the last id.',
  '- Answer with any 2xx within 10 seconds. After anything else the bot tries again, after 5 seconds at first and every hour at last.',
  '  Later events wait meanwhile. After three days it gives up, and the moderation log says so: revoke the key, and make another.',
  '- With the key, a program reads from the stream what it missed. A webhook ends with its key.',
  '- A server has at most ten keys, so at most ten webhooks, each with an https address of its own on the public Internet.',
  '',
  '### An overlay for a stream',
  '',
  'Make a key that may only hear what happens. In OBS, add a *Browser* source with the address',
  '`https://bot.example.com/overlay#key=KEY`. The page is transparent and shows each gift for eight seconds, without names.',
  '`?key=KEY` works too, but then the logs of a proxy may have the key.',
]

const CODES = [
  '',
  '### Errors',
  '',
  'Errors are `{"success": false, "message": "…", "code": "…"}`. Nothing has moved then, except perhaps after a 500.',
  '',
  '| Status | Code | Meaning |',
  '|---|---|---|',
  '| 400 | `invalid_json`, `invalid_request`, `idempotency_key_missing` | The message names the field. |',
  '| 400, 404, 405, 414 | `malformed_url`, `malformed_request`, `unknown_route`, `wrong_verb`, `url_too_long` | Check the address and the method. |',
  '| 408, 413, 431 | `slow_body`, `body_too_large`, `headers_too_large` | The request is too slow, or too large. |',
  '| 401 | `invalid_key` | There is no such key, it is revoked, or it has expired. |',
  '| 403 | `scope_missing`, `owner_not_allowed` | The key is for something else, or its moderator may not reward any more. |',
  '| 400 | `invalid_cursor` | `Last-Event-ID` is not the id of an event. |',
  '| 404 | `member_not_found`, `reward_not_found` | |',
  '| 409 | `idempotency_conflict` | The Idempotency-Key belongs to another reward. |',
  '| 410 | `events_expired` | Begin from now on: send no `Last-Event-ID`. |',
  '| 422 | `amount_too_small`, `amount_too_large` | The message has the limit. |',
  '| 422 | `recipient_is_bot`, `recipient_blocked`, `recipient_is_owner` | This member gets nothing by this key. |',
  '| 422 | `recipient_without_wallet`, `wallet_needed`, `wallet_restored` | The message says who does what first. |',
  '| 422 | `key_budget_exceeded`, `owner_budget_exceeded`, `owner_without_budget`, `pool_insufficient` | The message has what is left. |',
  '| 429 | `rate_limited` | `Retry-After` has the seconds to wait. |',
  '| 500 | `internal` | A bug. Send the same request again: nothing is paid twice. |',
  '| 503 | `too_many_readers`, `discord_unreachable`, `unavailable` | Send the same request again in a minute. |',
]

/** `docs/PUBLIC_API.md`, made from the document that the web server serves. */
export function publicApiPage(): string {
  const { info, paths } = publicApiDocument() as {
    info: { description: string }
    paths: Record<string, Partial<Record<'get' | 'post', Operation>>>
  }
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ heading: `${verb.toUpperCase()} ${path}`, operation })),
  )
  const [keyed, open] = [operations.filter(isKeyed), operations.filter((each) => !isKeyed(each))]
  return [
    '# The public API',
    '',
    '<!-- Made by `npm run docs` from the document that the web server serves. Change that, not this page. -->',
    '',
    info.description,
    '',
    'The web server serves the API on its port. Its OpenAPI document, with every type, is at `/api/v1/openapi.json`.',
    'Clients: [TypeScript](../clients/typescript/README.md) and [Python](../clients/python/README.md), with a first reward each.',
    '',
    ...FIRST_REWARD,
    ...MERGE,
    '',
    '## With a key',
    '',
    ...KEYS,
    ...keyed.flatMap((each) => describe(each, keyed)),
    ...LISTEN,
    ...CODES,
    '',
    '## Public figures',
    '',
    'Figures are off by default. The operator lists the Discord ids of the public servers in `PUBLIC_API_SERVERS`, separated by commas.',
    'Amounts are strings of millisatoshis, times are ISO 8601 in UTC, people are Discord ids. Every web page may read the figures (CORS).',
    '',
    '- `{server}` is the server’s Discord id, which each answer repeats as `server`. `testMoney` says whether the sats are worth nothing.',
    '- The API names no member who opted out of leaderboards in `/settings`.',
    '- Clients may cache an answer for ten seconds. With its `ETag` as `If-None-Match`, an unchanged answer is a `304`.',
    '- `PUBLIC_API_REQUESTS_PER_SECOND` limits each address, with a burst of ten times that number. Beyond the limit the',
    '  answer is a `429` with `Retry-After`. Behind a proxy, set `TRUST_PROXY`.',
    '- Errors are those [above](#errors). A server that is not public is a `404` (`unknown_server`), a period that does not exist a `400`',
    '  (`unknown_period`).',
    ...open.flatMap((each) => describe(each, open)),
    '',
  ].join('\n')
}

interface Described {
  readonly heading: string
  readonly operation: Operation
}

function isKeyed({ operation }: Described): boolean {
  return operation.security !== undefined
}

function describe({ heading, operation }: Described, all: readonly Described[]): string[] {
  const { summary, description, parameters, requestBody, security } = operation
  const body = requestBody === undefined ? [] : fields(requestBody.content['application/json'].schema, '', ' (body)')
  const first = all.find((each) => JSON.stringify(answerOf(each)) === JSON.stringify(answerOf({ heading, operation })))
  const answer =
    first?.heading === heading
      ? fields(answerOf({ heading, operation }), '')
      : [`| the answer | | That of *${first?.operation.summary}*. |`]
  const intro = ['', `### ${summary}`, '', `\`${heading}\`: ${description}`]
  if (security === undefined)
    return [...intro, `${choicesOf(operation)}The answer has ${named(answerOf({ heading, operation }))}.`]
  return [
    ...intro,
    '',
    '| Field | Type | |',
    '|---|---|---|',
    ...parameters.map((each) => `| \`${each.name}\` (${each.in}) | | ${each.description}${choices(each.schema)} |`),
    ...body,
    ...answer,
  ]
}

/** What a reader of a figure may choose, in a sentence. */
function choicesOf({ parameters }: Operation): string {
  return parameters
    .filter(({ schema }) => schema.enum !== undefined)
    .map(({ name, schema }) => `\`${name}\` is one of${choices(schema)} `)
    .join('')
}

/** The fields of a figure by name, those of a list's items in brackets. */
function named({ properties = {} }: Schema): string {
  return Object.entries(properties)
    .map(([name, { items }]) => {
      const inside = Object.keys(items?.properties ?? {}).map((each) => `\`${each}\``)
      return inside.length === 0 ? `\`${name}\`` : `\`${name}\` (${inside.join(', ')})`
    })
    .join(', ')
}

/** The body of the answer when all went well. */
function answerOf({ operation: { responses } }: Described): Schema {
  const [{ schema } = { schema: {} }] = Object.values((responses['200'] ?? responses['201'])?.content ?? {})
  return schema
}

function choices({ enum: all, default: usual }: Schema): string {
  if (all === undefined) return ''
  return ` ${all.map((each) => `\`${each}\``).join(', ')}${usual === undefined ? '' : `; default \`${usual}\``}.`
}

function fields({ properties = {} }: Schema, path: string, where = ''): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    `| \`${path}${name}\`${where} | ${typeOf(field)} | ${field.description ?? ''} |`,
    ...fields(field.items ?? field, `${path}${name}${field.items === undefined ? '.' : '[].'}`, where),
  ])
}

function typeOf({ type, anyOf = [], enum: all }: Schema): string {
  if (all !== undefined) return all.map((each) => `\`${each}\``).join(', ')
  return type === undefined ? anyOf.map(typeOf).join(' or ') : [type].flat().join(' or ')
}
