import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import type { AskView } from '../../src/tipping/tipping.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld
let ask: AskView

/** Opens a world in which bob asks for 300 sats, and carol and dave have 500 each. */
beforeEach(async () => {
  world = await TippingWorld.open()
  for (const member of ['carol', 'dave']) await world.fund(member, 500)
  ask = await open()
})
const origin = () => ({ ...world.origin(), guild: 'guild', channel: 'channel' })

function open(more: Partial<Parameters<typeof world.tipping.asks.open>[0]> = {}): Promise<AskView> {
  const terms = { member: 'bob', roles: [], amount: '300', reason: 'A new keyboard', origin: origin() }
  return world.tipping.asks.open({ ...terms, ...more })
}

/** Gives sats for the ask, as its buttons do. */
async function give(from: string, amount: string, at = origin(), id = ask.id) {
  const tip = await world.tipping.asks.tipFor({ ask: id, from, amount, origin: at })
  return await world.run(world.tipping.invoicedTips.ask({ ...tip, announced: at }))
}

const view = () => world.tipping.asks.view(ask.id)
const close = (member: string, moderator = false, guild = 'guild') =>
  world.tipping.asks.close({ ask: ask.id, member, moderator, guild })
const balance = async (member: string) => await world.tipping.balances.available(member)
const later = () => world.pass(6_000)

