import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import type { TipCommand } from '../../src/tipping/tipping.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and bob and carol use the bot. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  for (const who of ['bob', 'carol']) await world.available(who)
})
const DAY_MS = 24 * 3_600_000

function command(more: Partial<TipCommand> = {}): TipCommand {
  const origin = { ...world.origin(), guild: 'guild', locale: 'th' }
  return { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '100', anonymous: true, origin, ...more }
}

const give = (more?: Partial<TipCommand>) => world.run(world.tipping.tips.send(command(more)))
const choose = (change: object) => world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
const isNamed = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)).includes('alice')

describe('an anonymous tip', () => {
  it('does not name its giver on its card, before or after the sats return', async () => {
    await choose({ claimDays: 1 })
    const tip = await give({ to: [{ id: 'newcomer', bot: false }], note: 'thanks' })
    expect(isNamed(tip)).toBe(false)
    await world.clock.advance(DAY_MS + 2 * 3_600_000)
    await world.settle()
    const returned = await world.tipping.tips.view(tip.id)
    expect(returned.shares).toMatchObject([{ state: 'returned' }])
    expect(isNamed(returned)).toBe(false)
    expect(await world.available('alice')).toBe(sats(1_000))
  })

  it('has a card of its own, which is not a reply and not in the giver’s language', async () => {
    const { card } = await give()
    const shown = await world.tipping.cards.get(card)
    expect(shown?.origin).toMatchObject({ guild: 'guild', reply: '', locale: 'en' })
    expect(shown?.audience).toEqual({ channel: shown?.origin?.channel })
    expect(isNamed(shown)).toBe(false)
  })

  it('reveals its giver only to its recipients and to moderators', async () => {
    await world.tipping.preferences.change({ member: 'bob', change: { receipts: true } })
    const { id } = await give({ note: 'for you' })
    const { lines } = await world.tipping.history.page('bob', 0)
    expect(lines).toMatchObject([{ what: 'tip-received', who: 'alice' }])
    const [share] = await world.database.read.tipShare.findMany({ where: { tipId: id } })
    expect(await world.tipping.tips.receipt(share?.id ?? '')).toMatchObject({ from: 'alice', anonymous: true })
    const { tips } = await world.tipping.insights.anonymousTips('guild', 0)
    expect(tips).toMatchObject([{ from: 'alice', to: ['bob'], total: sats(100), note: 'for you' }])
    expect(await world.tipping.insights.anonymousTips('other', 0)).toEqual({ tips: [], isMore: false })
    expect(isNamed(await world.tipping.history.page('carol', 0))).toBe(false)
    expect(isNamed(await world.tipping.privacy.export('carol'))).toBe(false)
  })

  it('counts on leaderboards only for its recipient', async () => {
    await give({ anonymous: false, amount: '30' })
    await give({ amount: '500' })
    const board = await world.tipping.insights.leaderboard('guild', 'week')
    expect(board.tippers).toEqual([{ member: 'alice', amount: sats(30) }])
    expect(board.receivers).toEqual([{ member: 'bob', amount: sats(530) }])
    expect(await world.tipping.insights.stats('guild', 'week')).toMatchObject({ total: sats(530), gifts: 2 })
  })

  it('can be joined by others, but not by its giver', async () => {
    const { key } = await give()
    await world.tip('alice', 'carol', '200')
    const origin = { ...world.origin(), guild: 'guild' }
    const joined = await world.run(world.tipping.tips.join({ key, from: 'carol', origin }))
    expect(joined).toMatchObject({ join: { people: 1, total: sats(200) } })
    expect(isNamed(joined)).toBe(false)
    const own = world.tipping.tips.join({ key, from: 'alice', origin: world.origin() })
    await expect(world.run(own)).rejects.toMatchObject({ code: 'tip-join-own' })
  })

  it('stays anonymous when confirmed, and is refused if the server forbids it by then', async () => {
    await choose({ confirmAbove: sats(50) })
    const ask = async () => {
      const asked = await world.run(world.tipping.tips.ask(command()))
      return 'asked' in asked ? asked.asked : ''
    }
    const confirm = (asked: string) =>
      world.run(world.tipping.tips.confirm({ asked, member: 'alice', origin: { ...world.origin(), guild: 'guild' } }))
    const [first, second] = [await ask(), await ask()]
    expect(isNamed(await confirm(first))).toBe(false)
    await choose({ noAnonymousTips: true })
    await expect(confirm(second)).rejects.toMatchObject({ code: 'anonymous-off' })
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('stays anonymous if its giver pays by invoice', async () => {
    await world.available('dave')
    const origin = { ...world.origin(), guild: 'guild' }
    const asked = await world.run(
      world.tipping.invoicedTips.ask({ ...command({ from: 'dave', amount: '40', origin }), announced: origin }),
    )
    if (!('deposit' in asked)) throw new Error('there is no invoice')
    const stored = await world.database.read.invoicedTip.findUniqueOrThrow({ where: { id: asked.deposit } })
    expect(stored.gift).toContain('"anonymous":true')
  })

  it('is refused in a private conversation and from a pool', async () => {
    const alone = give({ origin: { ...world.origin(), guild: null } })
    await expect(alone).rejects.toMatchObject({ code: 'anonymous-off' })
    const pooled = give({ pool: { guild: 'guild', roles: [], reason: 'for all' } })
    await expect(pooled).rejects.toMatchObject({ code: 'anonymous-from-pool' })
    expect(await world.available('alice')).toBe(sats(1_000))
  })

  it('is refused if the server forbids it, while a tip by name is accepted', async () => {
    await choose({ noAnonymousTips: true })
    await expect(give()).rejects.toMatchObject({ code: 'anonymous-off' })
    expect(await give({ anonymous: false })).toMatchObject({ from: 'alice' })
  })
})

it('moderators can read all anonymous tips, one page at a time', async () => {
  for (let n = 1; n <= 12; n += 1) {
    await give({ amount: String(n) })
    await world.pass(1_000)
  }
  const first = await world.tipping.insights.anonymousTips('guild', 0)
  const second = await world.tipping.insights.anonymousTips('guild', 1)
  expect([first.isMore, second.isMore]).toEqual([true, false])
  expect([...first.tips, ...second.tips].map(({ total }) => Number(total) / 1_000)).toEqual(
    Array.from({ length: 12 }, (_, n) => 12 - n),
  )
})
