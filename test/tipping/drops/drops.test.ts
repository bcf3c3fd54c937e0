import { afterEach, describe, expect, it } from 'vitest'
import type { DropCommand } from '../../../src/tipping/tipping.ts'
import { World, type WorldOptions } from '../world.ts'

let world: World

/** alice has 1,000 sats. */
async function begin(options: WorldOptions = {}): Promise<World> {
  world = await World.open({ wallet: 100_000n, ...options })
  await world.fund('alice', 1_000)
  return world
}

afterEach(() => world.close())

function open(command: Partial<DropCommand> = {}, interaction?: string) {
  const origin = world.origin(interaction)
  return world.run(world.tipping.drops.open({ member: 'alice', amount: '100', shares: 10, origin, ...command }))
}

function claim(drop: string, id: string, answer?: string) {
  const claimant = { id, accountSince: new Date(0), memberSince: new Date(0), roles: [] }
  return world.run(world.tipping.drops.claim({ drop, claimant, answer, origin: world.origin() }))
}

function close(drop: string) {
  return world.run(world.tipping.drops.close({ drop, member: 'alice', moderator: false, origin: world.origin() }))
}

async function outcomes(tries: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries)
  return settled.map((one) => (one.status === 'fulfilled' ? 'share' : String(one.reason.code ?? one.reason)))
}

describe('fault 24: a drop with more claimants than shares, all at once', () => {
  it('gives each share once, each person one at most, and never overdraws the pot', async () => {
    await begin()
    const { id } = await open()
    const people = Array.from({ length: 100 }, (_, i) => `fan-${i}`)
    const told = await outcomes([...people, ...people].map((who) => claim(id, who)))
    expect(new Set(told)).toEqual(new Set(['share', 'drop-empty']))
    const got = await Promise.all(people.map((who) => world.available(who)))
    expect(got.filter((amount) => amount === 10_000n)).toHaveLength(10)
    expect(got.filter((amount) => amount === 0n)).toHaveLength(90)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 10, state: 'closed', returned: 0n })
    expect(await world.available('alice')).toBe(900_000n)
  })

  it('and closed in the same moment: what was taken and what went back are the pot', async () => {
    await begin()
    const { id } = await open()
    const people = Array.from({ length: 8 }, (_, i) => `fan-${i}`)
    await outcomes([
      ...people.slice(0, 4).map((who) => claim(id, who)),
      close(id),
      ...people.slice(4).map((who) => claim(id, who)),
    ])
    const view = await world.tipping.drops.view(id)
    expect(view.state).toBe('closed')
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(view.claimed) * 10_000n)
  })

  it('even by bots on one book, two at once', async () => {
    await begin()
    const { id } = await open({ shares: 2 })
    const one = world.tipping
    const other = await world.start()
    const press = (tipping: typeof one, who: string) =>
      tipping.drops.claim({
        drop: id,
        claimant: { id: who, accountSince: new Date(0), memberSince: undefined, roles: [] },
        origin: world.origin(),
      })
    const told = await outcomes(['bob', 'carol', 'dave', 'bob'].flatMap((who) => [press(one, who), press(other, who)]))
    expect(told.length).toBe(8)
    const got = await Promise.all(['bob', 'carol', 'dave'].map((who) => world.available(who)))
    expect(got.toSorted()).toEqual([0n, 50_000n, 50_000n])
  })

  it('is refused by the database itself, whatever the code says', async () => {
    await begin()
    const { id } = await open({ shares: 1 })
    await claim(id, 'bob')
    const { write } = world.database
    await expect(write.drop.update({ where: { id }, data: { claimed: 2 } })).rejects.toThrow()
    const again = { dropId: id, member: 'bob', state: 'given', card: 'card', createdAt: new Date() }
    await expect(write.dropClaim.create({ data: { id: 'second', ...again } })).rejects.toThrow()
    const shared = { ...again, lightningId: 'account' }
    await write.dropClaim.create({ data: { id: 'third', ...shared, member: 'carol' } })
    await expect(write.dropClaim.create({ data: { id: 'fourth', ...shared, member: 'dave' } })).rejects.toThrow()
  })
})

describe('fault 22: pressed twice', () => {
  it('at once, later, or after a restart, there is one share', async () => {
    await begin()
    const { id } = await open()
    const [first, second] = await Promise.all([claim(id, 'bob'), claim(id, 'bob')])
    expect(second.id).toBe(first.id)
    await world.restart()
    expect((await claim(id, 'bob')).id).toBe(first.id)
    expect(await world.available('bob')).toBe(10_000n)
  })

  it('the command that opens it opens it once', async () => {
    await begin()
    const [one, other] = await Promise.all([open({}, 'the-same'), open({}, 'the-same')])
    expect(other.id).toBe(one.id)
    expect(await world.available('alice')).toBe(900_000n)
  })
})

describe('fault 31: one Lightning account under two Discord accounts', () => {
  it('has one share, also when the first has unlinked it meanwhile', async () => {
    await begin()
    const { id } = await open()
    await world.linked('bob')
    expect(await claim(id, 'bob')).toMatchObject({ state: 'paid' })
    await world.tipping.unlink({ member: 'bob', origin: world.origin() })
    await world.tipping.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
    expect(await world.available('carol')).toBe(0n)
  })
})

