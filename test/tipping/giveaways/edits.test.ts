import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { type DrawProof, faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { sealGiveaway } from '../../../src/tipping/giveaways/seal-giveaway.ts'
import type { GiveawayView, Tipping } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
type Start = Parameters<Tipping['giveaways']['start']>[0]
type Plan = Parameters<Tipping['giveaways']['planEdit']>[0]

const HOUR_MS = 3_600_000

async function start(more: Partial<Start> = {}): Promise<GiveawayView> {
  const terms = { member: 'alice', prize: '100', winners: 2, duration: '1h', origin: world.origin() }
  return await world.tipping.giveaways.start({ ...terms, ...more })
}

function enter({ id: giveaway }: GiveawayView, member: string) {
  const entrant = { accountSince: new Date(0), roles: [] }
  return world.tipping.giveaways.enter({ giveaway, member, entrant, interaction: world.origin().interaction })
}

const plan = ({ id: giveaway }: GiveawayView, change: Partial<Plan>) =>
  world.tipping.giveaways.planEdit({ giveaway, member: 'alice', moderator: false, guild: 'guild', ...change })

async function edit(giveaway: GiveawayView, change: Partial<Plan>, origin = world.origin()): Promise<GiveawayView> {
  const { giveaway: view, ...planned } = await plan(giveaway, change)
  const who = { member: 'alice', moderator: false, guild: 'guild', ...change }
  return await world.tipping.giveaways.edit({ ...who, ...planned, giveaway: view.id, origin })
}

const cancel = ({ id: giveaway }: GiveawayView) =>
  world.tipping.giveaways.cancel({ giveaway, member: 'alice', moderator: false, guild: 'guild' })

async function proofOf({ id: giveaway }: GiveawayView): Promise<DrawProof> {
  const { proof } = await world.tipping.giveaways.proof({ giveaway, guild: 'guild' })
  if (proof === undefined) throw new Error('there was no draw')
  return proof
}

const logged = async () =>
  (await world.database.read.moderationLogEntry.findMany({ orderBy: { id: 'asc' } })).map(
    ({ member, action, about }) => ({
      member,
      action,
      about: JSON.parse(about) as unknown,
    }),
  )

describe('a giveaway that its starter changes', () => {
  it('can be enlarged any number of times, at the cost of each change', async () => {
    const giveaway = await start()
    await edit(giveaway, { prize: '110' })
    await edit(giveaway, { prize: '120', longer: '1h' })
    await edit(giveaway, { winners: 3 })
    const now = await world.tipping.giveaways.view(giveaway.id)
    expect(now).toMatchObject({ prize: sats(120), winners: 3, edits: [{}, {}, {}] })
    expect(await world.available('alice')).toBe(sats(640))
    await cancel(giveaway)
    expect(await world.available('alice')).toBe(sats(1_000))
    const { lines } = await world.tipping.history.page('alice', 0)
    expect(lines.map(({ what }) => what)).not.toContain('correction')
  })

  it('no longer shows the first prize as it was typed once the prize changes', async () => {
    const giveaway = await start({ origin: { ...world.origin(), asked: 'USD 0.10' } })
    const asked = async () => (await world.tipping.cards.get(giveaway.card))?.origin?.asked
    await edit(giveaway, { longer: '1h' })
    expect(await asked()).toBe('USD 0.10')
    await edit(giveaway, { prize: '150' })
    expect(await asked()).toBeUndefined()
  })

  it('costs its starter the increase, pays the larger prizes, and proves each change', async () => {
    const giveaway = await start()
    const planned = await plan(giveaway, { prize: '150', winners: 3, longer: '1h' })
    expect(planned).toMatchObject({ revision: 0, prize: sats(150), winners: 3, cost: sats(250) })
    expect(await world.available('alice')).toBe(sats(800))
    const changed = await edit(giveaway, { prize: '150', winners: 3, longer: '1h' })
    expect(changed).toMatchObject({ prize: sats(150), winners: 3, state: 'open' })
    expect(changed.endsAt.getTime()).toBe(giveaway.endsAt.getTime() + HOUR_MS)
    expect(changed.edits).toMatchObject([
      { by: 'alice', from: { prize: sats(100), winners: 2 }, to: { prize: sats(150), winners: 3 } },
    ])
    expect(await world.available('alice')).toBe(sats(550))
    for (const member of ['bob', 'carol', 'dave', 'erin']) await enter(giveaway, member)
    await world.pass(HOUR_MS)
    expect((await world.tipping.giveaways.view(giveaway.id)).state).toBe('open')
    await world.pass(HOUR_MS + 180_000)
    const { won, returned } = await world.tipping.giveaways.view(giveaway.id)
    expect([won.length, returned]).toEqual([3, 0n])
    for (const { member } of won) expect(await world.available(member)).toBe(sats(150))
    const proof = await proofOf(giveaway)
    expect(proof).toMatchObject({
      ...{ prizeMsats: '150000', winners: 3, endsAt: changed.endsAt.toISOString() },
      edits: [{ by: 'alice', from: { prizeMsats: '100000', winners: 2, endsAt: giveaway.endsAt.toISOString() } }],
    })
    expect(faultsOfDraw(proof)).toEqual([])
  })

  it('returns its whole cost if it is cancelled', async () => {
    const giveaway = await start()
    await edit(giveaway, { winners: 5 })
    expect(await world.available('alice')).toBe(sats(500))
    expect((await cancel(giveaway)).returned).toBe(sats(500))
    expect(await world.available('alice')).toBe(sats(1_000))
  })

  it('returns its whole cost if it is cancelled during the change', async () => {
    for (let turns = 0; turns < 8; turns += 1) {
      const giveaway = await start()
      const { giveaway: _, ...planned } = await plan(giveaway, { winners: 5 })
      const who = { giveaway: giveaway.id, member: 'alice', moderator: false, guild: 'guild' }
      const growing = world.tipping.giveaways.edit({ ...who, ...planned, origin: world.origin() })
      // So that the one reads what the other is about to change.
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      await Promise.allSettled([growing, cancel(giveaway)])
      expect((await world.tipping.giveaways.view(giveaway.id)).state).toBe('cancelled')
      expect(await world.available('alice')).toBe(sats(1_000))
    }
  })

  it('stays open until its later end, even for a process that saw the earlier end', async () => {
    const giveaway = await start()
    await enter(giveaway, 'bob')
    const { clock, database } = world
    const process = { clock, commit: ({ write }: { write: never }) => database.write.$transaction(write) }
    const around = { poller: { wake: () => undefined }, cards: { raise: async () => undefined } }
    await edit(giveaway, { longer: '1h' })
    await clock.advance(HOUR_MS)
    await sealGiveaway({ ...process, ...around, entropy: { uuid: () => 'card' } } as never, giveaway.id)
    expect(await world.tipping.giveaways.view(giveaway.id)).toMatchObject({ state: 'open', entrants: 1 })
    expect(await enter(giveaway, 'carol')).toMatchObject({ entrants: 2 })
  })

  it('is changed once even if one press is delivered three times', async () => {
    const giveaway = await start()
    const { giveaway: _, ...planned } = await plan(giveaway, { prize: '200' })
    const change = { giveaway: giveaway.id, member: 'alice', moderator: false, guild: 'guild', ...planned }
    const origin = world.origin()
    for (let press = 0; press < 3; press += 1) await world.tipping.giveaways.edit({ ...change, origin })
    expect(await world.available('alice')).toBe(sats(600))
    await expect(world.tipping.giveaways.edit({ ...change, origin: world.origin() })).rejects.toMatchObject({
      code: 'giveaway-changed',
    })
    expect(await world.available('alice')).toBe(sats(600))
  })

  it('shows each change on its card and in the moderation log', async () => {
    const giveaway = await start()
    const before = await world.tipping.cards.get(giveaway.card)
    await edit(giveaway, { prize: '110' })
    expect((await world.tipping.cards.get(giveaway.card))?.revision).toBeGreaterThan(before?.revision ?? 0)
    expect(await logged()).toMatchObject([{ member: 'alice', action: 'giveaway-edited', about: { amount: '20000' } }])
  })

  it('refuses a change that reduces it, changes nothing or costs too much', async () => {
    const giveaway = await start({ maxEntries: 4 })
    const refused = (change: Partial<Plan>, code: string) =>
      expect(edit(giveaway, change)).rejects.toMatchObject({ code })
    await refused({ prize: '99' }, 'giveaway-edit-less')
    await refused({ winners: 1 }, 'giveaway-edit-less')
    await refused({ winners: 1, prize: '1000' }, 'giveaway-edit-less')
    await refused({ winners: 4 }, 'too-many-winners')
    await refused({}, 'giveaway-edit-nothing')
    await refused({ prize: '100', winners: 2 }, 'giveaway-edit-nothing')
    await refused({ prize: '501' }, 'insufficient-funds')
    await refused({ longer: '30d' }, 'duration-out-of-range')
    await refused({ longer: 'a while' }, 'duration-not-understood')
    expect(await world.database.read.giveawayEdit.count()).toBe(0)
    expect(await world.available('alice')).toBe(sats(800))
  })

  it('cannot end later if its early end is announced, or change once it is sealed', async () => {
    const giveaway = await start()
    await world.tipping.giveaways.end({ giveaway: giveaway.id, member: 'alice', moderator: false, guild: 'guild' })
    await expect(edit(giveaway, { longer: '1h' })).rejects.toMatchObject({ code: 'giveaway-closing' })
    expect((await edit(giveaway, { prize: '110' })).prize).toBe(sats(110))
    await world.pass(60_000)
    await expect(edit(giveaway, { prize: '120' })).rejects.toMatchObject({ code: 'giveaway-over' })
    await world.pass(180_000)
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })

  it('respects server limits that were set after its starter was asked to confirm', async () => {
    const giveaway = await start()
    const { giveaway: _, ...planned } = await plan(giveaway, { prize: '300' })
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'owner', change: { largestTip: sats(200) } })
    const who = { giveaway: giveaway.id, member: 'alice', moderator: false, guild: 'guild' }
    const late = world.tipping.giveaways.edit({ ...who, ...planned, origin: world.origin() })
    await expect(late).rejects.toMatchObject({ code: 'amount-too-large' })
    expect(await world.available('alice')).toBe(sats(800))
  })

  it('stays within its starter’s daily limit in the server', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'owner', change: { perDay: sats(250) } })
    const giveaway = await start()
    await expect(edit(giveaway, { prize: '130' })).rejects.toMatchObject({ code: 'limit-reached' })
    expect((await edit(giveaway, { prize: '120' })).prize).toBe(sats(120))
  })
})

