import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutboxWorld } from './outbox-world.ts'

/** What waits behind callbacks whose receivers do not answer. */

let world: OutboxWorld
let told = 0
beforeEach(async () => {
  world = await OutboxWorld.open()
  told = 0
  world.answer = ({ url }) => (url.includes('quick') ? 204 : (undefined as never))
})
afterEach(() => world.close())

/** Callbacks that nobody else's have to wait for: each is about something else, unless it is said what. */
const callbacks = (size: number, about: { projectId?: string; receiver: string; resource?: string }) =>
  Array.from({ length: size }, () => {
    told += 1
    const { receiver, ...more } = about
    return { ...more, number: told, url: `https://${receiver}.example/` }
  })
const quick = (projectId: string) => callbacks(1, { projectId, receiver: 'quick' })
/** What has arrived at the receiver that answers. */
const arrived = () => world.attempts.filter(({ url }) => url.includes('quick')).map(({ number }) => number)

describe('callbacks that hang hide none of another receiver', () => {
  it.each([
    ['several receivers’ that are not full', [200, 200, 200]],
    ['two receivers’ that are just full', [256, 256]],
  ])('%s', async (_whose, sizes) => {
    const hanging = sizes.flatMap((size, at) => callbacks(size, { receiver: `slow-${at}` }))
    await world.tellAll([...hanging, ...quick('other')])
    world.start()
    await world.until(() => arrived().length === 1)
    await world.idle()
    expect(world.attempts).toHaveLength(sizes.length * 16 + 1)
  })

  it('those that wait for one of the same resource', async () => {
    await world.tellAll([...callbacks(3_000, { receiver: 'slow', resource: 'static-charge' }), ...quick('other')])
    let batches = 0
    world.beforeRead = (question) => {
      if (question === 'findMany') batches += 1
    }
    world.start()
    await world.until(() => arrived().length === 1)
    // They are passed over, not read batch after batch.
    expect(batches).toBeLessThan(6)
    await world.idle()
    expect(world.attempts).toHaveLength(2)
  })
})

it('however much hangs, a project has 1,024 callbacks taken up at most, all have 8,192, and each has 64 in any case', async () => {
  const hang = (projectId: string, size: number) =>
    [0, 1, 2, 3].flatMap((at) => callbacks(size / 4, { projectId, receiver: `${projectId}-${at}` }))
  const attempts = (count: number) => world.until(() => world.attempts.length === count)
  const end = (projectId: string) => world.attempts.find(({ url }) => url.includes(`${projectId}-0`))?.end(204)
  const crowds = Array.from({ length: 7 }, (_, at) => `crowd-${at}`)
  await world.tellAll([...crowds.flatMap((project) => hang(project, 1_024)), ...hang('less', 960)])
  world.start()
  await attempts(8 * 64)
  const [ofCrowd, ofFew, ofNew] = [quick('crowd-0'), quick('few'), quick('new')]
  await world.tellAll(hang('few', 64))
  await attempts(9 * 64)
  await world.tellAll([...ofCrowd, ...ofFew])
  await world.idle()
  expect(arrived()).toEqual([])
  await world.tellAll(ofNew)
  await attempts(9 * 64 + 1)
  expect(arrived()).toEqual([ofNew[0]?.number])
  end('crowd-0')
  // The place that is free now is found by the next look.
  await world.until(async () => {
    if (arrived().length < 3) await world.pass(30_000)
    return arrived().length === 3
  })
  expect(arrived().slice(1).toSorted()).toEqual([ofCrowd[0]?.number, ofFew[0]?.number].toSorted())
})
