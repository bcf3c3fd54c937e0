import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const long = { accountSince: new Date(0), memberSince: new Date(0) }
let world: TippingWorld

/** Opens a world in which the server excludes carol, and everybody with the role `banned`. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  const change = { blockedMembers: ['carol'], blockedRoles: ['banned'] }
  await world.tipping.preferences.changeServer({ guild, member: 'mod', change })
})
const REFUSED = { code: 'blocked' }

describe('a member whom the server excludes', () => {
  it('gets no share of a drop, whether excluded in person or by a role', async () => {
    const { tipping } = world
    const terms = { member: 'alice', amount: '100', shares: 4, origin: { ...world.origin(), guild } }
    const drop = await world.run(tipping.drops.open(terms))
    const claim = (id: string, roles: readonly string[] = []) =>
      world.run(tipping.drops.claim({ drop: drop.id, claimant: { id, roles, ...long }, origin: world.origin() }))
    await expect(claim('carol')).rejects.toMatchObject(REFUSED)
    await expect(claim('dave', ['fine', 'banned'])).rejects.toMatchObject(REFUSED)
    await claim('dave', ['fine'])
    expect((await tipping.drops.view(drop.id)).claimed).toBe(1)
  })

  it('cannot enter a giveaway', async () => {
    const { giveaways } = world.tipping
    const terms = { member: 'alice', prize: '100', winners: 1, duration: '1h', origin: { ...world.origin(), guild } }
    const giveaway = (await giveaways.start(terms)).id
    const enter = (member: string, roles: readonly string[] = []) => {
      const { interaction } = world.origin()
      return giveaways.enter({ giveaway, member, entrant: { accountSince: new Date(0), roles }, interaction })
    }
    await expect(enter('carol')).rejects.toMatchObject(REFUSED)
    await expect(enter('dave', ['banned'])).rejects.toMatchObject(REFUSED)
    await enter('dave')
    const who = await giveaways.entrants({ giveaway, guild, page: 0 })
    expect(who.entrants).toEqual([{ member: 'dave', chances: 1 }])
  })

  it('gets no rain, but an excluded role is noticed only by a look-up at Discord', async () => {
    for (const member of ['carol', 'dave', 'erin']) world.tipping.rain.heard(guild, member)
    const rain = { from: 'alice', guild, amount: '100', activeWithinMinutes: 60 }
    const roles = (id: string) => (id === 'erin' ? ['banned'] : [])
    const person = async (id: string) => ({ ...long, roles: roles(id) })
    const origin = () => ({ ...world.origin(), guild })
    const asked = await world.run(world.tipping.rain.fall({ ...rain, person, origin: origin() }))
    expect(asked.shares.map(({ recipient }) => recipient)).toEqual(['dave'])
    const unasked = await world.run(world.tipping.rain.fall({ ...rain, origin: origin() }))
    expect(unasked.shares.map(({ recipient }) => recipient)).toEqual(['dave', 'erin'])
  })

  it('is paid by no rule', async () => {
    const { pools, rules } = world.tipping
    await pools.give({ guild, member: 'alice', amount: 'all', origin: world.origin() })
    await pools.budget({ guild, member: 'mod', role: 'mods', amount: '800', period: 'month' })
    const { interaction } = world.origin()
    const terms = { recipe: 'good-post', amount: '10', budget: '100', reason: 'good', trial: false } as const
    await rules.create({ guild, member: 'mod', ...terms, interaction })
    const heard = (id: string, roles: readonly string[]) =>
      world.run(
        rules.heard({
          ...{ guild, channel: 'channel', locale: 'en', recipient: { id, bot: false } },
          what: { kind: 'reaction', emoji: '🏅', message: `to ${id}`, by: 'mod' },
          facts: async () => ({ ...long, roles }),
          moderator: async () => ['mods'],
        }),
      )
    expect(await heard('carol', [])).toEqual([])
    expect(await heard('dave', ['banned'])).toEqual([])
    expect(await heard('dave', [])).toMatchObject([{ amount: sats(10) }])
  })

  it('can take part in another server', async () => {
    const terms = { member: 'alice', prize: '100', winners: 1, duration: '1h' }
    const origin = { ...world.origin(), guild: 'elsewhere' }
    const giveaway = (await world.tipping.giveaways.start({ ...terms, origin })).id
    const entrant = { accountSince: new Date(0), roles: ['banned'] }
    const { interaction } = world.origin()
    await world.tipping.giveaways.enter({ giveaway, member: 'carol', entrant, interaction })
  })
})

describe('the list of people who entered a giveaway', () => {
  it('is paged in the order of entry, and any page beyond the last shows the last', async () => {
    const { giveaways } = world.tipping
    const terms = { member: 'alice', prize: '100', winners: 1, duration: '1h', origin: { ...world.origin(), guild } }
    const giveaway = (await giveaways.start({ ...terms, bonus: { role: 'fans', chances: 3 } })).id
    for (let nth = 0; nth < 21; nth += 1) {
      const entrant = { accountSince: new Date(0), roles: nth === 0 ? ['fans'] : [] }
      await giveaways.enter({ giveaway, member: `m${nth + 10}`, entrant, interaction: world.origin().interaction })
    }
    const page = (nth: number) => giveaways.entrants({ giveaway, guild, page: nth })
    expect(await page(0)).toMatchObject({ page: 0, pages: 2, entrants: { length: 20 } })
    expect((await page(0)).entrants[0]).toEqual({ member: 'm10', chances: 3 })
    const last = { page: 1, pages: 2, entrants: [{ member: 'm30', chances: 1 }] }
    for (const nth of [1, 2, 99]) expect(await page(nth)).toMatchObject(last)
    for (const nth of [-1, Number.NaN]) expect(await page(nth)).toMatchObject({ page: 0 })
    await expect(giveaways.entrants({ giveaway, guild: 'elsewhere', page: 0 })).rejects.toMatchObject({
      code: 'giveaway-not-found',
    })
  })
})
