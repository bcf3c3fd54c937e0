import { beforeEach, describe, expect, it } from 'vitest'
import { faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import type { Tipping } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
type Start = Parameters<Tipping['giveaways']['start']>[0]

async function start(more: Partial<Start> = {}): Promise<string> {
  const origin = { ...world.origin(), guild: 'guild' }
  const terms = { member: 'alice', prize: '100', winners: 1, duration: '1h', origin }
  return (await world.tipping.giveaways.start({ ...terms, ...more })).id
}

function enter(giveaway: string, member: string, roles: readonly string[] = []) {
  const entrant = { accountSince: new Date(0), roles }
  return world.tipping.giveaways.enter({ giveaway, member, entrant, interaction: world.origin().interaction })
}

describe('a giveaway for several roles', () => {
  it('accepts members with one of them if one is enough', async () => {
    const giveaway = await start({ roles: { ids: ['a', 'b', 'c'], need: 'any' } })
    const refused = { code: 'giveaway-needs-role', facts: { roles: ['a', 'b', 'c'] } }
    await expect(enter(giveaway, 'bob', ['d'])).rejects.toMatchObject(refused)
    await enter(giveaway, 'bob', ['d', 'c'])
  })

  it('accepts only members with all of them if all are needed', async () => {
    const giveaway = await start({ roles: { ids: ['a', 'b'], need: 'all' } })
    await expect(enter(giveaway, 'bob', ['a'])).rejects.toMatchObject({ code: 'giveaway-needs-all' })
    await enter(giveaway, 'bob', ['b', 'a'])
  })
})

describe('a giveaway with a limit on entries', () => {
  it('ends a minute after the last entry, admits nobody else, and has a valid proof', async () => {
    const giveaway = await start({ maxEntries: 3 })
    const planned = (await enter(giveaway, 'bob')).endsAt
    expect((await enter(giveaway, 'carol')).endsAt).toEqual(planned)
    const at = world.clock.now()
    const { entrants, endsAt } = await enter(giveaway, 'dave')
    expect([entrants, endsAt.getTime()]).toEqual([3, at + 60_000])
    await expect(enter(giveaway, 'erin')).rejects.toMatchObject({ code: 'giveaway-full' })
    expect((await enter(giveaway, 'bob')).already).toBe(true)
    await world.pass(59_999)
    expect((await world.tipping.giveaways.view(giveaway)).state).toBe('open')
    await world.pass(180_000)
    const { proof } = await world.tipping.giveaways.proof({ giveaway, guild: 'guild' })
    expect(proof?.entrants).toHaveLength(3)
    expect(proof).toMatchObject({ endsAt: endsAt.toISOString(), shortenedAt: new Date(at).toISOString() })
    expect(proof && faultsOfDraw(proof)).toEqual([])
  })

  it('ends on time even in a bot that has nothing else to do', async () => {
    // What was paid in is looked at every six hours.
    await world.pass(2 * 24 * 3_600_000)
    const giveaway = await start({ maxEntries: 2, duration: '1d' })
    await enter(giveaway, 'bob')
    await enter(giveaway, 'carol')
    await world.pass(180_000)
    expect((await world.tipping.giveaways.view(giveaway)).state).toBe('drawn')
  })

  it('keeps its planned end if that is less than a minute away', async () => {
    const giveaway = await start({ maxEntries: 2, duration: '2m' })
    const { endsAt: planned } = await enter(giveaway, 'bob')
    await world.pass(90_000)
    expect((await enter(giveaway, 'carol')).endsAt).toEqual(planned)
  })

  it('is refused if as many people can win as can enter, and nothing is reserved', async () => {
    await expect(start({ winners: 3, maxEntries: 3 })).rejects.toMatchObject({
      code: 'giveaway-entries-few',
      facts: { least: 4 },
    })
    expect(await world.database.read.giveaway.count()).toBe(0)
  })
})
