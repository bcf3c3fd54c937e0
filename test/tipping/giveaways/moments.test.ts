import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { GiveawayView } from '../../../src/tipping/tipping.ts'
import { type AddressHost, hostAddress } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
})
const OLD = { accountSince: new Date(0), roles: [] }
const by = ({ id }: GiveawayView) => ({ giveaway: id, member: 'alice', moderator: false, guild: 'guild' })

const start = (prize = '500') =>
  world.tipping.giveaways.start({ member: 'alice', prize, winners: 1, duration: '1h', origin: world.origin() })
const stateOf = async ({ id }: GiveawayView) => (await world.tipping.giveaways.view(id)).state

async function enter({ id: giveaway }: GiveawayView, ...members: string[]): Promise<void> {
  for (const member of members) {
    await world.tipping.giveaways.enter({ giveaway, member, entrant: OLD, interaction: `${giveaway} ${member}` })
  }
}

/** Shows all pending messages, as the front does. */
async function show(): Promise<void> {
  const cards = await world.tipping.cards.pending(100)
  for (const card of cards) await world.tipping.cards.shown(card, `message-${card.id}`)
}

async function draw(giveaway: GiveawayView): Promise<void> {
  await show()
  await world.tipping.giveaways.end(by(giveaway))
  await world.pass(60_000)
  await show()
  await world.pass(1_000)
  expect(await stateOf(giveaway)).toBe('drawn')
}

describe('a giveaway', () => {
  it('waits for its end if it is polled too early', async () => {
    const giveaway = await start()
    await enter(giveaway, 'bob')
    const nextAt = new Date(world.clock.now())
    await world.database.write.pollJob.update({ where: { id: giveaway.id }, data: { nextAt } })
    await world.restart()
    await world.pass(60_000)
    const { polls, nextAt: then } = await world.database.read.pollJob.findUniqueOrThrow({ where: { id: giveaway.id } })
    expect([await stateOf(giveaway), polls, then]).toEqual(['open', 1, giveaway.endsAt])
  })

  it('reserves the balance as it is at the commit if its amount is “all”', async () => {
    await world.close()
    world = await TippingWorld.open({ wallet: 1_000_000n, besideOthers: true })
    await world.fund('alice', 10_000)
    const { giveaways } = world.tipping
    const another = await world.start()
    await world.settle()
    // Between the reading of the balance and the giveaway's commit, alice tips through another bot.
    const tip = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '3000', origin: world.origin() }
    world.beforeNextCommit = () => another.tips.send(tip)
    const terms = { member: 'alice', prize: 'all', winners: 1, duration: '1h', origin: world.origin() }
    expect(await giveaways.start(terms)).toMatchObject({ prize: sats(7_000) })
    expect(await world.available('alice')).toBe(0n)
  })

  it('is drawn soon if the channel of its message is gone', async () => {
    const giveaway = await start()
    await enter(giveaway, 'bob')
    await show()
    await world.tipping.giveaways.end(by(giveaway))
    await world.pass(60_000)
    for (const { id, revision } of await world.tipping.cards.pending(100)) {
      await world.tipping.cards.undeliverable(id, revision)
    }
    await world.pass(1_000)
    expect(await stateOf(giveaway)).toBe('drawn')
  })

  it('is booked as an operation with steps, as is a reroll', async () => {
    const giveaway = await start()
    await enter(giveaway, 'bob', 'carol')
    await draw(giveaway)
    const again = await world.tipping.giveaways.reroll({ ...by(giveaway), origin: world.origin() })
    const { operation, entry } = world.database.read
    const stored = await operation.findMany({
      where: { record: { in: [giveaway.id, again.id] } },
      orderBy: { createdAt: 'asc' },
    })
    expect(stored.map(({ verb, record }) => [verb, record])).toEqual([
      ['giveaway', giveaway.id],
      ['giveaway-reroll', again.id],
    ])
    const steps = async (of: string) =>
      (await entry.findMany({ where: { operation: of }, orderBy: { id: 'asc' } })).map(({ step }) => step)
    expect([await steps(again.id), (await steps(giveaway.id))[0]]).toEqual([['post'], 'reserve'])
    const { published } = await world.tipping.giveaways.proof({ giveaway: giveaway.id, guild: 'guild' })
    expect(published).toEqual({ commitment: giveaway.card, entrants: giveaway.card })
  })

  it('pays its winner with a description that mentions a giveaway', async () => {
    await world.linked('bob')
    const giveaway = await start()
    await enter(giveaway, 'bob')
    await draw(giveaway)
    await world.settle()
    const sent = world.provider.calls.filter(({ operation }) => operation === 'payToGamertag')
    expect(sent.map(({ body }) => body.description)).toEqual(['Won in a giveaway'])
  })
})

describe('a prize of a member with a Lightning Address', () => {
  let host: AddressHost
  beforeEach(async () => {
    host = await hostAddress(world)
  })
  afterEach(() => host.close())

  it('is forwarded to the address after a first or a second draw', async () => {
    for (const member of ['bob', 'carol']) {
      const forwarded = { member, address: host.address, origin: world.origin() }
      await world.run(world.tipping.forwarding.start(forwarded))
    }
    const giveaway = await start()
    await enter(giveaway, 'bob', 'carol')
    await draw(giveaway)
    await world.pass(1_000)
    await world.run(world.tipping.giveaways.reroll({ ...by(giveaway), origin: world.origin() }))
    await world.pass(1_000)
    const sent = await world.database.read.withdrawal.findMany({ where: { forwarded: true } })
    expect(new Set(sent.map(({ member, state }) => `${member} ${state}`))).toEqual(new Set(['bob paid', 'carol paid']))
  })
})
