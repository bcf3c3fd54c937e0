import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { NO_LIMITS } from '../../../src/tipping/core/gift-limits.ts'
import type { DropCommand } from '../../../src/tipping/tipping.ts'
import { onPostgres } from '../../support/postgres/databases.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'
import * as entries from './drop-steps.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await aliceHasSome(options)
}

const open = (command: Partial<DropCommand> = {}, interaction?: string) => entries.open(world, command, interaction)

describe('a command to open a drop', () => {
  it('splits the pot into shares of whole sats, and leaves the rest with the giver', async () => {
    await begin()
    expect(await open({ amount: '100', shares: 3 })).toMatchObject({ share: 33_000n, shares: 3 })
    expect(await world.available('alice')).toBe(901_000n)
    await expect(open({ amount: '2.9', shares: 3 })).rejects.toMatchObject({
      ...{ code: 'amount-too-small', facts: { smallest: sats(3) } },
    })
    await expect(open({ amount: '10000001' })).rejects.toMatchObject({
      ...{ code: 'amount-too-large', facts: { largest: sats(10_000_000) } },
    })
    await expect(open({ amount: '2000', shares: 2 })).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { balance: sats(901), needed: sats(2_000), missing: sats(1_099) },
    })
    expect(await open({ amount: 'all', shares: 2 })).toMatchObject({ share: 450_000n })
  })

  it('takes only what a simultaneous command leaves if its amount is “all”', async () => {
    await begin()
    const [hundred, all] = await Promise.allSettled(['100', 'all'].map((amount) => open({ amount, shares: 1 })))
    const isFirst = hundred?.status === 'fulfilled'
    // On a server either of them may be the first.
    expect(isFirst || onPostgres()).toBe(true)
    expect(all).toMatchObject({ value: { share: sats(isFirst ? 900 : 1_000) } })
    expect(hundred).toMatchObject(
      isFirst ? { value: { share: sats(100) } } : { reason: { code: 'insufficient-funds', facts: { balance: 0n } } },
    )
  })

  it.each([
    [{ shares: 0 }, 100],
    [{ shares: 1.5 }, 100],
    [{ shares: 101 }, 100],
    [{ shares: 26, codes: true }, 25],
  ])('is refused immediately for an invalid number of shares: %j', async (how, most) => {
    await begin()
    const command = { member: 'alice', amount: '500', origin: world.origin() }
    const { drops, dryRun } = world.tipping
    for (const verb of [drops.open, drops.ask]) {
      await expect(verb({ ...command, ...how })).rejects.toMatchObject({ code: 'drop-shares', facts: { most } })
    }
    for (const shares of [1, most]) {
      expect(await dryRun((api) => api.drops.ask({ ...command, ...how, shares }))).toBe('goes')
    }
  })

  it.each([
    [undefined, 60],
    [0, 1],
    [10.4, 10],
    [100_000, 10_080],
  ])('opens the drop for a permitted time: %s minutes count as %d', async (minutes, open_) => {
    await begin()
    const { closesAt } = await open({ minutes })
    expect(closesAt.getTime() - world.clock.now()).toBe(open_ * 60_000)
  })

  it('counts the whole pot against the giver’s limit', async () => {
    await begin({ settings: { limits: { ...NO_LIMITS, perDay: sats(500), newAccountPerDay: sats(100) } } })
    const young = new Date(world.clock.now() - 3_600_000)
    await expect(open({ amount: '101', shares: 1, accountSince: young })).rejects.toMatchObject({
      code: 'limit-new-account',
    })
    await open({ amount: '300' })
    await expect(open({ amount: '210' })).rejects.toMatchObject({ code: 'limit-reached', facts: { left: sats(200) } })
  })

  it('is refused if it is delivered again with different content', async () => {
    await begin()
    await open({}, 'the-same')
    await expect(open({ shares: 5 }, 'the-same')).rejects.toMatchObject({ code: 'already-done' })
  })

  it('is refused if its puzzle is incomplete or too long', async () => {
    await begin()
    const trivia = { puzzle: 'trivia', question: ' Who? ', answer: 'Satoshi|Hal' } as const
    for (const lacks of [{ question: undefined }, { question: ' ' }, { answer: undefined }, { answer: ' | ' }]) {
      await expect(open({ ...trivia, ...lacks })).rejects.toMatchObject({ code: 'drop-trivia-incomplete' })
    }
    const tooLong = { code: 'text-too-long', facts: { what: 'description', most: 200 } }
    for (const field of ['question', 'answer']) {
      await expect(open({ ...trivia, [field]: 'x'.repeat(201) })).rejects.toMatchObject(tooLong)
      await open({ ...trivia, amount: '10', [field]: 'x'.repeat(200) })
    }
    const { id, puzzle } = await open(trivia)
    expect(puzzle).toEqual({ kind: 'trivia', question: 'Who?' })
    await expect(entries.claim(world, id, 'bob', 'Satoshi|Hal')).rejects.toMatchObject({ code: 'drop-answer-wrong' })
    expect(await entries.claim(world, id, 'bob', 'hal')).toMatchObject({ chance: 'given' })
  })
})

