import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { schedulePoll } from '../../src/tipping/engine/polling/poller.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let world: TippingWorld
let lines: Record<string, unknown>[]

/** Starts a bot that only its own polls wake, with one open deposit of alice's. */
async function begin(sweepEveryMs = 240 * HOUR, options: WorldOptions = {}) {
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'error', name: 'bot', destination })
  world = await TippingWorld.open({ logger, ...options, settings: { sweepEveryMs, ...options.settings } })
  return await world.tipping.deposits.open({ member: 'alice', amount: '10', origin: world.origin() })
}

afterEach(() => {
  vi.restoreAllMocks()
  return world.close()
})

const polls = () => world.provider.count('getStaticCharge')
const jobOf = (id: string) => world.database.read.pollJob.findUniqueOrThrow({ where: { id } })
const secondsBetween = (times: readonly number[]) =>
  times.slice(1).map((time, i) => Math.round((time - (times[i] ?? 0)) / 1_000))

describe('an unusable book', () => {
  it('is retried after pauses that grow to a minute and restart once a write succeeds', async () => {
    const { id } = await begin()
    await world.tipping.deposits.open({ member: 'erin', amount: '10', origin: world.origin() })
    const times = new Set<number>()
    const seen = { before: () => void times.add(world.clock.now()) }
    world.provider.misbehave('getStaticCharge', ...Array(60).fill(seen))
    world.failCommits = 1_000
    await world.pass(200_000)
    // Of the two that fail together, only one makes the pause longer.
    expect(secondsBetween([...times])).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    const msg = 'a task in the background failed'
    expect(lines).toContainEqual(expect.objectContaining({ task: 'poll deposit', msg }))
    expect((await jobOf(id)).polls).toBe(0)
    world.failCommits = 0
    await world.pass(MINUTE)
    expect((await jobOf(id)).polls).toBeGreaterThan(0)
    times.clear()
    world.failCommits = 1_000
    await world.pass(MINUTE)
    expect(secondsBetween([...times]).slice(0, 2)).toEqual([1, 2])
    world.failCommits = 0
  })

  it('is read again after growing pauses, and each failed read is logged', async () => {
    await begin()
    const times: number[] = []
    const read = vi.spyOn(world.database.read.pollJob, 'findMany')
    for (let i = 0; i < 4; i += 1) {
      read.mockImplementationOnce((() => {
        times.push(world.clock.now())
        return Promise.reject(new Error('disk I/O error'))
      }) as never)
    }
    await world.pass(MINUTE)
    expect(secondsBetween(times)).toEqual([1, 2, 4])
    expect(polls()).toBeGreaterThan(0)
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatchObject({ task: 'poller', err: { message: 'disk I/O error' } })
  })
})

it('a poll that fails inside the bot is logged, not counted, and repeated soon', async () => {
  const { id } = await begin()
  const read = vi.spyOn(world.database.read.deposit, 'findUnique')
  const first = vi.spyOn(world.database.read.deposit, 'findUniqueOrThrow')
  for (const spy of [read, first]) spy.mockImplementationOnce((() => Promise.reject(new Error('a mistake'))) as never)
  await world.pass(3_000)
  expect(lines).toMatchObject([{ job: id, msg: 'a poll failed', err: { message: 'a mistake' } }])
  const { polls: counted, nextAt } = await jobOf(id)
  expect(counted).toBe(0)
  const inMs = (nextAt?.getTime() ?? 0) - world.clock.now()
  expect(inMs).toBeGreaterThan(27_000)
  expect(inMs).toBeLessThanOrEqual(31_000)
  await world.pass(32_000)
  expect((await jobOf(id)).polls).toBe(1)
})

it('a poll that fails while the bot is stopping changes nothing and stays due', async () => {
  const { id } = await begin(240 * HOUR, { settings: { closeTimeoutMs: 10_000 } })
  const before = await jobOf(id)
  const { promise, reject } = Promise.withResolvers<never>()
  const read = vi.spyOn(world.database.read.deposit, 'findUnique')
  const first = vi.spyOn(world.database.read.deposit, 'findUniqueOrThrow')
  for (const spy of [read, first]) spy.mockImplementationOnce((() => promise) as never)
  await world.pass(3_000)
  const closed = world.tipping.close()
  reject(new Error('the provider is not asked any more'))
  await world.run(closed)
  expect(lines).toEqual([])
  expect(await jobOf(id)).toEqual(before)
})

it('every hint is counted; its content is stored unless it is empty or too long', async () => {
  const { id, request } = await begin()
  const other = await world.tipping.deposits.open({ member: 'erin', amount: '10', origin: world.origin() })
  const token = world.token(world.provider.chargeOf(request).callbackUrl)
  const kept: (string | null)[] = []
  const longest = 'x'.repeat(16 * 1_024 - 2)
  for (const said of [undefined, { slots: 1 }, undefined, longest, `${longest}y`, null]) {
    expect(await world.tipping.hint(token, said)).toBe('noted')
    kept.push((await jobOf(id)).said)
    await world.settle()
  }
  expect(kept).toEqual([null, '{"slots":1}', '{"slots":1}', `"${longest}"`, `"${longest}"`, 'null'])
  expect([(await jobOf(id)).hints, (await jobOf(other.id)).hints]).toEqual([6, 0])
})

it('a closed bot has no pending poll', async () => {
  await begin()
  expect(world.clock.pending).toBeGreaterThan(0)
  await world.tipping.close()
  expect(world.clock.pending).toBe(0)
})

