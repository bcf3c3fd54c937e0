import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { schedulePoll } from '../../src/tipping/machines/polling/poller.ts'
import { TippingWorld } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let world: TippingWorld
let lines: Record<string, unknown>[]

/** A bot that only its own polls wake, with one open deposit of alice. */
async function begin(sweepEveryMs = 240 * HOUR) {
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'error', name: 'bot', destination })
  world = await TippingWorld.open({ logger, settings: { sweepEveryMs } })
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

describe('a book that cannot be used', () => {
  it('is tried again after pauses that grow to a minute, and are short again once it was written', async () => {
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

  it('is read again after pauses that grow as well, and the operator hears of it', async () => {
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

it('a poll that fails for a reason of ours is logged, does not count, and comes again in half a minute', async () => {
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

it('what waits for days, since the clock was set back, is looked at now; what waits for a day is let be', async () => {
  const { id } = await begin(MINUTE)
  const other = await world.tipping.deposits.open({ member: 'erin', amount: '10', origin: world.origin() })
  const [soon, far] = [new Date(world.clock.now() + DAY), new Date(world.clock.now() + 3 * DAY)]
  await world.database.write.pollJob.update({ where: { id }, data: { nextAt: far } })
  await world.database.write.pollJob.update({ where: { id: other.id }, data: { nextAt: soon } })
  await world.pass(2 * MINUTE)
  expect((await jobOf(id)).polls).toBeGreaterThan(0)
  expect(await jobOf(other.id)).toMatchObject({ polls: 0, nextAt: soon })
})

it('what is scheduled again has its new time, and is otherwise as it was', async () => {
  const { id } = await begin()
  const before = await jobOf(id)
  const at = new Date(world.clock.now() + HOUR)
  const again = { id, kind: 'drop', bornAt: new Date(0), token: 'another' } as const
  await world.database.write.$transaction((tx) => schedulePoll(tx, again, at))
  expect(await jobOf(id)).toEqual({ ...before, nextAt: at })
})
