import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cached } from '../../lib/cached.ts'
import type { Clock } from '../../lib/clock.ts'
import { createAddressLimit } from '../../lib/http/address-limit.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { type Insights, SPANS, type Span } from '../../tipping/tipping.ts'
import type { DropsAnswer, LeaderboardAnswer, StatsAnswer } from './answers.ts'
import { publicApiDocument, resources } from './document.ts'
import { PREFIX } from './prefix.ts'

export interface PublicApiOptions {
  readonly insights: Insights
  readonly testMoney: () => boolean
  /** Whether everybody in the server sees a channel. Other channels are private. */
  readonly everybodySees: (channel: string) => boolean
  /** Ids of the servers with public figures. If no server is listed, only the document is served. */
  readonly servers: readonly string[]
  /** The limit for one IP address. 0 means no limit. */
  readonly requestsPerSecond: number
}

/**
 * How long anybody may cache an answer, and how long it is cached here, so that the books are read at most once in that
 * time.
 */
const CACHE_TTL_SECONDS = 10

interface Asked {
  readonly server: string
  readonly period: Span
}

/**
 * Adds figures for everybody: who gave and received most, how much, and which drops are open. The routes are read-only,
 * exist only for the servers whose figures are public, and contain only facts that those servers show anyway.
 */
export function addPublicApi(
  app: FastifyInstance,
  { clock, ...options }: PublicApiOptions & { readonly clock: Clock },
) {
  const limit = createAddressLimit(clock, options.requestsPerSecond)
  const open = new Set(options.servers)
  app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      allowEverySite(reply)
      const wait = limit.take(request.ip)
      if (wait === 0) return
      const message = `Too many requests. Try again in ${wait} s.`
      throw new HttpProblem(429, 'rate_limited', message, { 'retry-after': String(wait) })
    })
    api.get(`${PREFIX}/openapi.json`, async (request, reply) =>
      answer(request, reply, JSON.stringify(publicApiDocument(), undefined, 2)),
    )
    for (const { name, path } of resources) {
      const textOf = cached({
        clock,
        ttlMs: CACHE_TTL_SECONDS * 1_000,
        maxKeys: Math.max(1, open.size) * SPANS.length,
        read: async (key) => JSON.stringify(await figures[name](options, JSON.parse(key) as Asked)),
      })
      const url = path.replace('{server}', ':server')
      api.options(url, async (_, reply) => reply.code(204).send())
      api.get(url, async (request, reply) => {
        return answer(request, reply, await textOf(JSON.stringify(read(request, open))))
      })
    }
  })
}

/** Lets scripts of every site read an answer, because the answers contain nothing private. */
function allowEverySite(reply: FastifyReply): void {
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
    .header('access-control-allow-headers', 'if-none-match')
    .header('access-control-expose-headers', 'etag, retry-after')
    .header('access-control-max-age', '86400')
    .header('x-content-type-options', 'nosniff')
}

/**
 * Reads a request's server and period. Throws HttpProblem for a wrong period, and for a server without public figures,
 * no matter whether that server exists.
 */
function read(request: FastifyRequest, open: ReadonlySet<string>): Asked {
  const { server } = request.params as { server: string }
  const { period = 'month' } = request.query as { period?: unknown }
  if (!open.has(server))
    throw new HttpProblem(
      404,
      'unknown_server',
      "No figures are published for this server. The bot's operator can publish them (PUBLIC_API_SERVERS).",
    )
  const span = SPANS.find((each) => each === period)
  if (span !== undefined) return { server, period: span }
  throw new HttpProblem(400, 'unknown_period', `The period must be one of ${SPANS.join(', ')}.`)
}

function answer(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  reply.header('etag', tag).header('cache-control', `public, max-age=${CACHE_TTL_SECONDS}`)
  const known = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (known.includes(tag) || known.includes('*')) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

type Figures = (options: Omit<PublicApiOptions, 'servers'>, asked: Asked) => Promise<object>

const figures = {
  async leaderboard({ insights, testMoney }, { server, period }): Promise<LeaderboardAnswer> {
    const { since, tippers, receivers, unclaimed } = await insights.leaderboard(server, period)
    const list = (ranked: typeof tippers) =>
      ranked.map(({ member, amount }) => ({ member, amountMsats: amount.toString() }))
    return {
      ...{ server, testMoney: testMoney(), period, since: since.toISOString() },
      givers: list(tippers),
      getters: list(receivers),
      unclaimedMsats: unclaimed.toString(),
    }
  },
  async stats({ insights, testMoney }, { server, period }): Promise<StatsAnswer> {
    const { since, total, gifts, tippers, receivers, largest, unclaimed, bars } = await insights.stats(server, period)
    return {
      ...{ server, testMoney: testMoney(), period, since: since.toISOString(), gifts },
      ...{ totalMsats: total.toString(), givers: tippers, getters: receivers, largestMsats: largest.toString() },
      unclaimedMsats: unclaimed.toString(),
      bars: bars.map((bar) => ({
        from: bar.from.toISOString(),
        amountMsats: bar.amount.toString(),
        gifts: bar.gifts,
      })),
    }
  },
  async drops({ insights, testMoney, everybodySees }, { server }): Promise<DropsAnswer> {
    const drops = await insights.drops(server, everybodySees)
    return {
      ...{ server, testMoney: testMoney() },
      drops: drops.map(({ id, channel, member, share, shares, claimed, draw, puzzle, closesAt }) => ({
        ...{ id, channel, member: member ?? null, shareMsats: share.toString(), shares, taken: claimed },
        ...{ drawn: draw, puzzle: puzzle ?? null, closesAt: closesAt.toISOString() },
      })),
    }
  },
} as const satisfies Record<(typeof resources)[number]['name'], Figures>
