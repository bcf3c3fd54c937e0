import { beforeEach, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  await world.fund('carol', 10)
})
const MINUTE_MS = 60_000
const INTERACTION = 'interaction-announced'
const announce = () => world.run(world.tipping.announcements.note(world.origin(INTERACTION)))
const cards = () => world.database.read.card.findMany({ where: { kind: 'interrupted' } })

it('a tip’s announcement is withdrawn if the process died before the tip was written', async () => {
  await announce()
  const died = world.dieAtCommit(1, 'before')
  void world.tip('alice', 'carol', '300', INTERACTION).catch(() => undefined)
  await died
  await world.reborn()
  expect(await cards()).toMatchObject([{ pending: false }])
  await world.pass(MINUTE_MS)
  expect(await cards()).toMatchObject([{ pending: true, interaction: INTERACTION, channel: 'channel', reply: 'reply' }])
  await expect(world.run(world.tip('alice', 'carol', '300', INTERACTION))).rejects.toMatchObject({
    code: 'already-done',
  })
  expect([await world.available('alice'), await world.available('carol')]).toEqual([1_000_000n, 10_000n])
})

it('a tip’s announcement stays if the tip was written before the process died', async () => {
  await announce()
  const died = world.dieAtCommit(1, 'after')
  void world.tip('alice', 'carol', '300', INTERACTION).catch(() => undefined)
  await died
  await world.reborn()
  await world.pass(MINUTE_MS)
  expect(await cards()).toEqual([])
  expect([await world.available('alice'), await world.available('carol')]).toEqual([700_000n, 310_000n])
})

it('the record of a tip’s announcement is deleted once the tip is written', async () => {
  const note = await announce()
  await world.run(world.tip('alice', 'carol', '300', INTERACTION))
  await world.run(world.tipping.announcements.end(note))
  await world.pass(2 * MINUTE_MS)
  expect(await cards()).toEqual([])
  expect(await world.database.read.pollJob.findUnique({ where: { id: note } })).toBe(null)
})

it('the record of an announcement is kept while the announcement is being withdrawn', async () => {
  const note = await announce()
  await world.pass(MINUTE_MS)
  await world.run(world.tipping.announcements.end(note))
  expect(await cards()).toMatchObject([{ pending: true }])
})
