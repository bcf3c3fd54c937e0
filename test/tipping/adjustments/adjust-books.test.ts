import { afterEach, describe, expect, it } from 'vitest'
import type { BookingCommand } from '../../../src/tipping/adjustments/adjustments.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/** alice has 1,000 sats, and the operator 100. */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ wallet: 100_000n, replays: false })
  await world.fund('alice', 1_000)
}

afterEach(() => world.close())

function book(operator: string, command: Pick<BookingCommand, 'what' | 'amount' | 'member'>) {
  return world.tipping.administration.book({ ...command, operator, reason: 'seen in the history' })
}

async function bookByTwo(command: Pick<BookingCommand, 'what' | 'amount' | 'member'>) {
  await book('olga', command)
  return await book('oscar', command)
}

/** 50 sats came for nobody knows whom. */
async function withSuspense(): Promise<void> {
  await begin()
  world.provider.wallet += 50_000n
  await world.tipping.administration.audit()
  await world.pass(300_000)
  await world.tipping.administration.audit()
  expect((await world.tipping.administration.audit()).suspense).toBe(50_000n)
}

describe('what the operator pays in', () => {
  it('is proposed once by a command that comes twice at once, so that nobody can book it twice', async () => {
    await begin()
    world.provider.wallet += 40_000n
    const proposals = await Promise.allSettled([1, 2].map(() => book('olga', { what: 'top-up', amount: '20' })))
    expect(proposals.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await book('paul', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
    expect(await book('paul', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'proposed' })
    // The rest of what was paid in is booked, too, so that nothing is off at the end.
    expect(await book('olga', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
  })

  it('is the operator’s when two say so and the wallet holds it', async () => {
    await begin()
    world.provider.wallet += 20_000n
    expect(await book('olga', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'proposed', amount: 20_000n })
    await expect(book('olga', { what: 'top-up', amount: '20' })).rejects.toMatchObject({
      code: 'booking-needs-another',
    })
    expect(await book('oscar', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 120_000n })
    expect((await world.tipping.administration.untoldAlerts(10)).map(({ kind }) => kind)).toEqual([
      'booking-proposed',
      'booking-done',
    ])
    expect(await world.database.read.booking.findMany()).toMatchObject([
      { proposedBy: 'olga', secondedBy: 'oscar', secondedReason: 'seen in the history', state: 'done' },
    ])
  })

  it('is refused beyond what the wallet holds more than the books account for', async () => {
    await begin()
    world.provider.wallet += 20_000n
    await expect(book('olga', { what: 'top-up', amount: '21' })).rejects.toMatchObject({
      code: 'booking-exceeds',
      facts: { most: 20_000n },
    })
    world.provider.wallet -= 20_000n
  })

  it('is refused while the wallet cannot be asked', async () => {
    await begin()
    await world.provider.down()
    await expect(world.run(book('olga', { what: 'top-up', amount: '1' }))).rejects.toMatchObject({
      code: 'provider-unreachable',
    })
    await world.provider.up()
  })
})

describe('what the operator takes out', () => {
  it('leaves the operator’s account, and resumes the outgoing payments that were paused for it', async () => {
    await begin()
    world.provider.wallet -= 30_000n
    await world.tipping.administration.audit()
    expect((await world.tipping.administration.status()).paused?.reason).toContain('30000 msats less')
    await bookByTwo({ what: 'take-out', amount: '30' })
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 70_000n })
  })

  it('is refused while it is still in the wallet', async () => {
    await begin()
    await expect(book('olga', { what: 'take-out', amount: '30' })).rejects.toMatchObject({
      code: 'booking-exceeds',
      facts: { most: 0n },
    })
  })
})

describe('what came without an owner', () => {
  it('goes to the member that two name, once', async () => {
    await withSuspense()
    await bookByTwo({ what: 'suspense', amount: '30', member: 'bob' })
    expect(await world.available('bob')).toBe(30_000n)
    await expect(book('olga', { what: 'suspense', amount: '30', member: 'bob' })).rejects.toMatchObject({
      code: 'booking-exceeds',
      facts: { most: 20_000n },
    })
    await bookByTwo({ what: 'suspense', amount: '20' })
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 120_000n, suspense: 0n })
  })

  it('waits while the two name different members or amounts', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '30', member: 'bob' })
    expect((await book('oscar', { what: 'suspense', amount: '30', member: 'carol' })).state).toBe('proposed')
    expect((await book('oscar', { what: 'suspense', amount: '31', member: 'bob' })).state).toBe('proposed')
    expect((await book('oscar', { what: 'suspense', amount: '30' })).state).toBe('proposed')
    expect((await world.tipping.administration.audit()).suspense).toBe(50_000n)
  })

  it('waits no longer than a day for the confirmation', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '30', member: 'bob' })
    await world.pass(24 * 3_600_000)
    expect((await book('oscar', { what: 'suspense', amount: '30', member: 'bob' })).state).toBe('proposed')
    expect((await book('olga', { what: 'suspense', amount: '30', member: 'bob' })).state).toBe('done')
    expect(await world.available('bob')).toBe(30_000n)
  })

  it('is booked once when two second it at once', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '20', member: 'bob' })
    await Promise.all(
      ['oscar', 'otto'].map((operator) => book(operator, { what: 'suspense', amount: '20', member: 'bob' })),
    )
    expect(await world.available('bob')).toBe(20_000n)
  })
})

it('the database itself refuses one person as two, and forgets nothing', async () => {
  await withSuspense()
  const { id } = await book('olga', { what: 'suspense', amount: '5' })
  const data = { state: 'done', secondedBy: 'olga', secondedReason: 'x', secondedAt: new Date() }
  await expect(world.database.write.booking.update({ where: { id }, data })).rejects.toThrow()
  await expect(world.database.write.booking.delete({ where: { id } })).rejects.toThrow()
})
