import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import { createAddressLimit } from '../../lib/http/address-limit.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { createTokenBuckets } from '../../lib/http/token-buckets.ts'
import { firstFault } from '../../lib/http/zod-fault.ts'
import type { Logger } from '../../lib/logger.ts'
import { msats } from '../../lib/money/amount.ts'
import {
  type ApiKeyScope,
  type ApiKeys,
  type ApiKeyTerms,
  type PeopleOfServer,
  type RewardView,
  type ServerEvents,
  TippingRefusal,
} from '../../tipping/tipping.ts'
import { DISCORD_ID, IDEMPOTENCY_KEY, type MemberAnswer, type RewardAnswer, rewardRequest } from './answers.ts'
import { createServerFeed } from './event-feed.ts'
import { addOverlay, type OverlayTexts } from './overlay.ts'
import { PREFIX } from './prefix.ts'
import { INVALID_KEY, problemOf } from './problems.ts'
import { startWebhooks } from './webhooks.ts'

export interface KeyedApiOptions {
  readonly keys: ApiKeys
  /** Returns Discord's facts about people; undefined while Discord is not connected. */
  readonly people: () => PeopleOfServer | undefined
  /** Whether Discord is connected now, and therefore reports the channels. */
  readonly isConnected: () => boolean
  /** Whether Discord reports a server to this process now. */
  readonly knows: (guild: string) => boolean
  /** The events of all servers. */
  readonly events: ServerEvents
  /** Whether everybody in the server sees a channel. */
  readonly everybodySees: (channel: string) => boolean
  readonly testMoney: () => boolean
  /** Returns the texts of the page for a stream, in the language of the browser's Accept-Language. */
  readonly overlayTexts: (acceptLanguage: string | undefined) => OverlayTexts
  /** The limit for one IP address without a valid key. 0 means no limit. */
  readonly requestsPerSecond: number
}

/** Limits for one key: an average per second, and a burst. */
const KEY_PER_SECOND = 5
const KEY_BURST = 50
/** The limit for new streams of one key: many people watch one overlay, and all return together after a restart. */
const KEY_STREAMS_PER_SECOND = 50
const KEY_STREAMS_BURST = 200

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Adds the routes for programs with a server's key: rewards and members. A key is a secret of its server, so no web
 * page may read the answers.
 */
export function addKeyedApi(
  app: FastifyInstance,
  options: KeyedApiOptions & { readonly clock: Clock; readonly logger: Logger },
): void {
  const { keys, testMoney } = options
  app.register(async (api) => {
    const admit = admission(options)
    const feed = createServerFeed(options)
    const webhooks = startWebhooks(options, (guild, member) => moderates({ guild, owner: member }, options))
    app.addHook('preClose', async () => void (await Promise.all([feed.close(), webhooks.close()])))
    addOverlay(api, options.overlayTexts)
    api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    api.post(`${PREFIX}/rewards`, async (request, reply) => {
      const key = await admit(request, 'rewards')
      const reward = await refusing(() => give(request, key, options))
      return await reply.code(201).send(rewardAnswer(reward, testMoney()))
    })
    api.get(`${PREFIX}/rewards/:id`, async (request) => {
      const key = await admit(request, 'rewards')
      const { id } = request.params as { id: string }
      if (!UUID.test(id))
        throw new HttpProblem(
          404,
          'reward_not_found',
          'The id of a reward is a UUID. Send the id from the answer to the request that gave the reward.',
        )
      return rewardAnswer(await refusing(() => keys.rewardOf(key.guild, id.toLowerCase())), testMoney())
    })
    api.get(`${PREFIX}/events`, { exposeHeadRoute: false }, async (request, reply) => {
      const { id: key, guild } = await admit(request, 'events')
      // Until Discord reports which channels everybody sees, each event would be left out, and a reader would continue
      // after it.
      if (!options.isConnected() || !options.knows(guild)) throw unreachable()
      const since = readCursor(request.headers['last-event-id'])
      const isWelcome = async () => {
        const found = await keys.find(secretOf(request))
        return found?.scopes.includes('events') === true && (await moderates(found, options))
      }
      await refusing(() => feed.add({ key, to: guild, response: reply.raw, since, isWelcome }))
      return reply.hijack()
    })
    api.get(`${PREFIX}/members/:member`, async (request): Promise<MemberAnswer> => {
      const key = await admit(request, 'members')
      const { member } = request.params as { member: string }
      const person = DISCORD_ID.test(member) ? await peopleOf(options).person(key.guild, member) : undefined
      if (person === undefined) {
        throw new HttpProblem(404, 'member_not_found', 'No member of the server has this Discord id. Check the id.')
      }
      return { member, bot: person.bot, linked: await refusing(() => keys.isLinked(member)) }
    })
  })
}

