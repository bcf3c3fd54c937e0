import { describe, expect, it } from 'vitest'
import { faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { commitmentTo } from '../../../src/lib/proofs/provable-draw.ts'
import type { GiveawayView } from '../../../src/tipping/tipping.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 10_000)
}

const OLD = { accountSince: new Date(0), roles: ['regulars'] }
let presses = 0

function start(
  options: {
    prize?: string
    winners?: number
    duration?: string
    roles?: { ids: string[]; need: 'any' | 'all' }
    minAgeDays?: number
  } = {},
) {
  const { prize = '500', winners = 2, duration = '1h', ...more } = options
  return world.tipping.giveaways.start({ member: 'alice', prize, winners, duration, ...more, origin: world.origin() })
}

function enter({ id }: GiveawayView, member: string, entrant = OLD) {
  presses += 1
  return world.tipping.giveaways.enter({ giveaway: id, member, entrant, interaction: String(1_000 + presses) })
}

/** Shows all pending messages, as the front does. */
async function show(): Promise<string[]> {
  const cards = await world.tipping.cards.pending(100)
  for (const card of cards) await world.tipping.cards.shown(card, `message-${card.id}`)
  return cards.map(({ kind }) => kind)
}

async function stateOf({ id }: GiveawayView) {
  return await world.tipping.giveaways.view(id)
}

const by = (member: string, { id }: GiveawayView, moderator = false) => ({
  giveaway: id,
  member,
  moderator,
  guild: 'guild',
})

describe('a giveaway', () => {
  it('reserves its prizes, takes entries, and pays the winners once its time is over', async () => {
    await begin()
    const giveaway = await start({ prize: '500', winners: 2 })
    expect(giveaway).toMatchObject({ state: 'open', prize: 500_000n, winners: 2, entrants: 0, seed: undefined })
    expect(await world.available('alice')).toBe(9_000_000n)
    for (const member of ['bob', 'carol', 'dave']) await enter(giveaway, member)
    await world.pass(59 * 60_000)
    expect((await stateOf(giveaway)).state).toBe('open')
    await show()
    await world.pass(60_000)
    expect(await show()).toEqual(['giveaway'])
    await world.pass(1_000)
    const drawn = await stateOf(giveaway)
    expect(drawn).toMatchObject({ state: 'drawn', entrants: 3, returned: 0n })
    expect(drawn.won).toHaveLength(2)
    for (const { member } of drawn.won) expect(await world.available(member)).toBe(500_000n)
    expect(await world.available('alice')).toBe(9_000_000n)
  })

  it('forwards prizes to their winners’ Lightning accounts', async () => {
    await begin()
    const bob = await world.linked('bob')
    const giveaway = await start({ winners: 1 })
    await enter(giveaway, 'bob')
    await finish(giveaway)
    await world.settle()
    expect((await stateOf(giveaway)).won).toMatchObject([{ member: 'bob', state: 'paid' }])
    expect(world.received(bob)).toBe(500_000n)
  })

  it('returns the prizes that no entrant can win', async () => {
    await begin()
    const giveaway = await start({ winners: 3 })
    await enter(giveaway, 'bob')
    await finish(giveaway)
    expect(await stateOf(giveaway)).toMatchObject({ won: [{ member: 'bob' }], returned: 1_000_000n })
    expect(await world.available('alice')).toBe(9_500_000n)
    const lonely = await start()
    await finish(lonely)
    expect(await stateOf(lonely)).toMatchObject({ state: 'drawn', won: [], returned: 1_000_000n })
    expect(await world.available('alice')).toBe(9_500_000n)
  })

  it('shares the balance among the winners if its amount is “all”', async () => {
    await begin()
    expect(await start({ prize: 'all', winners: 3 })).toMatchObject({ prize: 3_333_000n })
    expect(await world.available('alice')).toBe(1_000n)
  })

  it('is started once by two deliveries of its command', async () => {
    await begin()
    const origin = world.origin('same')
    const command = { member: 'alice', prize: '500', winners: 2, duration: '1h', origin }
    const both = await Promise.all([world.tipping.giveaways.start(command), world.tipping.giveaways.start(command)])
    expect(both[0].id).toBe(both[1].id)
    expect(await world.available('alice')).toBe(9_000_000n)
  })

  it('is refused if its terms are invalid, and no sats move', async () => {
    await begin()
    const wrong = [
      [{ prize: '6000' }, 'insufficient-funds'],
      [{ prize: '0' }, 'amount-zero'],
      [{ duration: 'soon' }, 'duration-not-understood'],
      [{ duration: '5' }, 'duration-not-understood'],
      [{ duration: '0m' }, 'duration-out-of-range'],
      [{ duration: '31d' }, 'duration-out-of-range'],
      [{ winners: 51 }, 'too-many-winners'],
      [{ winners: 0 }, 'too-many-winners'],
    ] as const
    for (const [options, code] of wrong) {
      await expect(start(options), JSON.stringify(options)).rejects.toMatchObject({ code })
      expect(await world.available('alice')).toBe(10_000_000n)
    }
  })
})