describe('a request for gifts from everybody', () => {
  it('passes on each gift immediately, counts it on its one card, and ends at its goal', async () => {
    const cards = await world.database.read.card.count()
    expect(await give('carol', '100')).toMatchObject({ from: 'carol', total: sats(100), note: 'A new keyboard' })
    expect(await balance('bob')).toBe(sats(100))
    expect(await view()).toMatchObject({ given: sats(100), gifts: 1, state: 'open', goal: sats(300) })
    await give('dave', '150')
    await later()
    await give('carol', '70')
    expect(await view()).toMatchObject({ given: sats(320), gifts: 3, state: 'reached' })
    expect([await balance('bob'), await balance('carol'), await balance('dave')]).toEqual([320, 330, 350].map(sats))
    expect(await world.database.read.card.count()).toBe(cards)
    const card = await world.database.read.card.findUniqueOrThrow({ where: { id: ask.card } })
    expect(card).toMatchObject({ kind: 'ask', revision: 4, pending: true })
    await expect(give('dave', '1')).rejects.toMatchObject({ code: 'ask-over' })
    expect(await balance('dave')).toBe(sats(350))
  })

  it('refuses the same person’s immediate second press, and counts a redelivery once', async () => {
    const at = origin()
    await Promise.all([give('carol', '100', at), give('carol', '100', at)])
    await give('carol', '100', at)
    await expect(give('carol', '100')).rejects.toMatchObject({ code: 'cooling-down' })
    const both = await Promise.allSettled([give('dave', '50'), give('dave', '50')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await view()).toMatchObject({ given: sats(150), gifts: 2 })
    await later()
    await give('carol', '100')
    expect(await balance('carol')).toBe(sats(300))
  })

  it('accepts only one of two gifts that reach its goal at the same moment', async () => {
    const both = await Promise.allSettled([give('carol', '300'), give('dave', '300')])
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(['ask-over'])
    expect(await view()).toMatchObject({ given: sats(300), gifts: 1, state: 'reached' })
    expect(await balance('bob')).toBe(sats(300))
  })

  it('answers a repeated press with the first gift even after the goal is reached', async () => {
    const at = origin()
    const given = await give('carol', '300', at)
    expect(await give('carol', '300', at)).toEqual(given)
    expect(await balance('carol')).toBe(sats(200))
  })

  it('counts a gift once even if the process dies just before or after it is written', async () => {
    const at = origin()
    const tip = await world.tipping.asks.tipFor({ ask: ask.id, from: 'carol', amount: '100', origin: at })
    for (const moment of ['before', 'after'] as const) {
      const died = world.dieAtCommit(1, moment)
      void world.tipping.tips.ask(tip)
      await died
      await world.reborn()
    }
    await give('carol', '100', at)
    expect([await balance('carol'), (await view()).given]).toEqual([400, 100].map(sats))
  })

  it('accepts no gift from its owner, from another channel, or of a wrong amount', async () => {
    await world.fund('bob', 100)
    await expect(give('bob', '10')).rejects.toMatchObject({ code: 'ask-own' })
    await expect(give('carol', '10', { ...origin(), channel: 'other' })).rejects.toMatchObject({ code: 'not-there' })
    await expect(give('carol', '10', { ...origin(), guild: 'other' })).rejects.toMatchObject({ code: 'not-there' })
    await expect(give('carol', '10', origin(), 'no such ask')).rejects.toMatchObject({ code: 'not-there' })
    await expect(give('carol', 'lots')).rejects.toMatchObject({ code: 'amount-not-understood' })
    expect((await view()).gifts).toBe(0)
  })

  it('respects the server’s limits, and asks givers to confirm large gifts', async () => {
    const change = { perDay: sats(120), confirmAbove: sats(90) }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    const asked = await give('carol', '100')
    if (!('asked' in asked)) throw new Error('it asks nothing')
    expect([asked.total, (await view()).given, await balance('carol')]).toEqual([100, 0, 500].map(sats))
    const word = { asked: asked.asked, member: 'carol', origin: origin() }
    await world.run(world.tipping.tips.confirm(word))
    await world.run(world.tipping.tips.confirm(word))
    expect([(await view()).given, await balance('carol')]).toEqual([100, 400].map(sats))
    await later()
    await expect(give('carol', '21')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('refuses a gift that is confirmed only after the request was closed', async () => {
    const change = { confirmAbove: sats(90) }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    const asked = await give('carol', '100')
    if (!('asked' in asked)) throw new Error('it asks nothing')
    await close('bob')
    const confirm = world.tipping.tips.confirm({ asked: asked.asked, member: 'carol', origin: origin() })
    await expect(confirm).rejects.toMatchObject({ code: 'ask-over' })
    expect(await balance('carol')).toBe(sats(500))
  })

  it('accepts gifts by invoice while it is open, and leaves later ones in the balance', async () => {
    const pay = async (deposit: string) => {
      const { request } = await world.tipping.deposits.view(deposit)
      const charge = world.provider.chargeOf(request)
      world.provider.payCharge(charge.id)
      await world.tipping.hint(world.token(charge.callbackUrl))
      await world.settle()
    }
    const [first, second] = [await give('erin', '100'), await give('frank', '60')]
    if (!('missing' in first && 'missing' in second)) throw new Error('there is no invoice')
    await pay(first.deposit)
    expect(await view()).toMatchObject({ given: sats(100), gifts: 1 })
    await close('bob')
    await pay(second.deposit)
    expect(await world.tipping.invoicedTips.view(second.deposit)).toMatchObject({ state: 'kept', because: 'ask-over' })
    expect([await balance('bob'), await balance('erin'), await balance('frank')]).toEqual([100, 0, 60].map(sats))
  })

  it('ends once its time is over', async () => {
    ask = await open({ days: 1 })
    await world.leap(24 * 3_600_000 - 1)
    expect((await view()).state).toBe('open')
    await world.pass(2)
    expect((await view()).state).toBe('over')
    await expect(give('carol', '10')).rejects.toMatchObject({ code: 'ask-over' })
  })

  it('can be closed by its owner, or by a moderator, whom the log then names', async () => {
    await expect(close('carol')).rejects.toMatchObject({ code: 'not-yours' })
    await expect(close('mod', true, 'other')).rejects.toMatchObject({ code: 'not-there' })
    expect(await close('mod', true)).toMatchObject({ state: 'closed', closedBy: 'mod' })
    await expect(close('bob')).rejects.toMatchObject({ code: 'ask-over' })
    ask = await open()
    expect(await close('bob', true)).toMatchObject({ state: 'closed', closedBy: undefined })
    const log = await world.database.read.moderationLogEntry.findMany()
    expect(log).toMatchObject([{ member: 'mod', action: 'ask-closed' }])
  })

  it('is refused if it has no reason, its owner is excluded or three are already open', async () => {
    await expect(open({ reason: '  ' })).rejects.toMatchObject({ code: 'reason-missing' })
    await expect(open({ reason: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'text-too-long' })
    await expect(open({ amount: 'all' })).rejects.toMatchObject({ code: 'amount-of-nothing' })
    const at = origin()
    await Promise.all([open({ origin: at }), open({ origin: at })])
    await open()
    await expect(open()).rejects.toMatchObject({ code: 'ask-too-many', facts: { most: 3 } })
    await close('bob')
    await open()
    const change = { blockedRoles: ['out'] }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await expect(open({ member: 'erin', roles: ['out'] })).rejects.toMatchObject({ code: 'blocked' })
  })

  it('is closed and loses its reason when its owner deletes their data', async () => {
    await world.tipping.privacy.forget('bob')
    expect(await view()).toMatchObject({ state: 'closed', reason: '' })
    await expect(give('carol', '10')).rejects.toMatchObject({ code: 'ask-over' })
  })
})
