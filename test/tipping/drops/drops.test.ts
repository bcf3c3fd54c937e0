import { describe, expect, it } from 'vitest'
import type { DropCommand } from '../../../src/tipping/tipping.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'
import * as entries from './drop-steps.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await aliceHasSome(options)
}

const open = (command: Partial<DropCommand> = {}, interaction?: string) => entries.open(world, command, interaction)
const claim = (drop: string, id: string, answer?: string) => entries.claim(world, drop, id, answer)
const close = (drop: string, member?: string) => entries.close(world, drop, member)

describe('a drop with more simultaneous claimants than shares (fault 24)', () => {
  it('gives each share once, at most one per person, and never overdraws its pot', async () => {
    await begin()
    const { id } = await open()
    const people = Array.from({ length: 100 }, (_, i) => `fan-${i}`)
    const told = await entries.outcomes([...people, ...people].map((who) => claim(id, who)))
    expect(new Set(told)).toEqual(new Set(['share', 'drop-empty']))
    const got = await Promise.all(people.map((who) => world.available(who)))
    expect(got.filter((amount) => amount === 10_000n)).toHaveLength(10)
    expect(got.filter((amount) => amount === 0n)).toHaveLength(90)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 10, state: 'closed', returned: 0n })
    expect(await world.available('alice')).toBe(900_000n)
  })

  it('either gives or returns each share if it closes at the same moment', async () => {
    await begin()
    const { id } = await open()
    const people = Array.from({ length: 8 }, (_, i) => `fan-${i}`)
    await entries.outcomes([
      ...people.slice(0, 4).map((who) => claim(id, who)),
      close(id),
      ...people.slice(4).map((who) => claim(id, who)),
    ])
    const view = await world.tipping.drops.view(id)
    expect(view.state).toBe('closed')
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(view.claimed) * 10_000n)
  })

  it('gives each share once even if two bots share the book', async () => {
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
    const told = await entries.outcomes(
      ['bob', 'carol', 'dave', 'bob'].flatMap((who) => [press(one, who), press(other, who)]),
    )
    expect(told.length).toBe(8)
    const got = await Promise.all(['bob', 'carol', 'dave'].map((who) => world.available(who)))
    expect(got.toSorted()).toEqual([0n, 50_000n, 50_000n])
  })

  it('is protected by the database, which refuses excess claims', async () => {
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

describe('a drop that one person presses or opens twice (fault 22)', () => {
  it('gives one share, even if the second press comes late or after a restart', async () => {
    await begin()
    const { id } = await open()
    const [first, second] = await Promise.all([claim(id, 'bob'), claim(id, 'bob')])
    expect(second.id).toBe(first.id)
    await world.restart()
    expect((await claim(id, 'bob')).id).toBe(first.id)
    expect(await world.available('bob')).toBe(10_000n)
  })

  it('opens once for two deliveries of its command', async () => {
    await begin()
    const [one, other] = await Promise.all([open({}, 'the-same'), open({}, 'the-same')])
    expect(other.id).toBe(one.id)
    expect(await world.available('alice')).toBe(900_000n)
  })
})

describe('one Lightning account under two Discord accounts (fault 31)', () => {
  it('gets only one share, even after the first Discord account has unlinked it', async () => {
    await begin()
    const { id } = await open()
    await world.linked('bob')
    expect(await claim(id, 'bob')).toMatchObject({ state: 'paid' })
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
    expect(await world.available('carol')).toBe(0n)
  })
})

describe('a Lightning account that its owner unlinked before a drop (fault 31)', () => {
  it('entitles its former and its next owner to only one share between them', async () => {
    await begin()
    const { id } = await open()
    await world.linked('bob')
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await claim(id, 'bob')
    await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
    expect((await world.available('bob')) + (await world.available('carol'))).toBe(10_000n)
  })

  it('counts as its former owner’s if it was the last account that owner linked', async () => {
    await begin()
    const { id } = await open()
    world.provider.user('before')
    await world.tipping.links.link({ member: 'bob', gamertag: 'before', origin: world.origin() })
    await world.pass(1_000)
    await world.linked('bob')
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await claim(id, 'bob')
    await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
  })
})

describe('a drop', () => {
  it('shows everybody its state, and each person their own share', async () => {
    await begin()
    await world.linked('bob')
    const drop = await open({ shares: 3 })
    const other = await open({ draw: true })
    await claim(other.id, 'dave')
    expect(drop).toMatchObject({ state: 'open', returned: 0n, puzzle: undefined, role: undefined, entered: 0 })
    expect(await world.tipping.cards.get(drop.card)).toMatchObject({
      ...{ kind: 'drop', record: drop.id, audience: { channel: 'channel' }, revision: 1 },
    })
    const mine = await claim(drop.id, 'carol')
    await world.pass(1_000)
    await claim(drop.id, 'bob')
    expect(mine).toMatchObject({ drop: drop.id, owner: 'alice', member: 'carol', amount: 33_000n, chance: 'given' })
    expect(await world.tipping.cards.get(mine.card)).toMatchObject({
      ...{ kind: 'drop-claim', record: mine.id, audience: { member: 'carol' } },
    })
    expect((await world.tipping.cards.get(drop.card))?.revision).toBe(3)
    expect(await world.tipping.drops.view(drop.id)).toMatchObject({ entered: 0, winners: ['carol', 'bob'] })
    const sent = world.provider.calls.find(({ operation }) => operation === 'payToGamertag')
    expect(sent?.body.description).toBe('A share of a drop')
    const operations = await world.database.read.operation.findMany({ where: { verb: { startsWith: 'drop' } } })
    expect(operations.map(({ verb }) => verb).toSorted()).toEqual(['drop', 'drop', ...Array(3).fill('drop-claim')])
    const { view, claimView } = world.tipping.drops
    for (const read of [view, claimView]) await expect(read('none')).rejects.toMatchObject({ code: 'not-there' })
    await expect(claim('none', 'bob')).rejects.toMatchObject({ code: 'drop-over' })
  })

  it('refuses people who do not meet its conditions, and states the unmet condition', async () => {
    await begin()
    const terms = { role: 'helpers', accountDays: 30, memberDays: 7 }
    const { id, ...shown } = await open(terms)
    expect(shown).toMatchObject(terms)
    const ago = (days: number, lessMs = 0) => new Date(world.clock.now() - days * 24 * 3_600_000 + lessMs)
    const bob = { id: 'bob', accountSince: ago(30), memberSince: ago(7), roles: ['others', 'helpers'] }
    const press = (unlike: object) =>
      world.tipping.drops.claim({ drop: id, claimant: { ...bob, ...unlike }, origin: world.origin() })
    for (const [unlike, code, facts] of [
      [{ id: 'alice' }, 'drop-own', {}],
      [{ roles: ['others'] }, 'drop-role', { role: 'helpers' }],
      [{ accountSince: ago(30, 1) }, 'drop-account-young', { days: 30 }],
      [{ memberSince: ago(7, 1) }, 'drop-member-young', { days: 7 }],
      [{ memberSince: undefined }, 'drop-member-young', { days: 7 }],
    ] as const) {
      await expect(press(unlike)).rejects.toMatchObject({ code, facts })
    }
    expect(await press({})).toMatchObject({ chance: 'given' })
  })

  it('ends on time even if a changed clock delays the return of its pot', async () => {
    await begin()
    const { id, closesAt } = await open({ minutes: 60 })
    const press = (who: string) =>
      world.tipping.drops.claim({
        drop: id,
        claimant: { id: who, accountSince: new Date(0), memberSince: undefined, roles: [] },
        origin: world.origin(),
      })
    world.clock.jump(closesAt.getTime() - world.clock.now() - 1)
    expect(await press('bob')).toMatchObject({ chance: 'given' })
    world.clock.jump(1)
    await expect(press('carol')).rejects.toMatchObject({ code: 'drop-over' })
  })

  it('closes on time, or when the bot restarts if it was down at that time', async () => {
    await begin()
    const { id } = await open({ minutes: 10 })
    await claim(id, 'bob')
    await world.pass(9 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
    await world.pass(61_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({
      state: 'closed',
      returned: 90_000n,
      closedBy: undefined,
    })
    expect(await claim(id, 'bob')).toMatchObject({ chance: 'given' })
    await expect(claim(id, 'carol')).rejects.toMatchObject({ code: 'drop-over' })
    expect(await world.available('alice')).toBe(990_000n)
    const pot = await world.database.read.entry.findMany({ where: { operation: id } })
    expect(pot.map(({ step }) => step).toSorted()).toEqual(['reserve', 'void'])
    const later = await open({ minutes: 10 })
    await world.tipping.close()
    await world.clock.advance(20 * 60_000)
    await world.restart()
    await world.settle()
    expect(await world.tipping.drops.view(later.id)).toMatchObject({ state: 'closed' })
    expect(await world.available('alice')).toBe(990_000n)
  })

  it('returns no sats early if the clock is changed', async () => {
    await begin()
    const { id } = await open({ minutes: 60 })
    world.clock.jump(24 * 3_600_000)
    await world.pass(10 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
  })

  it('is not closed by its first polls if it is opened for a week', async () => {
    await begin()
    const { id } = await open({ minutes: 7 * 24 * 60 })
    await world.pass(11 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
  })

  it('draws its winners from its entrants, and pays them like recipients of tips', async () => {
    await begin()
    const bob = await world.linked('bob')
    const { id } = await open({ shares: 3, draw: true, minutes: 5 })
    for (const who of ['bob', 'carol']) expect(await claim(id, who)).toMatchObject({ chance: 'entered' })
    await world.pass(5 * 60_000 + 1_000)
    expect(await world.tipping.drops.view(id)).toMatchObject({ claimed: 2, returned: 33_000n })
    expect(world.received(bob)).toBe(33_000n)
    expect(await world.available('carol')).toBe(33_000n)
    const [, carols] = await world.database.read.dropClaim.findMany({ orderBy: { member: 'asc' } })
    const prize = await world.database.read.entry.findMany({ where: { operation: carols?.id ?? '' } })
    expect([carols?.member, prize.map(({ step }) => step)]).toEqual(['carol', ['post']])
    expect(await world.available('alice')).toBe(934_000n)
  })

  it.each([false, true])('returns everything if a moderator who entered closes it (codes: %s)', async (codes) => {
    await begin()
    const drop = await open({ shares: 2, draw: true, codes })
    // Without codes that can be given there would be nothing to win.
    await world.settle()
    expect(await world.database.read.voucher.count({ where: { state: 'live' } })).toBe(codes ? 2 : 0)
    for (const who of ['mod', 'fan-1']) await claim(drop.id, who)
    const before = await world.available('alice')
    const origin = { ...world.origin(), guild: 'guild' }
    const closed = await world.run(world.tipping.drops.close({ drop: drop.id, member: 'mod', moderator: true, origin }))
    expect(closed).toMatchObject({ state: 'closed', closedBy: 'mod', claimed: 0, winners: [] })
    await world.pass(10_000)
    expect((await world.available('alice')) - before).toBe(drop.share * 2n)
    expect(await world.tipping.drops.view(drop.id)).toMatchObject({ returned: drop.share * 2n })
    expect(world.provider.vouchers.all.map(({ revoked }) => revoked)).toEqual(codes ? [true, true] : [])
    expect(await Promise.all(['mod', 'fan-1'].map((who) => world.available(who)))).toEqual([0n, 0n])
    expect(await world.database.read.moderationLogEntry.findMany()).toMatchObject([
      { guild: 'guild', member: 'mod', action: 'drop-closed', about: expect.any(String) },
    ])
    const { about } = await world.database.read.moderationLogEntry.findFirstOrThrow()
    expect(JSON.parse(about)).toEqual({ drop: drop.id, of: 'alice', amount: `${drop.share * 2n}` })
  })

  it('draws at most one winner for each share, shows the winners, and is then over', async () => {
    await begin()
    const drop = await open({ shares: 2, draw: true })
    await open({ draw: true }).then(({ id }) => claim(id, 'fan-1'))
    const people = ['fan-1', 'fan-2', 'fan-3', 'fan-4']
    const entries = await Promise.all(people.map((who) => claim(drop.id, who)))
    expect(await world.tipping.drops.view(drop.id)).toMatchObject({ entered: 4, claimed: 0, winners: [], returned: 0n })
    const closed = await close(drop.id)
    expect(closed).toMatchObject({ state: 'closed', claimed: 2, returned: 0n, entered: 4 })
    const drawn = await Promise.all(entries.map(({ id }) => world.tipping.drops.claimView(id)))
    const given = drawn.filter(({ chance }) => chance === 'given').map(({ member }) => member)
    expect(closed.winners.toSorted()).toEqual(given)
    expect(drawn.filter(({ chance }) => chance === 'missed')).toHaveLength(2)
    const paid = await Promise.all(people.map((who) => world.available(who)))
    expect(people.filter((_, i) => paid[i] === 50_000n)).toEqual(given)
    for (const { card } of drawn) expect((await world.tipping.cards.get(card))?.revision).toBe(2)
    // Once for each who entered, and once for the end.
    expect((await world.tipping.cards.get(drop.card))?.revision).toBe(6)
    const told = (await world.tipping.cards.pending(99)).filter(({ kind }) => kind === 'drop-drawn')
    expect(told).toMatchObject([{ record: drop.id, audience: { channel: 'channel' } }])
    expect(await claim(drop.id, 'fan-1')).toMatchObject({ id: entries[0]?.id })
    await expect(claim(drop.id, 'late')).rejects.toMatchObject({ code: 'drop-over' })
  })

  it('refuses each entry after its end, and draws among all the earlier ones', async () => {
    await begin()
    const { id } = await open({ shares: 100, draw: true })
    await claim(id, 'first')
    const closing = close(id)
    const told = await entries.oneAfterTheOther(40, (who) => claim(id, who))
    await closing
    const entered = told.filter((code) => code === 'share').length
    expect(told.filter((code) => code === 'drop-over')).toHaveLength(40 - entered)
    const chances = await world.database.read.dropClaim.findMany({ where: { dropId: id } })
    expect(chances.map(({ state }) => state)).toEqual(Array(entered + 1).fill('given'))
  })

  it('sends no message about its draw if nobody entered', async () => {
    await begin()
    const { id } = await open({ draw: true })
    expect(await close(id)).toMatchObject({ winners: [], returned: 100_000n })
    expect((await world.tipping.cards.pending(99)).map(({ kind }) => kind)).not.toContain('drop-drawn')
  })

  it('considers only three answers from a person who sends 20 simultaneously', async () => {
    await begin()
    const { id, puzzle } = await open({ puzzle: 'sum' })
    const [one = 0, other = 0] = (puzzle?.question ?? '').split(' + ').map(Number)
    const guesses = Array.from({ length: 20 }, (_, i) => claim(id, 'bob', String(one + other + i + 1)))
    const told = await entries.outcomes(guesses)
    expect(told.filter((code) => code === 'drop-answer-wrong')).toHaveLength(2)
    await expect(claim(id, 'bob', String(one + other))).rejects.toMatchObject({ code: 'drop-attempts-used' })
    expect(await claim(id, 'carol', ` ${one + other} `)).toMatchObject({ chance: 'given' })
    for (const [answer, left] of [
      [undefined, 2],
      ['0', 1],
    ] as const) {
      await expect(claim(id, 'dave', answer)).rejects.toMatchObject({ code: 'drop-answer-wrong', facts: { left } })
    }
    expect(await claim(id, 'dave', String(one + other))).toMatchObject({ chance: 'given' })
  })

  it('ends a person’s attempts after the third wrong answer', async () => {
    await begin()
    const { id } = await open({ puzzle: 'phrase', answer: 'to the moon' })
    const said = []
    for (const answer of ['moon', 'to moon', 'the moon', 'to the moon']) {
      said.push(...(await entries.outcomes([claim(id, 'bob', answer)])))
    }
    expect(said).toEqual([...Array(2).fill('drop-answer-wrong'), ...Array(2).fill('drop-attempts-used')])
    expect(await world.available('bob')).toBe(0n)
    const share = await claim(id, 'carol', 'to the moon')
    const entry = await world.database.read.entry.findMany({ where: { operation: share.id } })
    expect(entry.map(({ step }) => step)).toEqual(['post'])
  })

  it('stays open until its closing time even if it is polled early', async () => {
    await begin()
    const { id, closesAt } = await open({ minutes: 60 })
    await world.database.write.pollJob.update({ where: { id }, data: { nextAt: new Date(world.clock.now()) } })
    await world.pass(30 * 60_000)
    const nextAt = async () => (await world.database.read.pollJob.findUnique({ where: { id } }))?.nextAt
    expect(await nextAt()).toEqual(closesAt)
    expect((await world.tipping.drops.view(id)).state).toBe('open')
    await world.pass(31 * 60_000)
    expect((await world.tipping.drops.view(id)).state).toBe('closed')
    expect(await nextAt()).toBeFalsy()
  })
})