async function finish(giveaway: GiveawayView): Promise<void> {
  await world.tipping.giveaways.end(by('alice', giveaway))
  await world.pass(60_000)
  await show()
  await world.pass(5_000)
}

describe('an entry in a giveaway', () => {
  it('counts once for each person, and once for each Lightning account', async () => {
    await begin()
    const giveaway = await start()
    expect(await enter(giveaway, 'bob')).toMatchObject({ already: false, entrants: 1 })
    expect(await enter(giveaway, 'bob')).toMatchObject({ already: true, entrants: 1 })
    await world.linked('carol')
    await enter(giveaway, 'carol')
    await world.tipping.links.unlink({ member: 'carol', origin: world.origin() })
    await world.tipping.links.link({ member: 'dave', gamertag: 'carol-tag', origin: world.origin() })
    await expect(enter(giveaway, 'dave')).rejects.toMatchObject({ code: 'giveaway-entered-elsewhere' })
    expect((await stateOf(giveaway)).entrants).toBe(2)
  })

  it('is refused if the new owner of the person’s former Lightning account has entered', async () => {
    await begin()
    const giveaway = await start()
    await world.linked('carol')
    await world.tipping.links.unlink({ member: 'carol', origin: world.origin() })
    await world.tipping.links.link({ member: 'dave', gamertag: 'carol-tag', origin: world.origin() })
    await enter(giveaway, 'dave')
    await expect(enter(giveaway, 'carol')).rejects.toMatchObject({ code: 'giveaway-entered-elsewhere' })
  })

  it('is accepted only if the person meets the giveaway’s conditions', async () => {
    await begin()
    const giveaway = await start({ roles: { ids: ['regulars'], need: 'any' }, minAgeDays: 30 })
    const young = { accountSince: new Date(world.clock.now() - 29 * 86_400_000), roles: ['regulars'] }
    await expect(enter(giveaway, 'bob', { ...OLD, roles: [] })).rejects.toMatchObject({ code: 'giveaway-needs-role' })
    await expect(enter(giveaway, 'bob', young)).rejects.toMatchObject({ code: 'giveaway-needs-age' })
    await expect(enter(giveaway, 'alice')).rejects.toMatchObject({ code: 'giveaway-own' })
    expect(await enter(giveaway, 'bob')).toMatchObject({ entrants: 1 })
  })

  it('is refused once the time is over, even before the draw', async () => {
    await begin()
    const giveaway = await start({ duration: '1m' })
    await world.tipping.close()
    await world.clock.advance(60_000)
    await world.start()
    await expect(enter(giveaway, 'bob')).rejects.toMatchObject({ code: 'giveaway-over' })
  })

  it('counts once for each of 100 people who press twice at the same time', async () => {
    await begin()
    const giveaway = await start()
    const everybody = Array.from({ length: 100 }, (_, i) => `member-${i}`)
    const entered = await Promise.all([...everybody, ...everybody].map((member) => enter(giveaway, member)))
    expect(entered.filter(({ already }) => !already)).toHaveLength(100)
    expect((await stateOf(giveaway)).entrants).toBe(100)
  })
})

