import type { REST, RESTOptions } from '@discordjs/rest'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type CallBudget, type CallsWanted, URGENCIES, type Urgency } from '../../tipping/tipping.ts'
import { InvalidCalls } from './invalid-calls.ts'

type MakeRequest = RESTOptions['makeRequest']

/** A client for calls of one urgency. */
export type Calls = Pick<REST, 'get' | 'post' | 'put' | 'patch' | 'delete'>

export interface PermitsOptions {
  readonly budget: CallBudget
  readonly clock: Clock
  readonly logger: Logger
  /** The calls a second that Discord permits the whole bot. Default: Discord's usual limit. */
  readonly callsPerSecond?: number | undefined
}

/** Figures about this process's calls, for metrics. */
export interface CallFigures {
  /** How many calls may be under way now. */
  readonly permits: number
  readonly inUse: number
  readonly waiting: CallsWanted
  /** The number of calls sent since the start. */
  readonly sent: CallsWanted
  /** How often Discord answered 429 since the start. */
  readonly rateLimited: number
  /** The invalid calls of all processes in the last ten minutes, as far as this process knows. */
  readonly invalid: number
}

interface Waiting {
  readonly since: number
  readonly leave: () => void
}

/**
 * The calls a second that Discord permits the whole bot.
 * https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
 */
export const CALLS_PER_SECOND = 50
/**
 * The time after an answer until the call's permit is free again: a second, and a little more, because timers may be
 * early.
 */
const REST_MS = 1_010
/**
 * The part of the permits that the book shares out. The rest is reserved for processes that have no permits in the
 * book, because they are starting or cannot reach it.
 */
const SHARED_OUT = 0.9
/** The permits of a process that has none in the book. */
const WITHOUT_BOOK = 1
/**
 * The delay between the first waiting call and the request for permits, so that simultaneous calls share one request.
 */
const GATHER_MS = 10
/** The pause between requests for permits while calls wait. */
const ASK_AGAIN_MS = 500
/** One in this many calls is the call that has waited longest, even if others are more urgent. */
const OLDEST_EVERY = 10
/**
 * The number of invalid calls in ten minutes at which only answers are still sent. Discord bans the address at 10,000.
 */
const BRAKE_AT = 5_000
/** The number of invalid calls in ten minutes at which nothing is sent any more. */
const STOP_AT = 9_000
const LOOK_AGAIN_MS = 5_000
/** How long Discord may take to answer. */
const CALL_TIMEOUT_MS = 15_000
/**
 * A timeout that practically never ends a call, because the client library's own would include the time that a call
 * waits here.
 */
export const NO_TIMEOUT_MS = 2 ** 31 - 1
/** The header with the urgency of a call that is not an answer. The header is never sent to Discord. */
const URGENCY_HEADER = 'x-satchel-urgency'
/** The addresses of calls that contain their token. Discord does not count these calls among the bot's. */
const UNCOUNTED = /\/(?:interactions\/\d+\/[^/]+\/callback|webhooks\/\d+\/[^/]+)/

/** Wraps a client that has no urgencies, for calls of one urgency. */
export function callsAt(rest: REST, urgency: Urgency): Calls {
  const marked = <Options extends { headers?: Record<string, string> }>(options?: Options) => ({
    ...options,
    headers: { ...options?.headers, [URGENCY_HEADER]: urgency },
  })
  return {
    get: (route, options) => rest.get(route, marked(options)),
    post: (route, options) => rest.post(route, marked(options)),
    put: (route, options) => rest.put(route, marked(options)),
    patch: (route, options) => rest.patch(route, marked(options)),
    delete: (route, options) => rest.delete(route, marked(options)),
  }
}

/**
 * Sends calls to Discord within its limit for all routes together, the most urgent first. A call holds a permit from
 * its start until a second after its answer. Discord receives the call somewhere in between, so it never receives more
 * calls in a second than there are permits. Several processes share the permits through their book
 * (`tipping.callBudget`).
 */
export class Permits {
  readonly #options: PermitsOptions
  /** The permits of all processes. */
  readonly #all: number
  readonly #invalid: InvalidCalls
  readonly #waiting: Readonly<Record<Urgency, Waiting[]>> = { answer: [], card: [], background: [] }
  readonly #underWay: Record<Urgency, number> = { answer: 0, card: 0, background: 0 }
  readonly #sent: Record<Urgency, number> = { answer: 0, card: 0, background: 0 }
  #served = 0
  #rateLimited = 0
  #granted = 0
  #limit = 0
  #invalidOfOthers = 0
  #braked = false
  #asking: Promise<void> | undefined
  #askLater = false
  #cancelLook: (() => void) | undefined
  #closed = false

  constructor(options: PermitsOptions) {
    this.#options = options
    this.#all = options.callsPerSecond ?? CALLS_PER_SECOND
    this.#invalid = new InvalidCalls(options.clock)
  }

