import { describe, expect, it } from 'vitest'
import type { RainCommand } from '../../../src/tipping/rain/rain.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<TippingWorld> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 1_000)
  return world
}

function fall(
  command: {
    amount: string
    people?: number
    among?: string[]
    activeWithinMinutes?: number | undefined
    inVoice?: string[]
    person?: RainCommand['person']
  },
  interaction?: string,
) {
  const origin = world.origin(interaction)
  return world.run(
    world.tipping.rain.fall({ from: 'alice', guild: 'guild', activeWithinMinutes: 60, origin, ...command }),
  )
}

describe('rain', () => {
  it('falls on recently active members of the server, except its giver', async () => {
    await begin()
    world.tipping.rain.heard('guild', 'dave')
    await world.pass(2 * 3_600_000)
    for (const who of ['alice', 'bob', 'carol']) world.tipping.rain.heard('guild', who)
    world.tipping.rain.heard('elsewhere', 'erin')
    const tip = await fall({ amount: '101' })
    expect(tip.shares.map(({ recipient, amount }) => [recipient, amount])).toEqual([
      ['bob', 50_000n],
      ['carol', 50_000n],
    ])
    expect(await world.available('alice')).toBe(900_000n)
    expect(await world.tipping.cards.get(tip.card)).toMatchObject({ kind: 'rain', record: tip.id })
  })

  it('falls on everybody in the voice channel, silent or not, except its giver', async () => {
    await begin()
    world.tipping.rain.heard('guild', 'bob')
    world.tipping.rain.heard('guild', 'erin')
    const there = { inVoice: ['dave', 'alice', 'bob'] }
    const reached = async (more: Parameters<typeof fall>[0]) =>
      (await fall({ ...there, ...more })).shares.map(({ recipient }) => recipient)
    expect(await reached({ amount: '10', activeWithinMinutes: undefined })).toEqual(['bob', 'dave'])
    expect(await reached({ amount: '10', activeWithinMinutes: 60 })).toEqual(['bob'])
    expect(await reached({ amount: '10', activeWithinMinutes: undefined, among: ['dave', 'erin'] })).toEqual(['dave'])
    const alone = { amount: '10', activeWithinMinutes: undefined, inVoice: ['alice'] }
    await expect(fall(alone)).rejects.toMatchObject({ code: 'nobody-in-voice' })
  })

  it('does not fall on people in the voice channel who are excluded or too new', async () => {
    await begin()
    const change = { blockedMembers: ['bob'], rainAccountDays: 30 }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    const [old, now] = [new Date(0), new Date(world.clock.now())]
    const person = async (id: string) => ({ accountSince: id === 'carol' ? now : old, memberSince: old })
    const command = { amount: '10', activeWithinMinutes: undefined, person }
    expect((await fall({ ...command, inVoice: ['bob', 'carol', 'dave'] })).shares).toMatchObject([
      { recipient: 'dave' },
    ])
    await expect(fall({ ...command, inVoice: ['bob', 'carol'] })).rejects.toMatchObject({ code: 'nobody-in-voice' })
  })

  it('does not fall on bots, and looks up few people in a large voice channel', async () => {
    await begin()
    const old = new Date(0)
    const asked: string[] = []
    const person = async (id: string) => {
      asked.push(id)
      return { accountSince: old, memberSince: old, bot: id === 'music' }
    }
    const command = { amount: '10', activeWithinMinutes: undefined, person }
    expect((await fall({ ...command, inVoice: ['music', 'dave'] })).shares).toMatchObject([{ recipient: 'dave' }])
    await expect(fall({ ...command, inVoice: ['music'] })).rejects.toMatchObject({ code: 'nobody-in-voice' })
    asked.length = 0
    const crowd = Array.from({ length: 2_000 }, (_, n) => `listener-${n}`)
    await expect(fall({ ...command, inVoice: crowd })).rejects.toMatchObject({ code: 'too-many-recipients' })
    expect(asked).toEqual([])
    expect((await fall({ ...command, inVoice: crowd, people: 3 })).shares).toHaveLength(3)
    expect(asked.length).toBeLessThanOrEqual(10)
  })

  it('falls on people active before a restart, whose time is stored to the minute', async () => {
    await begin({ settings: { noteActiveEveryMs: 60_000 } })
    world.tipping.rain.heard('guild', 'bob')
    await world.pass(61_000)
    await world.restart()
    expect((await fall({ amount: '10' })).shares.map(({ recipient }) => recipient)).toEqual(['bob'])
    const [seen] = await world.database.read.presence.findMany()
    expect((seen?.seenAt.getTime() ?? 1) % 60_000).toBe(0)
  })

  it('falls on the given number of people at random, with equal chances', async () => {
    await begin()
    const people = ['bob', 'carol', 'dave']
    for (const who of people) world.tipping.rain.heard('guild', who)
    const hit = new Map<string, number>()
    for (let i = 0; i < 60; i += 1) {
      const { shares } = await fall({ amount: '1', people: 1 })
      expect(shares).toHaveLength(1)
      for (const { recipient } of shares) hit.set(recipient, (hit.get(recipient) ?? 0) + 1)
    }
    for (const who of people) expect(hit.get(who) ?? 0).toBeGreaterThan(4)
  })

  it('falls once, on the same people, if its command is redelivered', async () => {
    await begin()
    for (const who of ['bob', 'carol', 'dave', 'erin']) world.tipping.rain.heard('guild', who)
    const [first, second] = await Promise.all([
      fall({ amount: '10', people: 2 }, 'the-same'),
      fall({ amount: '10', people: 2 }, 'the-same'),
    ])
    expect(second).toEqual(first)
    const others = [{ amount: '11', people: 2 }, { amount: '10', people: 3 }, { amount: '10' }]
    for (const other of [...others, { amount: '10', people: 2, among: ['bob', 'carol'] }]) {
      await expect(fall(other, 'the-same')).rejects.toMatchObject({ code: 'already-done' })
    }
    expect(await world.available('alice')).toBe(990_000n)
  })

  it('falls on nobody who has left, or whose account or membership is too new', async () => {
    await begin()
    const days = (count: number) => new Date(world.clock.now() - count * 24 * 3_600_000)
    const people: Record<string, { accountSince: Date; memberSince: Date } | undefined> = {
      bob: { accountSince: days(8), memberSince: days(0) },
      carol: undefined,
      dave: { accountSince: days(6), memberSince: days(6) },
      erin: { accountSince: days(400), memberSince: days(20) },
    }
    for (const who of Object.keys(people)) world.tipping.rain.heard('guild', who)
    const person = async (id: string) => people[id]
    const on = async (more: { people?: number } = {}) =>
      (await fall({ amount: '10', person, ...more })).shares.map(({ recipient }) => recipient).toSorted()
    expect(await on()).toEqual(['bob', 'erin'])
    expect(await on({ people: 3 })).toEqual(['bob', 'erin'])
    const change = (wanted: object) =>
      world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: wanted })
    await change({ rainMemberDays: 14 })
    expect(await on({ people: 1 })).toEqual(['erin'])
    await change({ rainAccountDays: 0, rainMemberDays: 0 })
    expect(await on()).toEqual(['bob', 'dave', 'erin'])
    await change({ rainAccountDays: 500 })
    await expect(on()).rejects.toMatchObject({ code: 'nobody-active' })
  })

  it('looks up a limited number of active people', async () => {
    await begin({ settings: { maxRecipients: 2 } })
    let asked = 0
    const person = async () => {
      asked += 1
      return undefined
    }
    for (let n = 0; n < 100; n += 1) world.tipping.rain.heard('guild', `member-${n}`)
    const tooMany = { code: 'too-many-recipients', facts: { most: 2 } }
    await expect(fall({ amount: '10', person })).rejects.toMatchObject(tooMany)
    await expect(fall({ amount: '10', people: 2, person })).rejects.toMatchObject({ code: 'nobody-active' })
    expect(asked).toBe(20)
  })

  it('looks up ten people at a time, and stops once it has enough', async () => {
    await begin()
    let asked = 0
    const person = async () => {
      asked += 1
      return { accountSince: new Date(0), memberSince: new Date(0) }
    }
    for (let n = 0; n < 25; n += 1) world.tipping.rain.heard('guild', `member-${n}`)
    for (const people of [2, 10]) {
      asked = 0
      expect((await fall({ amount: '10', people, person })).shares).toHaveLength(people)
      expect(asked).toBe(10)
    }
  })

  it('falls on all permitted people, even if more than its limit must be looked up', async () => {
    await begin({ settings: { maxRecipients: 2 } })
    for (const who of ['bob', 'carol', 'dave', 'erin']) world.tipping.rain.heard('guild', who)
    const old = { accountSince: new Date(0), memberSince: new Date(0) }
    const person = async (id: string) => (['carol', 'erin'].includes(id) ? old : undefined)
    const tip = await fall({ amount: '10', person })
    expect(tip.shares.map(({ recipient }) => recipient)).toEqual(['carol', 'erin'])
  })

  it('is refused if it would reach nobody, or too many people', async () => {
    await begin({ settings: { maxRecipients: 2 } })
    world.tipping.rain.heard('guild', 'alice')
    await expect(fall({ amount: '10' })).rejects.toMatchObject({ code: 'nobody-active' })
    for (const who of ['bob', 'carol', 'dave']) world.tipping.rain.heard('guild', who)
    const tooMany = { code: 'too-many-recipients', facts: { most: 2 } }
    await expect(fall({ amount: '10' })).rejects.toMatchObject(tooMany)
    await expect(fall({ amount: '10', people: 3 })).rejects.toMatchObject(tooMany)
    await expect(fall({ amount: '10', among: ['erin'] })).rejects.toMatchObject({ code: 'nobody-active' })
    expect((await fall({ amount: '10', among: ['dave'] })).shares).toHaveLength(1)
  })
})