describe('the draw of a giveaway', () => {
  it('keeps its seed secret until the hash of the entrants is published', async () => {
    await begin()
    const giveaway = await start()
    await enter(giveaway, 'bob')
    await world.tipping.giveaways.end(by('alice', giveaway))
    await world.pass(65_000)
    const sealed = await stateOf(giveaway)
    expect(sealed).toMatchObject({ state: 'sealed', entrantsHash: expect.any(String), seed: undefined, won: [] })
    await expect(enter(giveaway, 'carol')).rejects.toMatchObject({ code: 'giveaway-over' })
    expect((await world.tipping.giveaways.proof(by('bob', giveaway))).proof).toBeUndefined()
    await show()
    await world.pass(1_000)
    const { state, seed = '', entrantsHash } = await stateOf(giveaway)
    expect({ state, entrantsHash }).toEqual({ state: 'drawn', entrantsHash: sealed.entrantsHash })
    expect(commitmentTo(Buffer.from(seed, 'hex'))).toBe(giveaway.commitment)
  })

  it('continues after a few minutes if its message cannot be posted', async () => {
    await begin()
    const giveaway = await start({ winners: 1 })
    await enter(giveaway, 'bob')
    await world.tipping.giveaways.end(by('alice', giveaway))
    await world.pass(160_000)
    expect((await stateOf(giveaway)).state).toBe('sealed')
    await world.pass(30_000)
    expect(await stateOf(giveaway)).toMatchObject({ state: 'drawn', won: [{ member: 'bob' }] })
  })

  it('is protected by the database, which refuses late entries and other changes', async () => {
    await begin()
    const giveaway = await start()
    await enter(giveaway, 'bob')
    await finish(giveaway)
    const late = { giveawayId: giveaway.id, member: 'eve', interaction: '1', createdAt: new Date(0) }
    await expect(world.database.write.giveawayEntry.create({ data: late })).rejects.toThrow()
    const where = { giveawayId_member: { giveawayId: giveaway.id, member: 'bob' } }
    await expect(world.database.write.giveawayEntry.delete({ where })).rejects.toThrow()
    const change = { where: { id: giveaway.id }, data: { seed: '0'.repeat(64) } }
    await expect(world.database.write.giveaway.update(change)).rejects.toThrow()
    const stored = await world.database.read.giveaway.findMany({ include: { entries: true } })
    expect(stored).toMatchObject([{ commitment: giveaway.commitment, entries: [{ member: 'bob' }] }])
    expect(commitmentTo(Buffer.from(stored[0]?.seed ?? '', 'hex'))).toBe(giveaway.commitment)
  })

  it('can be verified with its proof, but not with a changed proof', async () => {
    await begin()
    const giveaway = await start({ winners: 2 })
    for (const member of ['bob', 'carol', 'dave', 'erin']) await enter(giveaway, member)
    await finish(giveaway)
    await world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin() })
    const { proof } = await world.tipping.giveaways.proof(by('bob', giveaway))
    if (proof === undefined) throw new Error('no proof')
    expect(faultsOfDraw(proof)).toEqual([])
    expect(proof.drawnAgain).toHaveLength(1)
    expect(faultsOfDraw({ ...proof, won: proof.won.toReversed() })).not.toEqual([])
    expect(faultsOfDraw({ ...proof, entrants: proof.entrants.slice(1) })).not.toEqual([])
  })

  it('gives a role’s holders the promised chances, which its proof shows', async () => {
    await begin()
    const terms = { member: 'alice', prize: '500', winners: 1, duration: '1h', bonus: { role: 'regulars', chances: 5 } }
    const giveaway = await world.tipping.giveaways.start({ ...terms, origin: world.origin() })
    expect(giveaway.bonus).toEqual({ role: 'regulars', chances: 5 })
    await enter(giveaway, 'bob')
    await enter(giveaway, 'carol', { ...OLD, roles: [] })
    await finish(giveaway)
    const { proof } = await world.tipping.giveaways.proof(by('bob', giveaway))
    expect(proof?.entrants.map(({ member, chances }) => [member, chances])).toEqual([
      ['bob', 5],
      ['carol', undefined],
    ])
    expect(proof && faultsOfDraw(proof)).toEqual([])
    const change = { where: { id: giveaway.id }, data: { bonusChances: 2 } }
    await expect(world.database.write.giveaway.update(change)).rejects.toThrow()
  })

  it('happens once, even if the bot restarts between two of its steps', async () => {
    await begin()
    const giveaway = await start({ duration: '10m', winners: 1 })
    await enter(giveaway, 'bob')
    await world.restart()
    await world.pass(10 * 60_000)
    expect((await stateOf(giveaway)).state).toBe('sealed')
    await show()
    await world.restart()
    await world.pass(1_000)
    await world.restart()
    await world.pass(60_000)
    expect(await stateOf(giveaway)).toMatchObject({ state: 'drawn', won: [{ member: 'bob' }] })
    expect(await world.available('bob')).toBe(500_000n)
  })

  it('happens when the bot next starts if the giveaway is overdue', async () => {
    await begin()
    const giveaway = await start({ duration: '10m', winners: 1 })
    await enter(giveaway, 'bob')
    await world.tipping.close()
    await world.clock.advance(20 * 60_000)
    await world.start()
    await world.settle()
    await show()
    await world.pass(1_000)
    expect((await stateOf(giveaway)).state).toBe('drawn')
  })

  it('does not happen early if the clock is changed', async () => {
    await begin()
    const giveaway = await start({ duration: '2h' })
    await enter(giveaway, 'bob')
    world.clock.jump(24 * 3_600_000)
    await world.pass(3 * 60_000)
    expect((await stateOf(giveaway)).state).toBe('open')
    world.clock.jump(-24 * 3_600_000)
  })
})