it('a job with nothing left to poll ends without a logged error', async () => {
  await begin()
  await world.linked('bob')
  const { id, request } = await world.tipping.invoices.create({ member: 'bob', amount: '10', origin: world.origin() })
  world.provider.invoiceOf(request).status = 'CHARGE_COMPLETED'
  await world.pass(HOUR)
  expect(await jobOf(id)).toMatchObject({ polls: 1, nextAt: null })
  expect(lines).toEqual([])
})

describe('the report that polls are settled', () => {
  const isDue = (id: string, inMs = 0) =>
    world.database.write.pollJob.update({ where: { id }, data: { nextAt: new Date(world.clock.now() + inMs) } })

  /**
   * Waits, while the clock stands still, until the bot has no work under way. Throws if the book is read over and over.
   */
  async function settled(tipping = world.tipping): Promise<void> {
    const { pollJob } = world.database.read
    const find = pollJob.findMany.bind(pollJob)
    let times = 0
    vi.spyOn(pollJob, 'findMany').mockImplementation(((query: never) => {
      times += 1
      return times > 50 ? Promise.reject(new Error('asked over and over')) : find(query)
    }) as never)
    await tipping.settled()
    vi.restoreAllMocks()
  }

  it('comes when all due jobs have run, and does not wait for later ones', async () => {
    const { id } = await begin()
    await isDue(id, 1)
    await settled()
    expect(polls()).toBe(0)
    await isDue(id)
    await settled()
    expect(polls()).toBe(1)
  })

  it('comes even while the book cannot be used, and the job is polled after a pause', async () => {
    const { id } = await begin()
    await isDue(id)
    world.failCommits = 1
    await settled()
    world.clock.freeze(999)
    await settled()
    expect(polls()).toBe(1)
    world.clock.freeze(1)
    await settled()
    expect(polls()).toBe(2)
    expect(await jobOf(id)).toMatchObject({ polls: 1 })
  })

  it('comes immediately from a bot that leaves polling to another bot', async () => {
    const { id } = await begin(240 * HOUR, { besideOthers: true })
    await isDue(id)
    const first = world.tipping
    await settled(await world.start())
    expect(polls()).toBe(0)
    await settled(first)
    expect(polls()).toBe(1)
  })
})

describe('a due job', () => {
  it('is polled alongside up to seven others, or as soon as one of those ends', async () => {
    const first = await begin()
    const more = Array.from({ length: 9 }, (_, i) =>
      world.tipping.deposits.open({ member: `member-${i}`, amount: '10', origin: world.origin() }),
    )
    const ids = [first, ...(await Promise.all(more))].map(({ id }) => id)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(8).fill('hang'))
    await world.pass(4_000)
    expect(polls()).toBe(8)
    await world.pass(MINUTE)
    for (const id of ids) expect((await jobOf(id)).polls).toBeGreaterThan(0)
  })

  it('is polled while another poll runs, and does not make that poll repeat', async () => {
    const deposits = [await begin()]
    deposits.push(await world.tipping.deposits.open({ member: 'erin', amount: '10', origin: world.origin() }))
    world.provider.misbehave('getStaticCharge', 'hang')
    for (const { request } of deposits) {
      await world.tipping.hint(world.token(world.provider.chargeOf(request).callbackUrl))
      await world.pass(100)
    }
    expect(polls()).toBe(2)
    await world.pass(MINUTE)
    for (const { id } of deposits) expect((await jobOf(id)).polls).toBeGreaterThan(0)
  })

  it('is polled again immediately if a hint arrives during its poll', async () => {
    const { request } = await begin()
    const { id, callbackUrl } = world.provider.chargeOf(request)
    const hint = () => world.tipping.hint(world.token(callbackUrl))
    let hinted: Promise<unknown> = Promise.resolve()
    const after = () => {
      world.provider.payCharge(id)
      hinted = hint()
    }
    world.provider.misbehave('getStaticCharge', { answer: {}, after })
    await hint()
    await world.pass(1_000)
    await hinted
    expect(polls()).toBe(2)
    expect(await world.available('alice')).toBe(10_000n)
  })

  it('is polled however many ended jobs there are', async () => {
    const { id } = await begin()
    const ended = (i: number) => ({ id: `ended-${i}`, kind: 'deposit', bornAt: new Date(0), nextAt: null })
    await world.database.write.pollJob.createMany({ data: Array.from({ length: 20 }, (_, i) => ended(i)) })
    await world.pass(4_000)
    expect((await jobOf(id)).polls).toBeGreaterThan(0)
  })
})

it('a job due impossibly late (in 3 days) is polled, but one due in a day is not', async () => {
  const { id } = await begin(MINUTE)
  const other = await world.tipping.deposits.open({ member: 'erin', amount: '10', origin: world.origin() })
  const [soon, far] = [new Date(world.clock.now() + DAY), new Date(world.clock.now() + 3 * DAY)]
  await world.database.write.pollJob.update({ where: { id }, data: { nextAt: far } })
  await world.database.write.pollJob.update({ where: { id: other.id }, data: { nextAt: soon } })
  await world.pass(2 * MINUTE)
  expect((await jobOf(id)).polls).toBeGreaterThan(0)
  expect(await jobOf(other.id)).toMatchObject({ polls: 0, nextAt: soon })
})

it('a rescheduled job gets its new time and is otherwise unchanged', async () => {
  const { id } = await begin()
  const before = await jobOf(id)
  const at = new Date(world.clock.now() + HOUR)
  const again = { id, kind: 'drop', bornAt: new Date(0), token: 'another' } as const
  await world.database.write.$transaction((tx) => schedulePoll(tx, again, at))
  expect(await jobOf(id)).toEqual({ ...before, nextAt: at })
})