describe('an open drop', () => {
  it('is listed among its owner’s drops, newest first, until it ends', async () => {
    await begin()
    await world.tip('alice', 'bob', '100')
    const opened: string[] = []
    for (const _ of [1, 2, 3]) {
      opened.unshift((await open({ amount: '10' })).id)
      await world.pass(1_000)
    }
    const [newest = '', middle, oldest] = opened
    const mine = async (most: number, member = 'alice') =>
      (await world.tipping.drops.mine(member, most)).map(({ id }) => id)
    expect([await mine(9), await mine(2), await mine(9, 'bob')]).toEqual([opened, [newest, middle], []])
    await entries.close(world, newest)
    expect(await mine(9)).toEqual([middle, oldest])
  })

  it('can be ended once, by its owner or a moderator of its server', async () => {
    await begin()
    const { id } = await open()
    const direct = await open({ origin: { ...world.origin(), guild: null } })
    const end = (drop: string, member: string, moderator: boolean, guild: string | null = 'guild') =>
      world.run(world.tipping.drops.close({ drop, member, moderator, origin: { ...world.origin(), guild } }))
    const tries = [end(id, 'mod', false), end(id, 'mod', true, 'elsewhere'), end(direct.id, 'mod', true, null)]
    expect(await entries.outcomes(tries)).toEqual(Array(3).fill('drop-not-yours'))
    const both = await Promise.all([end(id, 'mod', true), end(id, 'mod', true)])
    expect(both).toMatchObject(Array(2).fill({ state: 'closed', closedBy: 'mod', returned: 100_000n }))
    expect(await end(direct.id, 'alice', false, null)).toMatchObject({ closedBy: 'alice' })
    expect(await entries.outcomes([end(id, 'alice', false), end('none', 'alice', false)])).toEqual(
      Array(2).fill('drop-over'),
    )
    // Over is over, for its owner as for everybody.
    await expect(entries.claim(world, id, 'alice')).rejects.toMatchObject({ code: 'drop-over' })
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('stays open if its end cannot be written', async () => {
    await begin()
    const { id } = await open()
    world.failCommits = 1
    await expect(entries.close(world, id)).rejects.toThrow('nothing happened')
    expect((await world.tipping.drops.view(id)).state).toBe('open')
    expect(await entries.close(world, id)).toMatchObject({ state: 'closed' })
  })

  it('lists takers in order of time, and simultaneous takers in a fixed order', async () => {
    await begin()
    const { id: dropId } = await open({ shares: 4 })
    const { dropClaim } = world.database.write
    for (const [i, share] of ['three', 'zero', 'one', 'two'].entries()) {
      const createdAt = new Date(share === 'zero' ? 1_000 : 2_000)
      await dropClaim.create({
        data: { id: share, dropId, member: `${share} ${i}`, state: 'given', card: '', createdAt },
      })
    }
    expect((await world.tipping.drops.view(dropId)).winners).toEqual(['zero 1', 'one 2', 'three 0', 'two 3'])
  })
})
