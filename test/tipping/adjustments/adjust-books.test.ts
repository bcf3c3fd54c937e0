import { describe, expect, it } from 'vitest'
import type { BookingCommand } from '../../../src/tipping/adjustments/adjustments.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(replays = false): Promise<void> {
  world = await TippingWorld.open({ wallet: 100_000n, replays })
  await world.fund('alice', 1_000)
}

function book(operator: string, command: Pick<BookingCommand, 'what' | 'amount' | 'member'>) {
  return world.tipping.administration.book({ ...command, operator, reason: 'seen in the history' })
}

async function bookByTwo(command: Pick<BookingCommand, 'what' | 'amount' | 'member'>) {
  await book('olga', command)
  return await book('oscar', command)
}

/** Puts 50 sats of an unknown owner into suspense. */
async function withSuspense(): Promise<void> {
  await begin()
  world.provider.wallet += 50_000n
  await world.tipping.administration.audit()
  await world.pass(300_000)
  await world.tipping.administration.audit()
  expect((await world.tipping.administration.audit()).suspense).toBe(50_000n)
}

describe('a top-up by an operator', () => {
  it('is proposed once even if its command arrives twice', async () => {
    await begin()
    world.provider.wallet += 40_000n
    const proposals = await Promise.allSettled([1, 2].map(() => book('olga', { what: 'top-up', amount: '20' })))
    expect(proposals).toMatchObject([
      { status: 'fulfilled', value: { state: 'proposed' } },
      { status: 'rejected', reason: { code: 'booking-needs-another' } },
    ])
    expect(await book('paul', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
    expect(await book('paul', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'proposed' })
    // The rest of what was paid in is booked, too, so that nothing is off at the end.
    expect(await book('olga', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
  })

  it('goes to the operator’s account if two operators agree and the sats have arrived', async () => {
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

  it('is refused if it exceeds the wallet’s surplus over the books', async () => {
    await begin()
    world.provider.wallet += 20_000n
    await expect(book('olga', { what: 'top-up', amount: '21' })).rejects.toMatchObject({
      code: 'booking-exceeds',
      facts: { most: 20_000n },
    })
    world.provider.wallet -= 20_000n
  })

  it('is limited to the surplus, assuming that all unanswered payments were made', async () => {
    await begin()
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', 'act-then-error')
    await world.tip('alice', 'bob', '100')
    world.provider.wallet += 20_000n
    await expect(book('olga', { what: 'top-up', amount: '21' })).rejects.toMatchObject({ facts: { most: 20_000n } })
    expect((await bookByTwo({ what: 'top-up', amount: '20' })).state).toBe('done')
  })

  it('is refused if the wallet holds less than the books say', async () => {
    await begin()
    world.provider.wallet -= 5_000n
    await expect(book('olga', { what: 'top-up', amount: '1' })).rejects.toMatchObject({ code: 'nothing-paid-in' })
    world.provider.wallet += 5_000n
  })

  it('is booked to no member, even if the proposal names one', async () => {
    await begin()
    world.provider.wallet += 20_000n
    expect((await book('olga', { what: 'top-up', amount: '20', member: 'bob' })).member).toBeUndefined()
    expect(await book('oscar', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done', member: undefined })
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 120_000n })
  })

  it('is refused until the payments to members’ addresses have been read', async () => {
    await begin(true)
    const { origin, tipping, provider } = { origin: world.origin(), tipping: world.tipping, provider: world.provider }
    await world.run(tipping.addresses.take({ member: 'alice', name: 'alice', ideas: [], origin }))
    provider.addresses.pay('alice', 20)
    provider.misbehave('listStaticChargePayments', 'error', 'error', 'error')
    const top = () => world.run(book('olga', { what: 'top-up', amount: '20' }))
    await expect(top()).rejects.toMatchObject({ code: 'provider-unreachable' })
    await expect(top()).rejects.toMatchObject({ code: 'nothing-paid-in' })
    expect(await world.available('alice')).toBe(1_020_000n)
  })

  it('needs an amount above 0 sats and a reason of at most 300 characters', async () => {
    await begin()
    world.provider.wallet += 20_000n
    const top = (amount: string, reason: string) =>
      world.tipping.administration.book({ what: 'top-up', amount, operator: 'olga', reason })
    await expect(top('0', 'x')).rejects.toMatchObject({ code: 'amount-zero' })
    await expect(top('$5', 'x')).rejects.toMatchObject({ code: 'amount-needs-rate' })
    await expect(top('20', 'x'.repeat(301))).rejects.toMatchObject({
      ...{ code: 'text-too-long', facts: { what: 'reason', most: 300 } },
    })
    expect((await top('20', ` ${'x'.repeat(300)}\n`)).state).toBe('proposed')
    expect(await book('oscar', { what: 'top-up', amount: '20' })).toMatchObject({ state: 'done' })
    expect((await world.database.read.booking.findFirst())?.proposedReason).toBe('x'.repeat(300))
  })

  it('is refused while the wallet cannot be reached', async () => {
    await begin()
    await world.provider.down()
    await expect(world.run(book('olga', { what: 'top-up', amount: '1' }))).rejects.toMatchObject({
      code: 'provider-unreachable',
    })
    await world.provider.up()
  })
})

describe('a withdrawal from the operator’s account', () => {
  it('reduces the operator’s account, and ends the pause that the missing sats caused', async () => {
    await begin()
    world.provider.wallet -= 30_000n
    await world.tipping.administration.audit()
    expect((await world.tipping.administration.status()).paused?.reason).toContain('30 sats less')
    await bookByTwo({ what: 'take-out', amount: '30' })
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 70_000n })
  })

  it('is limited to the missing sats plus those that may have arrived without a report', async () => {
    await begin()
    await world.tipping.deposits.open({ member: 'alice', amount: '40', origin: world.origin() })
    world.provider.wallet -= 30_000n
    await expect(book('olga', { what: 'take-out', amount: '71' })).rejects.toMatchObject({ facts: { most: 70_000n } })
    expect((await bookByTwo({ what: 'take-out', amount: '30' })).state).toBe('done')
  })

  it('is refused if the wallet still holds the sats', async () => {
    await begin()
    await expect(book('olga', { what: 'take-out', amount: '30' })).rejects.toMatchObject({ code: 'nothing-taken-out' })
  })
})

describe('a booking out of suspense', () => {
  it('credits the member whom two operators name, and only once', async () => {
    await withSuspense()
    await bookByTwo({ what: 'suspense', amount: '30', member: 'bob' })
    expect(await world.available('bob')).toBe(30_000n)
    await expect(book('olga', { what: 'suspense', amount: '30', member: 'bob' })).rejects.toMatchObject({
      code: 'suspense-exceeds',
      facts: { most: 20_000n },
    })
    await bookByTwo({ what: 'suspense', amount: '20' })
    expect(await world.tipping.administration.audit()).toMatchObject({ holds: true, operator: 120_000n, suspense: 0n })
    await expect(book('olga', { what: 'suspense', amount: '1' })).rejects.toMatchObject({ code: 'suspense-empty' })
  })

  it('is made for the first of two members if suspense holds enough for only one', async () => {
    await withSuspense()
    for (const member of ['bob', 'carol']) await book('olga', { what: 'suspense', amount: '30', member })
    const both = await Promise.allSettled(
      ['bob', 'carol'].map((member) => book('oscar', { what: 'suspense', amount: '30', member })),
    )
    expect(both).toMatchObject([
      { status: 'fulfilled', value: { state: 'done' } },
      { status: 'rejected', reason: { code: 'suspense-exceeds', facts: { most: 20_000n } } },
    ])
    expect([await world.available('bob'), await world.available('carol')]).toEqual([30_000n, 0n])
  })

  it('leaves the sats in suspense if it cannot be written, and can be repeated', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '30', member: 'bob' })
    world.failCommits = 1
    await expect(book('oscar', { what: 'suspense', amount: '30', member: 'bob' })).rejects.toThrow('nothing happened')
    expect(await world.available('bob')).toBe(0n)
    expect((await book('oscar', { what: 'suspense', amount: '30', member: 'bob' })).state).toBe('done')
    expect(await world.available('bob')).toBe(30_000n)
  })

  it('makes its member a user of the bot, so later tips are credited immediately', async () => {
    await withSuspense()
    await bookByTwo({ what: 'suspense', amount: '30', member: 'bob' })
    const tip = await world.tip('alice', 'bob', '5')
    expect(tip.shares).toMatchObject([{ state: 'credited' }])
  })

  it('waits while the two operators name different members or amounts', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '30', member: 'bob' })
    expect((await book('oscar', { what: 'suspense', amount: '30', member: 'carol' })).state).toBe('proposed')
    expect((await book('oscar', { what: 'suspense', amount: '31', member: 'bob' })).state).toBe('proposed')
    expect((await book('oscar', { what: 'suspense', amount: '30' })).state).toBe('proposed')
    expect((await world.tipping.administration.audit()).suspense).toBe(50_000n)
  })

  it('lapses if no second operator confirms it within a day', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '30', member: 'bob' })
    await world.pass(1)
    await book('otto', { what: 'suspense', amount: '5' })
    await world.pass(24 * 3_600_000 - 1)
    expect((await book('oscar', { what: 'suspense', amount: '30', member: 'bob' })).state).toBe('proposed')
    const bookings = await world.database.read.booking.findMany({ orderBy: { proposedAt: 'asc' } })
    expect(bookings.map(({ state }) => state)).toEqual(['lapsed', 'proposed', 'proposed'])
    expect((await book('olga', { what: 'suspense', amount: '30', member: 'bob' })).state).toBe('done')
    expect(await world.available('bob')).toBe(30_000n)
  })

  it('is made once if two operators confirm it simultaneously', async () => {
    await withSuspense()
    await book('olga', { what: 'suspense', amount: '20', member: 'bob' })
    await Promise.all(
      ['oscar', 'otto'].map((operator) => book(operator, { what: 'suspense', amount: '20', member: 'bob' })),
    )
    expect(await world.available('bob')).toBe(20_000n)
  })
})

