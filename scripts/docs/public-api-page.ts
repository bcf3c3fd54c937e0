import { publicApiDocument } from '../../src/web/web-server.ts'

interface Operation {
  readonly description: string
  readonly security?: readonly unknown[]
}

const FIRST_REWARD = [
  '## Your first reward in five minutes',
  '',
  '1. The server needs a pool with sats: type `/pool fund 5000`, and pay the code. Your role needs a budget: set it with `/pool budget`.',
  '2. In the channel where the rewards should appear, type `/api-key create`, choose *Give rewards and look up members*, and set a `budget` for 24 hours.',
  '   The bot shows the key only once, and only to you.',
  '3. Send a reward of 21 sats from a terminal. `BOT` is the address of the web server, such as `https://bot.example.com`, or `http://127.0.0.1:8788` in',
  '   the playground. To copy a member’s Discord id, switch on Developer Mode in Discord, and choose *Copy User ID* in the member’s menu.',
  '',
  '```sh',
  'curl "$BOT/api/v1/rewards" \\',
  '  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: match-1" \\',
  '  -d \'{"member": "<Discord id>", "amountMsats": "21000", "reason": "Won a match"}\'',
  '```',
  '',
  'A card appears in the channel, and the member receives the sats. If you send the same request again, nothing is paid twice.',
  'The [examples](../examples/README.md#a-reward-for-each-merge-on-github) include a workflow that rewards each merge on GitHub.',
]

const KEYS = [
  'Moderators create keys with `/api-key create`, list them with `/api-key list`, and revoke them with `/api-key revoke`. A program sends its key as',
  '`Authorization: Bearer KEY`. The table below says which scope each operation needs; `/api/v1/openapi.json` describes every field and limit.',
  '',
  '- A reward given with a key counts as a reward by the moderator who created the key: their budget and the approval limit apply. Excluded people',
  '  cannot receive such a reward.',
  '- Each key also has its own budget for any 24 hours, which limits what a leaked key can cost. The bot stores only the key’s hash.',
  '- A key expires after 90 days unless you choose another period of at most 365 days. A key cannot give rewards while its creator is not allowed to.',
  '- Keep keys on your own machines. Web pages of other sites cannot use keys (no CORS).',
  '- Each key can send 5 requests a second, with a burst of 50, and read 1,000 streams at a time. Beyond that, the answer is a 429 with `Retry-After`.',
  '- After a timeout or a 5xx, send the same request with the same `Idempotency-Key`: nothing is paid twice.',
  '- The state of a reward is `given`, `waiting` (for a second moderator) or `unclaimed` (by a newcomer). The sats of a `denied` or `returned` reward are',
  '  back in the pool. If the server’s own wallet pays, a reward is `paying` until its outcome is proven, and `unpaid` if the payment failed.',
]

const CODES = [
  '',
  '### Errors',
  '',
  'An error is `{"success": false, "message": "…", "code": "…"}`. The message says what to do. Unless the status is 500, no sats have moved.',
  '',
  '| Status | Codes |',
  '|---|---|',
  '| 400 | `invalid_json`, `invalid_request`, `idempotency_key_missing`, `invalid_cursor`, `malformed_url`, `malformed_request` |',
  '| 401, 403 | `invalid_key`; `scope_missing`, `owner_not_allowed` |',
  '| 404, 405 | `member_not_found`, `reward_not_found`, `unknown_route`, `unknown_server`, `unknown_period`; `wrong_verb` |',
  '| 408, 413, 414, 431 | `slow_body`, `body_too_large`, `url_too_long`, `headers_too_large` |',
  '| 409, 410 | `idempotency_conflict`; `events_expired` (begin without `Last-Event-ID`) |',
  '| 422 | `amount_too_small`, `amount_too_large`, `recipient_is_bot`, `recipient_blocked`, `recipient_is_owner` |',
  '| 422 | `recipient_without_wallet`, `wallet_needed`, `wallet_restored` |',
  '| 422 | `key_budget_exceeded`, `owner_budget_exceeded`, `owner_without_budget`, `pool_insufficient` |',
  '| 429, 500, 503 | `rate_limited`; `internal`; `too_many_readers`, `discord_unreachable`, `unavailable`: send the same request again later |',
]

const LISTEN = [
  '',
  '### Hear what happens',
  '',
  'The stream contains tips, rewards, drops, giveaways and gifts to the pool, but only from channels that everybody in the server can see. With',
  '`Last-Event-ID`, a program can resume where it stopped, if that was within the last 20,000 entries of the book. The bot cuts off a program that',
  'leaves 128 KiB unread. To read the stream, run `curl -N "$BOT/api/v1/events" -H "Authorization: Bearer $KEY"`.',
  '',
  '**Webhooks.** The bot can also POST each event to your program: choose *Hear what happens* in `/api-key create`, and enter a `url`. The bot then',
  'shows the key and a signing secret (`whsec_…`) once.',
  '',
  '- Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies. Check them with the TypeScript client’s `verifyWebhook` or',
  '  the Python client’s `verify_webhook`.',
  '- `webhook-id` is the id of the event, as in the stream. Events arrive in order, and each at least once, so remember the last id.',
  '- Answer with any 2xx status within 10 seconds. After any other answer, the bot tries again: after 5 seconds at first, and eventually every hour.',
  '  After three days, it stops, and the moderation log says so. Then revoke the key, and create a new one.',
  '',
  '### An overlay for a stream',
  '',
  'Create a key with the use *Hear what happens*. In OBS, add a *Browser* source with the address `https://bot.example.com/overlay#key=KEY`. The page',
  'is transparent. It says for eight seconds that it is connected. Then it shows each gift for eight seconds, without names.',
]

/** Returns `docs/PUBLIC_API.md`, made from the document that the web server serves. */
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
    'Clients: [TypeScript](../clients/typescript/README.md) and [Python](../clients/python/README.md), each with an example of a first reward.',
    '',
    ...FIRST_REWARD,
    '',
    '## With a key',
    '',
    ...KEYS,
    '',
    ...table(keyed),
    ...LISTEN,
    ...CODES,
    '',
    '## Public figures',
    '',
    'Figures are off by default. To switch them on, the operator lists the servers’ Discord ids in `PUBLIC_API_SERVERS`, separated by commas. Amounts are',
    'strings of millisatoshis, times are ISO 8601 in UTC, and people appear as their Discord ids. Any web page can read the figures (CORS).',
    '',
    ...table(open),
    '',
    '- `{server}` is the server’s Discord id. `testMoney` says whether the sats are test sats, which are worth nothing.',
    '- The figures name no member who opted out of leaderboards in `/settings`.',
    '- Clients may cache an answer for ten seconds. If you send that answer’s `ETag` as `If-None-Match`, you get a `304` as long as nothing has changed.',
    '- `PUBLIC_API_REQUESTS_PER_SECOND` limits requests from each IP address, with a burst of ten times that number. Behind a proxy, set `TRUST_PROXY`.',
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

/** Returns a row for each operation: the first sentence of its description, and the scope that a key needs. */
function table(operations: readonly Described[]): string[] {
  return [
    '| Operation | What it does |',
    '|---|---|',
    ...operations.map(({ heading, operation: { description } }) => `| \`${heading}\` | ${inShort(description)} |`),
  ]
}

function inShort(description: string): string {
  const sentences = description.split(/(?<=\.) /)
  return [sentences[0], ...sentences.slice(1).filter((each) => each.startsWith('Needs the scope'))].join(' ')
}
