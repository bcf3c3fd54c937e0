import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutboxWorld } from './outbox-world.ts'

/** Tests how long other callbacks wait while receivers do not answer. */

let world: OutboxWorld
let told = 0
beforeEach(async () => {
  world = await OutboxWorld.open()
  told = 0
  world.answer = ({ url }) => (url.includes('quick') ? 204 : (undefined as never))
})
afterEach(() => world.close())

/** Returns callbacks that need not wait for each other, since each is about a different resource by default. */
const callbacks = (size: number, about: { projectId?: string; receiver: string; resource?: string }) =>
  Array.from({ length: size }, () => {
    told += 1
    const { receiver, ...more } = about
    return { ...more, number: told, url: `https://${receiver}.example/` }
  })
const quick = (projectId: string) => callbacks(1, { projectId, receiver: 'quick' })
/** Returns the numbers of the callbacks that have arrived at the receiver that answers. */
const arrived = () => world.attempts.filter(({ url }) => url.includes('quick')).map(({ number }) => number)

/**
 * Returns a function for the number of batches of callbacks that are read from now on until a callback arrives at the
 * receiver that answers.
 */
function countBatches(): () => number {
  let [batches, untilThen] = [0, 0]
  world.beforeRead = (question) => {
    if (question === 'findMany') batches += 1
  }
  const { answer } = world
  world.answer = (attempt) => {
    if (attempt.url.includes('quick')) untilThen = batches
    return answer?.(attempt) as number
  }
  return () => untilThen
}

/**
 * Waits until this many callbacks have arrived at the receiver that answers. Time passes, because a slot that becomes
 * free is only used at the next read.
 */
const untilArrived = (count: number) =>
  world.until(async () => {
    if (arrived().length < count) await world.pass(30_000)
    return arrived().length === count
  })

describe('a quick receiver is served while others hang', () => {
  it.each([
    ['those of several receivers that are not full', [200, 200, 200]],
    ['those of two receivers that are just full', [256, 256]],
  ])('even if the hanging callbacks are %s', async (_whose, sizes) => {
    const hanging = sizes.flatMap((size, at) => callbacks(size, { receiver: `slow-${at}` }))
    await world.tellAll([...hanging, ...quick('other')])
    world.start()
    await world.until(() => arrived().length === 1)
    await world.idle()
    expect(world.attempts).toHaveLength(sizes.length * 16 + 1)
  })

  it('even if many batches of hanging callbacks go to receivers with free slots', async () => {
    const hanging = Array.from({ length: 9 }, (_, at) =>
      callbacks(200, { projectId: at < 4 ? 'shop' : 'more', receiver: `slow-${at}` }),
    )
    // Batches of one moment, and what came after them.
    await world.tellAll(hanging.slice(0, 8).flat())
    world.clock.jump(1)
    await world.tellAll([...(hanging[8] ?? []), ...quick('other')])
    // Who read the same ones again and again would never end, and no test would fail.
    let batches = 0
    world.beforeRead = (question) => {
      if (question === 'findMany') batches += 1
      if (batches > 100) throw new Error('these were read before')
    }
    world.start()
    await world.until(() => arrived().length === 1)
    await world.idle()
    expect(world.attempts).toHaveLength(9 * 16 + 1)
  })

  it.each([
    [
      'callbacks that wait for an earlier one of their resource',
      () => callbacks(4_000, { receiver: 'a', resource: 'charge' }),
    ],
    ['callbacks to a receiver that is full', () => callbacks(4_000, { receiver: 'a' })],
    [
      'callbacks of a project that is full',
      () => Array.from({ length: 20 }, (_, at) => callbacks(200, { receiver: `slow-${at}` })).flat(),
    ],
  ])('within 8 batches even while these hang: %s', async (_which, hanging) => {
    await world.tellAll([...hanging(), ...quick('other')])
    const batches = countBatches()
    world.start()
    await world.until(() => arrived().length === 1)
    expect(batches()).toBeLessThan(8)
  })
})

describe('while many callbacks hang', () => {
  /** Returns callbacks to four receivers that do not answer. */
  const hang = (projectId: string, size: number) =>
    [0, 1, 2, 3].flatMap((at) => callbacks(size / 4, { projectId, receiver: `${projectId}-${at}` }))
  const attempts = (count: number) => world.until(() => world.attempts.length === count)

  it('a receiver has at most 256 of its project’s slots', async () => {
    const crowds = ['one', 'other', 'third'].flatMap((receiver) => callbacks(512, { receiver }))
    // Three times 256, and 255 more: one of 1,024 places is free.
    await world.tellAll([...crowds, ...callbacks(255, { receiver: 'fourth' }), ...quick('shop')])
    world.start()
    await attempts(4 * 16 + 1)
    expect(arrived()).toHaveLength(1)
  })

  it('a project has at most 1,024 slots', async () => {
    await world.tellAll([...hang('shop', 1_024), ...quick('shop')])
    world.start()
    await attempts(4 * 16)
    await world.idle()
    expect(arrived()).toEqual([])
    world.attempts[0]?.end(204)
    await untilArrived(1)
  })

  // So many rows take long on a busy server, and nothing here is up to it.
  const itIsCounted = it.skipIf(process.env.DATABASE === 'postgres')
  itIsCounted('all projects together have 8,192 slots, and each project has at least 64', async () => {
    const crowds = Array.from({ length: 7 }, (_, at) => `crowd-${at}`)
    await world.tellAll([...crowds.flatMap((project) => hang(project, 1_024)), ...hang('less', 960)])
    world.start()
    await attempts(8 * 64)
    const [ofFew, ofNew] = [quick('few'), quick('new')]
    await world.tellAll(hang('few', 64))
    await attempts(9 * 64)
    await world.tellAll(ofFew)
    await world.idle()
    expect(arrived()).toEqual([])
    await world.tellAll(ofNew)
    await attempts(9 * 64 + 1)
    expect(arrived()).toEqual([ofNew[0]?.number])
    world.attempts[0]?.end(204)
    await untilArrived(2)
    expect(arrived()[1]).toBe(ofFew[0]?.number)
  })
})

it('callbacks are sent in order of due time, then in the order of recording', async () => {
  await world.tellAll(callbacks(3, { receiver: 'quick' }))
  const ago = (ms: number) => new Date(world.clock.now() - ms)
  await world.change(1, { nextAttemptAt: ago(1_000) })
  await world.change(2, { nextAttemptAt: ago(2_000) })
  await world.change(3, { nextAttemptAt: ago(2_000), createdAt: ago(3_000) })
  world.start()
  await world.until(() => arrived().length === 3)
  expect(arrived()).toEqual([2, 3, 1])
})