describe('the alerts about a booking by two operators', () => {
  const reason = 'seen in the history'
  const proposed = (words: string) =>
    `olga books ${words}: ${reason}. It needs the confirmation of a second operator within a day`
  const done = (words: string) => `olga and oscar have booked ${words}: ${reason}; ${reason}`

  it.each<[string, Pick<BookingCommand, 'what' | 'amount' | 'member'>]>([
    ['30000 msats paid in for the operator', { what: 'top-up', amount: '30' }],
    ['30000 msats taken out by the operator', { what: 'take-out', amount: '30' }],
    ['30000 msats out of suspense to bob', { what: 'suspense', amount: '30', member: 'bob' }],
    ['30000 msats out of suspense to the operator', { what: 'suspense', amount: '30' }],
  ])('report first the proposal and then the booking: %s', async (words, command) => {
    await withSuspense()
    const moved = { 'top-up': 30_000n, 'take-out': -30_000n, suspense: 0n }
    world.provider.wallet += moved[command.what]
    const known = await world.database.read.alert.count()
    const booked = await bookByTwo(command)
    expect(booked).toEqual({ ...command, id: booked.id, amount: 30_000n, member: command.member, state: 'done' })
    expect(await world.database.read.entry.findMany({ where: { operation: booked.id } })).toMatchObject([
      { step: 'post' },
    ])
    const alerts = await world.database.read.alert.findMany({ orderBy: { id: 'asc' }, skip: known })
    expect(alerts).toMatchObject([
      { kind: 'booking-proposed', about: booked.id, text: proposed(words) },
      { kind: 'booking-done', about: booked.id, text: done(words) },
    ])
  })
})

it('the database refuses one person as both operators, and the deletion of a booking', async () => {
  await withSuspense()
  const { id } = await book('olga', { what: 'suspense', amount: '5' })
  const data = { state: 'done', secondedBy: 'olga', secondedReason: 'x', secondedAt: new Date() }
  await expect(world.database.write.booking.update({ where: { id }, data })).rejects.toThrow()
  await expect(world.database.write.booking.delete({ where: { id } })).rejects.toThrow()
})