describe('fault 31: a Lightning account that was unlinked before', () => {
  it('still stands for whoever had it: with its next owner it has one share', async () => {
    await begin()
    const { id } = await open()
    await world.linked('bob')
    await world.tipping.unlink({ member: 'bob', origin: world.origin() })
    await claim(id, 'bob')
    await world.tipping.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
    expect((await world.available('bob')) + (await world.available('carol'))).toBe(10_000n)
  })
})

describe('a drop', () => {
  it('splits its pot by the shares, rounding down to a sat; what is left over stays with the giver', async () => {
    await begin()
    expect(await open({ amount: '100', shares: 3 })).toMatchObject({ share: 33_000n, shares: 3 })
    expect(await world.available('alice')).toBe(901_000n)
    await expect(open({ amount: '2', shares: 3 })).rejects.toMatchObject({ code: 'amount-too-small' })
    await expect(open({ amount: '2000' })).rejects.toMatchObject({ code: 'insufficient-funds' })
    await expect(open({ shares: 101 })).rejects.toMatchObject({ code: 'drop-shares', facts: { most: 100 } })
  })

  it('closes when its time is over, also one that was over while the bot was away', async () => {
    await begin()
    const { id } = await open({ minutes: 10 })
    await claim(id, 'bob')
    await world.pass(9 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
    await world.pass(61_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({ state: 'closed', returned: 90_000n })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-over' })
    expect(await world.available('alice')).toBe(990_000n)
    const later = await open({ minutes: 10 })
    await world.tipping.close()
    await world.clock.advance(20 * 60_000)
    await world.restart()
    await world.settle()
    expect(await world.tipping.drops.view(later.id)).toMatchObject({ state: 'closed' })
    expect(await world.available('alice')).toBe(990_000n)
  })

  it('goes back to nobody early because somebody set the clock', async () => {
    await begin()
    const { id } = await open({ minutes: 60 })
    world.clock.jump(24 * 3_600_000)
    await world.pass(10 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
  })

  it('draws every winner from those who entered, and pays them like a tip', async () => {
    await begin()
    const bob = await world.linked('bob')
    const { id } = await open({ shares: 3, draw: true, minutes: 5 })
    for (const who of ['bob', 'carol']) expect(await claim(id, who)).toMatchObject({ chance: 'entered' })
    await world.pass(5 * 60_000 + 1_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 2, returned: 33_000n })
    expect(world.received(bob)).toBe(33_000n)
    expect(await world.available('carol')).toBe(33_000n)
    expect(await world.available('alice')).toBe(934_000n)
  })

  it('reads three answers of one person, however many they give at once', async () => {
    await begin()
    const { id, puzzle } = await open({ puzzle: 'sum' })
    const [one = 0, other = 0] = (puzzle?.question ?? '').split(' + ').map(Number)
    const guesses = Array.from({ length: 20 }, (_, i) => claim(id, 'bob', String(one + other + i + 1)))
    const told = await outcomes(guesses)
    expect(told.filter((code) => code === 'drop-answer-wrong')).toHaveLength(2)
    await expect(claim(id, 'bob', String(one + other))).rejects.toMatchObject({ code: 'drop-attempts-used' })
    expect(await claim(id, 'carol', ` ${one + other} `)).toMatchObject({ chance: 'given' })
  })
})

describe('a drop of codes', () => {
  it('has a share less for every code that does not come about', async () => {
    await begin()
    world.provider.misbehave('createVoucher', { refuse: 400, message: 'No.' })
    const { id } = await open({ codes: true, shares: 3, amount: '90' })
    await world.settle()
    expect((await world.tipping.drops.view(id)).shares).toBe(2)
    const mine = await Promise.all(['bob', 'carol'].map((who) => claim(id, who)))
    expect(new Set(mine.map(({ voucher }) => voucher?.code)).size).toBe(2)
    await expect(claim(id, 'dave')).rejects.toMatchObject({ code: 'drop-empty' })
    expect(await world.available('alice')).toBe(1_000_000n - 62_000n)
  })

  it('takes back what nobody took, also a code that is found only after it was closed', async () => {
    await begin()
    world.provider.misbehave('createVoucher', 'act-then-error', 'act-then-error', 'act-then-error')
    const { id } = await open({ codes: true, shares: 2, amount: '60' })
    await world.run(world.tipping.drops.close({ drop: id, member: 'alice', moderator: false, origin: world.origin() }))
    await world.pass(5 * 60_000)
    expect(world.provider.vouchers.all.every(({ revoked }) => revoked)).toBe(true)
    const fees = BigInt(world.provider.vouchers.all.length) * 1_000n
    expect(await world.available('alice')).toBe(1_000_000n - fees)
  })

  it('may be drawn: winners are given codes, the others’ are taken back', async () => {
    await begin()
    const { id } = await open({ codes: true, draw: true, shares: 3, amount: '60' })
    await world.settle()
    const mine = await Promise.all(['bob', 'carol'].map((who) => claim(id, who)))
    expect(mine.map(({ voucher }) => voucher)).toEqual([undefined, undefined])
    await close(id)
    await world.pass(60_000)
    const drawn = await Promise.all(mine.map((one) => world.tipping.drops.claimView(one.id)))
    expect(new Set(drawn.map(({ voucher }) => voucher?.code)).size).toBe(2)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 2, returned: 20_000n })
    expect(await world.available('alice')).toBe(1_000_000n - 43_000n)
  })

  it('of all leaves room for the fees', async () => {
    await begin()
    const { share } = await open({ codes: true, shares: 3, amount: 'all' })
    await world.settle()
    expect(share).toBe(329_000n)
  })
})
