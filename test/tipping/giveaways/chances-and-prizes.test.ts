import { beforeEach, describe, expect, it } from 'vitest'
import { faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import type { GiveawayView } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 10_000)
})

const OLD = { accountSince: new Date(0), roles: [] as string[] }
let presses = 0

function start(
  options: {
    prize?: string
    winners?: number
    roles?: { ids: string[]; need: 'any' | 'all' }
    minAgeDays?: number
  } = {},
) {
  const terms = { prize: '500', winners: 1, duration: '1h', ...options }
  return world.tipping.giveaways.start({ member: 'alice', ...terms, origin: world.origin() })
}

function enter(giveaway: string, member: string, entrant = OLD) {
  presses += 1
  return world.tipping.giveaways.enter({ giveaway, member, entrant, interaction: String(5_000 + presses) })
}

const by = (member: string, { id }: GiveawayView) => ({ giveaway: id, member, moderator: false, guild: 'guild' })

function again(giveaway: GiveawayView, interaction?: string) {
  return world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin(interaction) })
}

/** Shows all pending messages, as the front does. */
async function show(): Promise<string[]> {
  const cards = await world.tipping.cards.pending(100)
  for (const card of cards) await world.tipping.cards.shown(card, `message-${card.id}`)
  return cards.map(({ kind }) => kind)
}

/** Draws a giveaway among these people; returns it with the messages that the front had to show at its end. */
async function drawn(members: readonly string[], options: Parameters<typeof start>[0] = {}) {
  const giveaway = await start(options)
  for (const member of members) await enter(giveaway.id, member)
  await show()
  await world.tipping.giveaways.end(by('alice', giveaway))
  await show()
  await world.pass(60_000)
  const sealed = await show()
  await world.pass(1_000)
  return { giveaway, sealed, shown: await show() }
}

describe('the entrants of a giveaway', () => {
  it('are refused if the giveaway is unknown', async () => {
    await expect(enter('00000000-0000-4000-8000-000000000000', 'bob')).rejects.toMatchObject({
      code: 'giveaway-not-found',
    })
    const nothing = { giveaway: 'nothing', member: 'alice', moderator: true, guild: 'guild' }
    await expect(world.tipping.giveaways.end(nothing)).rejects.toMatchObject({ code: 'giveaway-not-found' })
  })

  it('are counted separately for each giveaway', async () => {
    const [one, other] = [await start(), await start()]
    expect(await enter(one.id, 'bob')).toMatchObject({ entrants: 1 })
    expect(await enter(one.id, 'carol')).toMatchObject({ entrants: 2 })
    expect(await enter(other.id, 'dave')).toMatchObject({ entrants: 1 })
    expect(await enter(other.id, 'dave')).toMatchObject({ already: true, entrants: 1 })
  })

  it('can be any members if the required role is @everyone', async () => {
    const { id } = await start({ roles: { ids: ['guild'], need: 'any' } })
    expect(await enter(id, 'bob')).toMatchObject({ entrants: 1 })
  })

  it('are told the required role or age if they are refused', async () => {
    const [role, age] = [await start({ roles: { ids: ['regulars'], need: 'any' } }), await start({ minAgeDays: 30 })]
    const since = (ms: number) => ({ ...OLD, accountSince: new Date(world.clock.now() - ms) })
    await expect(enter(role.id, 'bob')).rejects.toMatchObject({ facts: { roles: ['regulars'] } })
    await expect(enter(age.id, 'bob', since(30 * 86_400_000 - 1))).rejects.toMatchObject({ facts: { days: 30 } })
    expect(await enter(age.id, 'bob', since(30 * 86_400_000))).toMatchObject({ entrants: 1 })
  })

  it('can have accounts of any age unless a minimum is set', async () => {
    const { id } = await start()
    const ahead = { ...OLD, accountSince: new Date(world.clock.now() + 1_000) }
    expect(await enter(id, 'bob', ahead)).toMatchObject({ entrants: 1 })
  })

  it('are recognized by their newest Lightning accounts', async () => {
    const { links } = world.tipping
    const { id } = await start()
    await world.linked('bob')
    await links.unlink({ member: 'bob', origin: world.origin() })
    await world.clock.advance(1_000)
    world.provider.user('new-tag')
    await links.link({ member: 'bob', gamertag: 'new-tag', origin: world.origin() })
    await world.clock.advance(1_000)
    await world.linked('carol')
    await enter(id, 'bob')
    expect(await enter(id, 'carol')).toMatchObject({ entrants: 2 })
    await links.unlink({ member: 'bob', origin: world.origin() })
    await links.link({ member: 'dave', gamertag: 'new-tag', origin: world.origin() })
    await expect(enter(id, 'dave')).rejects.toMatchObject({ code: 'giveaway-entered-elsewhere' })
  })
})