describe('a giveaway that a pool pays for', () => {
  it('can end later, but its prizes cannot grow', async () => {
    const guild = 'guild'
    await world.fund('giver', 500)
    await world.tipping.pools.give({ guild, member: 'giver', amount: '500', origin: world.origin() })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '500', period: 'day' })
    const pool = { guild, roles: ['mods'], reason: 'for all' }
    const terms = { member: 'alice', prize: '100', winners: 2, duration: '1h', pool }
    const giveaway = await world.tipping.giveaways.startFromPool({ ...terms, origin: { ...world.origin(), guild } })
    if ('reward' in giveaway) throw new Error('it waits')
    for (const change of [{ prize: '150' }, { winners: 3 }])
      await expect(edit(giveaway, change)).rejects.toMatchObject({ code: 'giveaway-edit-pool' })
    expect((await edit(giveaway, { longer: '1h' })).endsAt.getTime()).toBe(giveaway.endsAt.getTime() + HOUR_MS)
    expect(await world.available('alice')).toBe(sats(1_000))
    expect((await world.tipping.pools.view(guild)).available).toBe(sats(300))
  })
})

describe('a giveaway that a moderator changes', () => {
  const moderator = { member: 'mod', moderator: true }

  it('can end later, which is logged, but its prizes cannot grow', async () => {
    await world.fund('mod', 1_000)
    const giveaway = await start()
    await expect(edit(giveaway, { ...moderator, prize: '150' })).rejects.toMatchObject({
      code: 'giveaway-edit-starter',
    })
    const changed = await edit(giveaway, { ...moderator, longer: '30m' })
    expect(changed.endsAt.getTime()).toBe(giveaway.endsAt.getTime() + HOUR_MS / 2)
    expect([await world.available('mod'), await world.available('alice')]).toEqual([sats(1_000), sats(800)])
    expect(await logged()).toMatchObject([{ member: 'mod', action: 'giveaway-edited', about: { of: 'alice' } }])
  })

  it('cannot be changed from another server, or by an ordinary member', async () => {
    const giveaway = await start()
    await expect(edit(giveaway, { member: 'bob', longer: '1h' })).rejects.toMatchObject({ code: 'not-yours' })
    await expect(edit(giveaway, { ...moderator, longer: '1h', guild: 'other' })).rejects.toMatchObject({
      code: 'giveaway-not-found',
    })
  })
})