describe('an early end, a cancellation or a reroll', () => {
  it('is refused to a moderator unless it is a cancellation', async () => {
    await begin()
    const giveaway = await start()
    for (const member of ['mod', 'bob']) await enter(giveaway, member)
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(world.tipping.giveaways.end(by('mod', giveaway, true))).rejects.toMatchObject({
        code: 'giveaway-cancel-only',
      })
    }
    expect(await world.tipping.giveaways.view(giveaway.id)).toMatchObject({ state: 'open', won: [] })
    const cancelled = await world.tipping.giveaways.cancel(by('mod', giveaway, true))
    expect(cancelled).toMatchObject({ state: 'cancelled', cancelledBy: 'mod', won: [] })
    expect(cancelled.returned).toBe(giveaway.prize * BigInt(giveaway.winners))
    expect(await world.database.read.moderationLogEntry.findMany()).toMatchObject([
      { guild: 'guild', member: 'mod', action: 'giveaway-cancelled', about: expect.stringContaining(giveaway.id) },
    ])
  })

  it('is allowed in a moderator’s own giveaway, but only an early end is logged', async () => {
    await begin()
    const giveaway = await start()
    expect(await world.tipping.giveaways.cancel(by('alice', giveaway, true))).toMatchObject({ cancelledBy: undefined })
    expect(await world.database.read.moderationLogEntry.count()).toBe(0)
    const another = await start({ winners: 1 })
    for (const member of ['bob', 'carol']) await enter(another, member)
    const endsAt = new Date(world.clock.now() + 60_000)
    expect(await world.tipping.giveaways.end(by('alice', another, true))).toMatchObject({ state: 'open', endsAt })
    await finish(another)
    await world.tipping.giveaways.reroll({ ...by('alice', another, true), origin: world.origin() })
    expect(await world.database.read.moderationLogEntry.findMany()).toMatchObject([
      { guild: 'guild', member: 'alice', action: 'giveaway-ended-early' },
    ])
  })

  it('is refused to members who are neither the starter nor a moderator', async () => {
    await begin()
    const giveaway = await start()
    const { end, cancel, reroll } = world.tipping.giveaways
    await expect(end(by('bob', giveaway))).rejects.toMatchObject({ code: 'not-yours' })
    await expect(cancel(by('bob', giveaway))).rejects.toMatchObject({ code: 'not-yours' })
    await expect(cancel({ ...by('alice', giveaway), guild: 'elsewhere' })).rejects.toMatchObject({
      code: 'giveaway-not-found',
    })
    expect(await cancel(by('mod', giveaway, true))).toMatchObject({ state: 'cancelled', returned: 1_000_000n })
    expect(await cancel(by('mod', giveaway, true))).toMatchObject({ state: 'cancelled' })
    expect(await world.available('alice')).toBe(10_000_000n)
    await expect(end(by('alice', giveaway))).rejects.toMatchObject({ code: 'giveaway-over' })
    await expect(enter(giveaway, 'bob')).rejects.toMatchObject({ code: 'giveaway-over' })
    const again = { ...by('mod', giveaway, true), origin: world.origin() }
    await expect(reroll(again)).rejects.toMatchObject({ code: 'not-yours' })
    await expect(reroll({ ...again, member: 'alice' })).rejects.toMatchObject({ code: 'giveaway-not-drawn' })
  })

  it('is refused if it is a cancellation of a sealed giveaway', async () => {
    await begin()
    const giveaway = await start()
    await enter(giveaway, 'bob')
    await world.tipping.giveaways.end(by('alice', giveaway))
    await world.pass(60_000)
    await expect(world.tipping.giveaways.cancel(by('alice', giveaway))).rejects.toMatchObject({ code: 'giveaway-over' })
    await finish(giveaway)
    await expect(world.tipping.giveaways.cancel(by('alice', giveaway))).rejects.toMatchObject({ code: 'giveaway-over' })
    expect(await world.available('bob')).toBe(500_000n)
  })

  it('draws a new winner for a new prize if it is a reroll and an entrant is left', async () => {
    await begin()
    const giveaway = await start({ winners: 1 })
    for (const member of ['bob', 'carol', 'dave']) await enter(giveaway, member)
    await finish(giveaway)
    const again = (interaction?: string) =>
      world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin(interaction) })
    const [one, other, repeated] = await Promise.all([again('one'), again('other'), again('one')])
    expect(repeated.id).toBe(one.id)
    const [first] = (await stateOf(giveaway)).won
    expect(new Set([first?.member, one.member, other.member])).toEqual(new Set(['bob', 'carol', 'dave']))
    for (const member of ['bob', 'carol', 'dave']) expect(await world.available(member)).toBe(500_000n)
    expect(await world.available('alice')).toBe(8_500_000n)
    await expect(again()).rejects.toMatchObject({ code: 'giveaway-nobody-left' })
  })
})