describe('the prizes of a draw', () => {
  it('go only to this giveaway’s entrants, as the proof shows', async () => {
    const other = await start()
    await enter(other.id, 'erin')
    const { giveaway } = await drawn(['bob', 'carol'])
    const { proof } = await world.tipping.giveaways.proof(by('bob', giveaway))
    if (proof === undefined) throw new Error('no proof')
    expect(proof.entrants.map(({ member }) => member).toSorted()).toEqual(['bob', 'carol'])
    expect(proof.kind).toBe('satchel-giveaway')
    expect(faultsOfDraw(proof)).toEqual([])
  })

  it('have no proof before the draw or after a cancellation', async () => {
    const { proof, cancel } = world.tipping.giveaways
    const giveaway = await start()
    const nothing = { published: { commitment: giveaway.card, entrants: undefined }, proof: undefined }
    expect(await proof(by('alice', giveaway))).toMatchObject(nothing)
    await cancel(by('alice', giveaway))
    expect(await proof(by('alice', giveaway))).toMatchObject(nothing)
  })

  it('are shown on the giveaway’s card and in one message', async () => {
    const { giveaway, sealed, shown } = await drawn(['bob', 'carol'])
    expect(sealed.toSorted()).toEqual(['giveaway'])
    expect(shown.toSorted()).toEqual(['giveaway', 'giveaway-drawn'])
    await again(giveaway)
    expect((await show()).toSorted()).toEqual(['giveaway', 'giveaway-reroll'])
  })

  it('appear on a card that is redrawn after an entry or a cancellation', async () => {
    const giveaway = await start()
    expect(await show()).toContain('giveaway')
    await enter(giveaway.id, 'bob')
    expect(await show()).toEqual(['giveaway'])
    await world.tipping.giveaways.cancel(by('alice', giveaway))
    expect(await show()).toEqual(['giveaway'])
  })
})

describe('a prize that is drawn again', () => {
  it('is forwarded to its winner’s Lightning account', async () => {
    const ids = new Map([
      ['bob', await world.linked('bob')],
      ['carol', await world.linked('carol')],
    ])
    const { giveaway } = await drawn(['bob', 'carol'])
    await world.settle()
    const { member } = await again(giveaway)
    await world.settle()
    expect(world.received(ids.get(member) ?? '')).toBe(500_000n)
    expect(await world.available(member)).toBe(0n)
  })

  it('goes to the next entrant of the same giveaway', async () => {
    await drawn(['dave', 'erin'], { winners: 2 })
    const { giveaway } = await drawn(['bob', 'carol'])
    const won = (await world.tipping.giveaways.view(giveaway.id)).won.map(({ member }) => member)
    const { member } = await again(giveaway)
    expect([...won, member].toSorted()).toEqual(['bob', 'carol'])
  })

  it('is refused if the giveaway’s starter cannot pay for it', async () => {
    const { giveaway } = await drawn(['bob', 'carol'], { prize: '9000' })
    await expect(again(giveaway)).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { balance: 1_000_000n, needed: 9_000_000n, missing: 8_000_000n },
    })
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is reported as failed if it cannot be written', async () => {
    const { giveaway } = await drawn(['bob', 'carol'])
    world.failCommits = 1
    await expect(again(giveaway)).rejects.toThrow('could not be written')
    expect((await world.tipping.giveaways.view(giveaway.id)).won).toHaveLength(1)
  })
})

describe('a giveaway', () => {
  it('reports a failure if its start or its cancellation cannot be written', async () => {
    const giveaway = await start()
    world.failCommits = 1
    await expect(start()).rejects.toThrow('could not be written')
    world.failCommits = 1
    await expect(world.tipping.giveaways.cancel(by('alice', giveaway))).rejects.toThrow('could not be written')
    expect(await world.available('alice')).toBe(9_500_000n)
  })

  it('states the missing sats or the largest number of winners if it is refused', async () => {
    await expect(start({ prize: '6000', winners: 2 })).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { balance: 10_000_000n, needed: 12_000_000n, missing: 2_000_000n },
    })
    await expect(start({ prize: '1', winners: 51 })).rejects.toMatchObject({ facts: { most: 50 } })
    expect(await start({ prize: '1', winners: 50 })).toMatchObject({ winners: 50 })
  })

  it('is refused if its interaction has already started or rerolled another giveaway', async () => {
    const origin = world.origin('same')
    const terms = { member: 'alice', prize: '500', winners: 1, duration: '1h', origin }
    await world.tipping.giveaways.start(terms)
    await expect(world.tipping.giveaways.start({ ...terms, winners: 2 })).rejects.toMatchObject({
      code: 'already-done',
    })
    const [one, other] = [(await drawn(['bob', 'carol'])).giveaway, (await drawn(['bob', 'carol'])).giveaway]
    await again(one, 'once')
    await expect(again(other, 'once')).rejects.toMatchObject({ code: 'already-done' })
  })

  it('is listed only in its server, newest first, with the terms of its start', async () => {
    const { list, view } = world.tipping.giveaways
    const one = await start({ roles: { ids: ['regulars'], need: 'any' }, minAgeDays: 30 })
    await world.clock.advance(1_000)
    const other = await start()
    expect(await list({ guild: 'guild', limit: 10 })).toMatchObject([
      { id: other.id, roles: undefined, minAgeDays: undefined, won: [], returned: 0n },
      { id: one.id, roles: { ids: ['regulars'], need: 'any' }, minAgeDays: 30, won: [], returned: 0n },
    ])
    expect(await list({ guild: 'guild', limit: 1 })).toMatchObject([{ id: other.id }])
    expect(await list({ guild: 'elsewhere', limit: 10 })).toEqual([])
    await expect(world.tipping.giveaways.rerollView('nothing')).rejects.toMatchObject({ code: 'not-there' })
    await expect(view('nothing')).rejects.toMatchObject({ code: 'not-there' })
  })
})