/** Admits requests with a key of the right scope, and limits their rate. */
function admission(options: KeyedApiOptions & { readonly clock: Clock }) {
  const { clock, keys, requestsPerSecond } = options
  const addresses = createAddressLimit(clock, requestsPerSecond)
  const ofKeys = createTokenBuckets(clock, KEY_PER_SECOND, KEY_BURST)
  const streamsOfKeys = createTokenBuckets(clock, KEY_STREAMS_PER_SECOND, KEY_STREAMS_BURST)
  return async (request: FastifyRequest, scope: ApiKeyScope): Promise<ApiKeyTerms> => {
    const key = await refusing(() => keys.find(secretOf(request)))
    if (key === undefined) {
      // A valid key is not a guess. It has its own limit, and guesses from the same address do not block it.
      mustNotWait(addresses.take(request.ip))
      const [status, code, message] = INVALID_KEY
      throw new HttpProblem(status, code, message, { 'www-authenticate': 'Bearer' })
    }
    mustNotWait((scope === 'events' ? streamsOfKeys : ofKeys).take(key.id))
    if (!key.scopes.includes(scope)) {
      throw new HttpProblem(
        403,
        'scope_missing',
        `This key does not have the scope "${scope}". A moderator can make a key with this scope: /api-key create in Discord.`,
      )
    }
    // Creating a reward checks this itself. A repeated request gets its first answer even if Discord does not answer.
    if (scope !== 'rewards' && !(await moderates(key, options))) {
      throw problemOf(new TippingRefusal('api-key-owner', {}))
    }
    return key
  }
}

/** Whether the member who made a key still moderates its server. Throws HttpProblem while Discord does not answer. */
async function moderates(
  { guild, owner }: Pick<ApiKeyTerms, 'guild' | 'owner'>,
  options: KeyedApiOptions,
): Promise<boolean> {
  return (await peopleOf(options).moderator(guild, owner)) !== undefined
}

function secretOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

function readCursor(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const cursor = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
  if (cursor !== undefined) return cursor
  throw new HttpProblem(
    400,
    'invalid_cursor',
    'Last-Event-ID must be the id of an event. To begin with the next event, leave this header out.',
  )
}

function mustNotWait(seconds: number): void {
  if (seconds === 0) return
  const headers = { 'retry-after': String(seconds) }
  throw new HttpProblem(429, 'rate_limited', `Too many requests. Try again in ${seconds} s.`, headers)
}

async function give(request: FastifyRequest, key: ApiKeyTerms, options: KeyedApiOptions): Promise<RewardView> {
  const { 'idempotency-key': idempotencyKey } = request.headers
  if (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    const message =
      'Send an Idempotency-Key header with up to 200 characters and no spaces. Use a new value for each reward.'
    throw new HttpProblem(400, 'idempotency_key_missing', message)
  }
  const body = parse(request.body)
  const read = rewardRequest.safeParse(body)
  if (!read.success) {
    const fields = `The fields are ${Object.keys(rewardRequest.shape).join(', ')}.`
    throw new HttpProblem(400, 'invalid_request', `${firstFault(read.error, body, 'The body')} ${fields}`)
  }
  const { member: to, amountMsats, reason } = read.data
  const about = { to, amount: msats(BigInt(amountMsats)), reason: reason.toWellFormed().replaceAll('\0', '') }
  return await options.keys.reward({ key: key.id, idempotencyKey, ...about, people: peopleOf(options) })
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    throw new HttpProblem(
      400,
      'invalid_json',
      'The body must be JSON, such as {"member": "…", "amountMsats": "21000", "reason": "…"}.',
    )
  }
}

function unreachable(): HttpProblem {
  return new HttpProblem(
    503,
    'discord_unreachable',
    'Discord cannot be reached right now. Send the same request again in a minute.',
  )
}

/**
 * Returns Discord's facts about people. If Discord fails, each throws an HttpProblem after which the caller may send
 * the same request again, because the request is not at fault.
 */
function peopleOf({ people }: KeyedApiOptions): PeopleOfServer {
  const known = people()
  if (known === undefined) throw unreachable()
  const orUnreachable = async <T>(asking: Promise<T>) => {
    try {
      return await asking
    } catch {
      throw unreachable()
    }
  }
  return {
    localeOf: (guild) => known.localeOf(guild),
    moderator: (guild, member) => orUnreachable(known.moderator(guild, member)),
    person: (guild, member) => orUnreachable(known.person(guild, member)),
  }
}

async function refusing<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw problemOf(error)
  }
}

function rewardAnswer(reward: RewardView, testMoney: boolean): RewardAnswer {
  const { id, recipient, amount, reason } = reward
  return { id, member: recipient, amountMsats: amount.toString(), testMoney, reason, state: stateOf(reward) }
}

/** Returns a reward's state. The state does not change during a payout to the recipient's wallet. */
function stateOf({ state, share }: RewardView): RewardAnswer['state'] {
  if (state === 'asked') return 'waiting'
  if (state === 'denied') return 'denied'
  switch (share?.state) {
    case 'parked':
      return 'unclaimed'
    case 'returned':
    case 'unpaid':
      return share.state
    case 'asked':
    case 'unsure':
    case 'unconfirmed':
      return 'paying'
    default:
      return 'given'
  }
}