  /** Requests this process's permits. Must be called before the first call to Discord. */
  async start(): Promise<void> {
    const { budget } = this.#options
    if (budget.alone) return
    // Not awaited, because the next check of living processes must not wait for it.
    budget.afterEachRound(async () => void this.#ask())
    await this.#ask()
  }

  /** Stops sending waiting calls. */
  close(): void {
    this.#closed = true
    this.#cancelLook?.()
  }

  /** Sends calls as soon as they have a permit. Calls that Discord does not count are sent immediately. */
  carry(makeRequest: MakeRequest): MakeRequest {
    return async (url, init) => {
      const { [URGENCY_HEADER]: mark, ...headers } = init.headers as Record<string, string>
      const given = await this.#permit(url, URGENCIES.find((urgency) => urgency === mark) ?? 'answer')
      try {
        const response = await this.#inTime((signal) => makeRequest(url, { ...init, headers, signal }))
        this.#invalid.note(response.status, response.headers.get('x-ratelimit-scope'))
        if (response.status === 429) this.#rateLimited += 1
        return response
      } finally {
        given()
      }
    }
  }

  figures(): CallFigures {
    const { answer, card, background } = this.#waiting
    return {
      permits: this.#permits(),
      inUse: this.#inUse(),
      waiting: { answer: answer.length, card: card.length, background: background.length },
      sent: { ...this.#sent },
      rateLimited: this.#rateLimited,
      invalid: this.#allInvalid(),
    }
  }

  /** Waits until a call may be sent. Resolves to the function to run after the call's answer. */
  async #permit(url: string, urgency: Urgency): Promise<() => void> {
    if (UNCOUNTED.test(url)) {
      if (this.#allInvalid() >= STOP_AT) await this.#turn('answer')
      else return () => undefined
    } else await this.#turn(urgency)
    return () => {
      this.#options.clock.after(REST_MS, () => {
        this.#underWay[urgency] -= 1
        this.#serve()
      })
    }
  }

  async #turn(urgency: Urgency): Promise<void> {
    await new Promise<void>((leave) => {
      this.#waiting[urgency].push({ since: this.#options.clock.monotonic(), leave })
      this.#serve()
    })
  }

  #inTime(call: (signal: AbortSignal) => ReturnType<MakeRequest>): ReturnType<MakeRequest> {
    // This error name tells the client library that the call may be tried again.
    const controller = new AbortController()
    const cancel = this.#options.clock.after(CALL_TIMEOUT_MS, () => controller.abort())
    return call(controller.signal).finally(cancel)
  }

  #serve(): void {
    if (this.#closed) return
    for (;;) {
      const urgency = this.#inUse() < this.#permits() ? this.#next() : undefined
      if (urgency === undefined) break
      this.#underWay[urgency] += 1
      this.#sent[urgency] += 1
      this.#served += 1
      this.#waiting[urgency].shift()?.leave()
    }
    if (!this.#waits()) return
    this.#askIn(GATHER_MS)
    if (this.#braked) this.#lookAgain()
  }

  /** Returns the next call's urgency; undefined if no waiting call may be sent. */
  #next(): Urgency | undefined {
    const invalid = this.#allInvalid()
    this.#tellOfBrake(invalid)
    const [most] = URGENCIES
    const open = invalid >= STOP_AT ? [] : invalid >= BRAKE_AT ? [most] : URGENCIES
    const waiting = open.filter((urgency) => this.#waiting[urgency].length > 0)
    if (waiting.length === 0) {
      return undefined
    }
    if (this.#served % OLDEST_EVERY !== OLDEST_EVERY - 1) return waiting[0]
    const since = (urgency: Urgency) => this.#waiting[urgency][0]?.since ?? 0
    return waiting.reduce((one, other) => (since(other) < since(one) ? other : one))
  }

  /** Schedules another check, because nothing else reports that fewer invalid calls count. */
  #lookAgain(): void {
    this.#cancelLook?.()
    this.#cancelLook = this.#options.clock.after(LOOK_AGAIN_MS, () => this.#serve())
  }

  #waits(): boolean {
    return URGENCIES.some((urgency) => this.#waiting[urgency].length > 0)
  }

  #permits(): number {
    const { budget } = this.#options
    if (budget.alone) return this.#all
    return budget.isLive() ? Math.max(WITHOUT_BOOK, this.#limit) : WITHOUT_BOOK
  }

  #inUse(): number {
    return URGENCIES.reduce((sum, urgency) => sum + this.#underWay[urgency], 0)
  }

  #allInvalid(): number {
    return this.#invalid.count + this.#invalidOfOthers
  }

  #tellOfBrake(invalid: number): void {
    if (invalid >= BRAKE_AT && !this.#braked) {
      const text = `Discord refused ${invalid} calls in ten minutes (401, 403 or 429), and bans the address at 10,000. Until there are fewer, only answers to commands are sent. Look for what is refused: a token that was reset, or a channel that the bot may not write in.`
      this.#options.logger.error({ alert: 'invalid_calls', invalid }, text)
    }
    this.#braked = invalid >= BRAKE_AT
  }

  #askIn(ms: number): void {
    if (this.#askLater || this.#options.budget.alone) return
    this.#askLater = true
    this.#options.clock.after(ms, async () => {
      await this.#ask()
      this.#askLater = false
      if (this.#waits() || this.#limit < this.#granted) this.#askIn(ASK_AGAIN_MS)
    })
  }

  #ask(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #askNow(): Promise<void> {
    const { budget, logger } = this.#options
    const wantedAt = (urgency: Urgency) => this.#underWay[urgency] + this.#waiting[urgency].length
    try {
      const { granted, target, invalidOfOthers } = await budget.ask({
        // Permits in use beyond the limit are returned with a later request.
        keeps: Math.min(this.#granted, Math.max(this.#limit, this.#inUse())),
        wanted: { answer: wantedAt('answer'), card: wantedAt('card'), background: wantedAt('background') },
        invalid: this.#invalid.count,
        pool: Math.floor(this.#all * SHARED_OUT),
      })
      this.#granted = granted
      this.#limit = Math.min(granted, target)
      this.#invalidOfOthers = invalidOfOthers
    } catch (error) {
      logger.warn({ err: error }, 'calls to Discord could not be shared out; it is tried again')
    }
    this.#serve()
  }
}
