import { REST } from '@discordjs/rest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CallFigures, callsAt, Permits } from '../../src/bot/transport/permits.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { CallBudget, PermitsAsked, PermitsGranted, Urgency } from '../../src/tipping/tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'

/**
 * A call to Discord, which the test answers. These tests are about one process; test/tipping/two-bots tests permits in
 * the book.
 */
interface Call {
  readonly path: string
  readonly headers: Headers
  answer(status?: number, headers?: Record<string, string>): Promise<void>
}

let clock: ManualClock
let calls: Call[]
let log: Record<string, unknown>[]
let permits: Permits
beforeEach(() => {
  clock = new ManualClock()
  calls = []
  log = []
})
afterEach(() => permits.close())

const settle = async () => {
  for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

function open({ budget = ALONE, callsPerSecond = 3 }: { budget?: CallBudget; callsPerSecond?: number } = {}) {
  const logger = createLogger({
    level: 'info',
    name: 'bot',
    destination: { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  })
  permits = new Permits({ budget, clock, logger, callsPerSecond })
  const rest = new REST({
    ...{ globalRequestsPerSecond: Number.POSITIVE_INFINITY, retries: 0, api: 'https://discord.test/api' },
    makeRequest: permits.carry((url, init) => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      const answer = async (status = 200, headers: Record<string, string> = {}) => {
        resolve(new Response('{}', { status, headers: { 'content-type': 'application/json', ...headers } }))
        await settle()
      }
      calls.push({ path: url.replace(/.*\/v10/, ''), headers: new Headers(init.headers as never), answer })
      init.signal?.addEventListener('abort', () => resolve(Response.error()))
      return promise as never
    }),
  }).setToken('token')
  let number = 0
  return {
    async ask(urgency: Urgency, name = urgency, how = {}): Promise<void> {
      number += 1
      // Each call has its own route, since the client sends one call of a route at a time.
      callsAt(rest, urgency)
        .get(`/channels/${100_000_000_000_000_000n + BigInt(number)}/${name}`, how)
        .catch(() => undefined)
      await settle()
    },
    async say(token: string): Promise<void> {
      rest.post(`/webhooks/100000000000000000/${token}`, { auth: false }).catch(() => undefined)
      await settle()
    },
  }
}

const ALONE: CallBudget = {
  alone: true,
  isLive: () => true,
  ask: () => Promise.reject(new Error('one that is alone asks for nothing')),
  afterEachRound: () => undefined,
}
const sent = () => calls.map(({ path }) => path.split('/').at(-1))

test('a permit is free again 1 second after the answer to its call', async () => {
  const { ask } = open()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await ask('card', name as Urgency)
  expect(sent()).toEqual(['a', 'b', 'c'])

  await clock.advance(5_000)
  expect(sent()).toEqual(['a', 'b', 'c'])
  await calls[1]?.answer()
  await clock.advance(999)
  await settle()
  expect(sent()).toEqual(['a', 'b', 'c'])
  await clock.advance(20)
  await settle()
  expect(sent()).toEqual(['a', 'b', 'c', 'd'])
})

test('the most urgent call goes first, and every tenth turn goes to the oldest call', async () => {
  const { ask } = open({ callsPerSecond: 1 })
  await ask('card', 'first' as Urgency)
  await ask('background')
  await clock.advance(1)
  for (let at = 0; at < 4; at += 1) await ask('card')
  for (let at = 0; at < 10; at += 1) await ask('answer')

  for (let at = 0; at < 15; at += 1) {
    await calls.at(-1)?.answer()
    await clock.advance(1_010)
    await settle()
  }

  const answers = (count: number) => Array.from({ length: count }, () => 'answer')
  expect(sent()).toEqual(['first', ...answers(8), 'background', ...answers(2), 'card', 'card', 'card', 'card'])
  // The mark is for this process alone.
  expect(calls.every(({ headers }) => !headers.has('x-satchel-urgency'))).toBe(true)
})

test('a call with an interaction’s token needs no permit', async () => {
  const { ask, say } = open({ callsPerSecond: 1 })
  await ask('card')
  await ask('card')
  await say('secret')
  expect(sent()).toEqual(['card', 'secret'])
})

test('a call that Discord does not answer times out, and returns its permit', async () => {
  const { ask } = open({ callsPerSecond: 1 })
  await ask('card', 'silent' as Urgency)
  await ask('card', 'next' as Urgency)
  await clock.advance(15_000)
  await settle()
  await clock.advance(1_010)
  await settle()
  expect(sent()).toEqual(['silent', 'next'])
})

test('as a ban for invalid calls approaches, the bot sends only answers, then nothing', async () => {
  const budget = new ScriptedBudget()
  const { ask, say } = open({ budget, callsPerSecond: 50 })
  const others = async (invalidOfOthers: number) => {
    budget.says = { granted: 9, target: 9, invalidOfOthers }
    await budget.round()
    await settle()
  }
  await permits.start()
  await ask('answer', 'refused' as Urgency)
  await calls[0]?.answer(403)
  await others(4_999)
  expect(budget.asked.at(-1)?.invalid).toBe(1)
  expect(permits.figures()).toMatchObject({ invalid: 5_000, rateLimited: 0 })

  await ask('card')
  await ask('background')
  await ask('answer')
  expect(sent()).toEqual(['refused', 'answer'])
  expect(log).toContainEqual(expect.objectContaining({ alert: 'invalid_calls', invalid: 5_000 }))

  await others(8_999)
  await ask('answer')
  await say('secret')
  expect(sent()).toEqual(['refused', 'answer'])

  await others(0)
  await clock.advance(5_000)
  await settle()
  expect(sent()).toEqual(['refused', 'answer', 'answer', 'secret', 'card', 'background'])
})

test('a 429 answer due to a shared limit is not counted as an invalid call', async () => {
  const { ask } = open()
  await ask('card')
  await calls[0]?.answer(429, { 'x-ratelimit-scope': 'shared' })
  expect(permits.figures()).toMatchObject({ invalid: 0, rateLimited: 1 })
})

test('a process requests permits for all its waiting calls together, and only once', async () => {
  const budget = new ScriptedBudget()
  const { ask } = open({ budget, callsPerSecond: 50 })
  await permits.start()
  expect(budget.asked).toHaveLength(1)

  for (let at = 0; at < 6; at += 1) await ask('card')
  expect(sent()).toHaveLength(2)
  budget.says = { granted: 9, target: 9, invalidOfOthers: 0 }
  await clock.advance(10)
  await settle()

  expect(budget.asked.slice(1)).toEqual([
    { keeps: 2, wanted: { answer: 0, card: 6, background: 0 }, invalid: 0, pool: 45 },
  ])
  expect(sent()).toHaveLength(6)
  await clock.advance(60_000)
  expect(budget.asked).toHaveLength(2)
})

test('a process without a lease uses only 1 of the permits that the book granted', async () => {
  const budget = new ScriptedBudget()
  const { ask } = open({ budget })
  await permits.start()
  budget.live = false
  for (let at = 0; at < 3; at += 1) await ask('answer')
  expect(sent()).toHaveLength(1)
  expect(permits.figures()).toMatchObject({
    permits: 1,
    inUse: 1,
    waiting: { answer: 2 },
  } satisfies DeepPartial<CallFigures>)
})

test('a process stops using permits before it returns them to the book', async () => {
  const budget = new ScriptedBudget()
  const { ask } = open({ budget, callsPerSecond: 50 })
  budget.says = { granted: 9, target: 3, invalidOfOthers: 0 }
  await permits.start()
  for (let at = 0; at < 6; at += 1) await ask('background')
  expect(sent()).toHaveLength(3)
  await clock.advance(10)
  expect(budget.asked.at(-1)).toMatchObject({ keeps: 3 })
})

test('a process keeps its permits while the book cannot be reached', async () => {
  const budget = new ScriptedBudget()
  const { ask } = open({ budget })
  await permits.start()
  budget.says = new Error('the database is away')
  for (let at = 0; at < 3; at += 1) await ask('answer')
  await clock.advance(10)
  await settle()
  expect(sent()).toHaveLength(2)
  expect(log).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('could not be shared out') }))
})

type DeepPartial<Of> = { readonly [Name in keyof Of]?: DeepPartial<Of[Name]> }

/** A call budget that the test scripts. */
class ScriptedBudget implements CallBudget {
  readonly alone = false
  live = true
  says: PermitsGranted | Error = { granted: 2, target: 2, invalidOfOthers: 0 }
  readonly asked: PermitsAsked[] = []
  round: () => Promise<void> = async () => undefined
  isLive = () => this.live
  async ask(asked: PermitsAsked): Promise<PermitsGranted> {
    this.asked.push(asked)
    if (this.says instanceof Error) throw this.says
    return this.says
  }
  afterEachRound(run: () => Promise<void>): void {
    this.round = run
  }
}
