import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

const second = 1_000
const tenMinutes = 600_000
/** https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const maxInvalid = 10_000

/** How many requests are allowed within a period. */
interface Limit {
  readonly requests: number
  readonly withinMs: number
}

interface Bucket {
  startedAt: number
  used: number
}

/** The rate-limit headers of an answer, and how long to wait if the request exceeds the limit. */
interface RouteLimit {
  readonly headers: Readonly<Record<string, string>>
  readonly waitSeconds: number | undefined
}

/**
 * The limit for messages in a channel. Discord does not publish its limits: clients must read them from the answers'
 * headers. People have measured five new messages and five edits in five seconds in each channel.
 * https://docs.discord.com/developers/topics/rate-limits#header-format
 */
const messages: Limit = { requests: 5, withinMs: 5 * second }
const others: Limit = { requests: 50, withinMs: second }
const unlimited: Limit = { requests: 1_000_000, withinMs: second }
const maxBuckets = 10_000

/** Discord's limits: for all routes together, for each route, and for invalid requests. */
export class RateLimits {
  readonly #clock: Clock
  readonly #all: Limit
  readonly #byRoute: boolean
  readonly #overAll: Bucket
  readonly #buckets = new Map<string, Bucket>()
  /** The monotonic times of the latest invalid requests. */
  #invalid: number[] = []

  constructor(clock: Clock, limits: { readonly requestsPerSecond: number; readonly routeLimits: boolean }) {
    this.#clock = clock
    this.#all = { requests: limits.requestsPerSecond, withinMs: second }
    this.#byRoute = limits.routeLimits
    this.#overAll = { startedAt: clock.monotonic(), used: 0 }
  }

  /**
   * Counts a request towards the limit for all routes. Returns the seconds to wait if the request exceeds the limit;
   * otherwise undefined.
   */
  overAll(): number | undefined {
    return take(this.#overAll, this.#all, this.#clock.monotonic()).waitSeconds
  }

  /**
   * Counts a request towards the limit for its route. Each channel, server and webhook has a separate limit.
   * https://docs.discord.com/developers/topics/rate-limits#rate-limits
   */
  ofRoute(method: string, path: string): RouteLimit {
    const { route, major } = routeOf(path)
    const key = `${method} ${route}`
    const limit = !this.#byRoute ? unlimited : /^\/channels\/:id\/messages/.test(route) ? messages : others
    const bucket = this.#bucket(`${key} ${major}`)
    const { waitSeconds, resetAfter } = take(bucket, limit, this.#clock.monotonic())
    const headers = {
      'x-ratelimit-limit': String(limit.requests),
      'x-ratelimit-remaining': String(Math.max(0, limit.requests - bucket.used)),
      'x-ratelimit-reset': (this.#clock.now() / second + resetAfter).toFixed(3),
      'x-ratelimit-reset-after': resetAfter.toFixed(3),
      'x-ratelimit-bucket': createHash('md5').update(key).digest('hex'),
    }
    return { headers, waitSeconds }
  }

  /** Counts an answer if its status makes the request an invalid one: 401, 403 or 429. */
  note(status: number): void {
    if (this.#byRoute && (status === 401 || status === 403 || status === 429))
      this.#invalid.push(this.#clock.monotonic())
  }

  /** Whether the client is banned: after too many invalid requests, none of its requests is carried out. */
  get isBanned(): boolean {
    if (this.#invalid.length < maxInvalid) return false
    const oldest = this.#clock.monotonic() - tenMinutes
    this.#invalid = this.#invalid.filter((at) => at > oldest)
    return this.#invalid.length >= maxInvalid
  }

  #bucket(key: string): Bucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    if (this.#buckets.size >= maxBuckets) this.#buckets.clear()
    const made = { startedAt: this.#clock.monotonic(), used: 0 }
    this.#buckets.set(key, made)
    return made
  }
}

function take(bucket: Bucket, limit: Limit, now: number): { waitSeconds: number | undefined; resetAfter: number } {
  if (now - bucket.startedAt >= limit.withinMs) Object.assign(bucket, { startedAt: now, used: 0 })
  bucket.used += 1
  const resetAfter = (bucket.startedAt + limit.withinMs - now) / second
  return { waitSeconds: bucket.used <= limit.requests ? undefined : resetAfter, resetAfter }
}

/** Returns a path without its ids, and the id or token of the channel, server or webhook to which its limit applies. */
function routeOf(path: string): { readonly route: string; readonly major: string } {
  const [, kind = '', id = '', token = ''] = path.split('/')
  const major =
    kind === 'channels' || kind === 'guilds' ? id : kind === 'webhooks' || kind === 'interactions' ? token : ''
  const bare = token !== '' && major === token ? path.replace(token, ':token') : path
  return { route: bare.replaceAll(/\/\d{15,20}(?=\/|$)/g, '/:id'), major }
}