describe('the proof of a changed giveaway', () => {
  it('fails if a change reduces the prizes, comes too late or differs from the result', async () => {
    const giveaway = await start()
    await edit(giveaway, { winners: 3, longer: '1h' })
    for (const member of ['bob', 'carol', 'dave', 'erin']) await enter(giveaway, member)
    await world.pass(2 * HOUR_MS + 180_000)
    const proof = await proofOf(giveaway)
    if (proof.version !== 2) throw new Error('an old proof')
    const [first] = proof.edits ?? []
    if (first === undefined) throw new Error('no change')
    const changed = (edits: typeof proof.edits) => faultsOfDraw({ ...proof, edits })
    expect(changed([{ ...first, to: { ...first.to, winners: 1 } }])).toContain('alice’s change made the prizes smaller')
    expect(changed([{ ...first, to: { ...first.to, winners: 4 } }])).toContain(
      'the prizes differ from those that alice’s change announced',
    )
    expect(changed([{ ...first, at: first.from.endsAt }])).toContain('alice’s change came after the end')
    expect(changed([{ ...first, to: { ...first.to, endsAt: first.from.endsAt } }])).toContain(
      'the end differs from the one that the last change announced',
    )
  })
})

describe('a giveaway for recent writers', () => {
  const wrote = (member: string) => world.tipping.rain.heard('guild', member)

  it('admits recent writers, but not people who only pressed or used a command', async () => {
    wrote('bob')
    world.tipping.rain.heard('elsewhere', 'dave')
    await world.pass(12 * HOUR_MS)
    world.tipping.rain.heard('guild', 'carol', 'command')
    const giveaway = await start({ activeDays: 1, duration: '10h' })
    expect(giveaway.activeDays).toBe(1)
    await enter(giveaway, 'bob')
    const refused = { code: 'giveaway-needs-activity', facts: { days: 1 } }
    for (const member of ['carol', 'dave', 'frank'])
      await expect(enter(giveaway, member)).rejects.toMatchObject(refused)
    // A press in the same minute as a message does not hide it, whichever came first.
    world.tipping.rain.heard('guild', 'frank', 'command')
    wrote('frank')
    await enter(giveaway, 'frank')
    wrote('carol')
    await world.pass(60_000)
    world.tipping.rain.heard('guild', 'carol', 'command')
    await enter(giveaway, 'carol')
    await world.pass(10 * HOUR_MS + 180_000)
    const proof = await proofOf(giveaway)
    expect(proof).toMatchObject({ activeDays: 1 })
    expect(faultsOfDraw(proof)).toEqual([])
  })

  it('refuses a member whose last message is a minute too old', async () => {
    wrote('bob')
    const giveaway = await start({ activeDays: 1, duration: '2d' })
    await world.pass(24 * HOUR_MS + 60_000)
    await expect(enter(giveaway, 'bob')).rejects.toMatchObject({ code: 'giveaway-needs-activity' })
  })

  it('refuses a member who has deleted their data since writing', async () => {
    wrote('bob')
    const giveaway = await start({ activeDays: 1 })
    await world.tipping.privacy.forget('bob')
    await expect(enter(giveaway, 'bob')).rejects.toMatchObject({ code: 'giveaway-needs-activity' })
  })
})
