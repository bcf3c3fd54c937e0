import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import type { PendingTip, TipView } from '../../src/tipping/tipping.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld
let key: string

/**
 * Opens a world in which alice has tipped bob 50 sats in a server, and bob uses the bot, and carol and dave have 500
 * sats each.
 */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 500)
  for (const member of ['bob', 'carol', 'dave']) await world.fund(member, 500)
  key = (await tip('50')).key
})
/** The place where the tip is given and joined: one channel of one server. */
function origin() {
  return { ...world.origin(), guild: 'guild', channel: 'channel' }
}

async function tip(amount: string, to = ['bob']) {
  const here = origin()
  const people = to.map((id) => ({ id, bot: false }))
  const given = await world.run(world.tipping.tips.send({ from: 'alice', to: people, amount, origin: here }))
  return { ...given, key: here.interaction }
}

async function join(from: string, at = origin(), of = key): Promise<TipView> {
  const joined = await world.run(world.tipping.tips.join({ key: of, from, origin: at }))
  if ('asked' in joined) throw new Error('it asks first')
  return joined
}

const balance = async (member: string) => await world.tipping.balances.available(member)
const tips = () => world.database.read.tip.count()

describe('a tip that others join', () => {
  it('takes the same amount once from each joiner, and counts joiners on its one card', async () => {
    const before = await world.database.read.card.count()
    expect((await join('carol')).join).toMatchObject({ people: 1, total: sats(100) })
    const now = await join('dave')
    expect(now).toMatchObject({ from: 'alice', total: sats(50), join: { people: 2, total: sats(150) } })
    expect([await balance('bob'), await balance('carol'), await balance('dave')]).toEqual([650, 450, 450].map(sats))
    expect(await world.database.read.card.count()).toBe(before)
    const card = await world.database.read.card.findUniqueOrThrow({ where: { id: now.card } })
    expect(card).toMatchObject({ kind: 'tip', record: now.id, revision: 3, pending: true })
  })

  it('takes nothing more for a second, redelivered or simultaneous press', async () => {
    const at = origin()
    await Promise.all([join('carol', at), join('carol', at)])
    expect((await join('carol', at)).join?.people).toBe(1)
    await expect(join('carol')).rejects.toMatchObject({ code: 'tip-joined' })
    const both = await Promise.allSettled([join('dave'), join('dave')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect([await balance('carol'), await balance('dave')]).toEqual([450, 450].map(sats))
  })

  it('cannot be joined by its giver or its recipients', async () => {
    await expect(join('alice')).rejects.toMatchObject({ code: 'tip-join-own' })
    await expect(join('bob')).rejects.toMatchObject({ code: 'tip-join-received' })
    expect(await tips()).toBe(1)
  })

  it('cannot be joined through the interaction of somebody who joined it', async () => {
    const at = origin()
    await join('carol', at)
    await expect(join('dave', origin(), at.interaction)).rejects.toMatchObject({ code: 'not-there' })
    expect(await balance('dave')).toBe(sats(500))
  })

  it('can be joined after it was confirmed or paid by invoice', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(40) } })
    const people = [{ id: 'bob', bot: false }]
    const asked = await world.tipping.tips.ask({ from: 'alice', to: people, amount: '41', origin: origin() })
    if (!('asked' in asked)) throw new Error('it asks nothing')
    const word = { asked: asked.asked, member: 'alice', origin: origin() }
    const confirmed = await world.run(world.tipping.tips.confirm(word))
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(50) } })
    expect((await join('carol', origin(), confirmed.key)).join).toMatchObject({ people: 1, total: sats(82) })
    const [here, amount] = [origin(), '45']
    const command = { from: 'erin', to: people, amount, origin: here, announced: here }
    const invoice = await world.tipping.invoicedTips.ask(command)
    if (!('missing' in invoice)) throw new Error('there is no invoice')
    await expect(join('carol', origin(), here.interaction)).rejects.toMatchObject({ code: 'not-there' })
    const { request } = await world.tipping.deposits.view(invoice.deposit)
    const charge = world.provider.chargeOf(request)
    world.provider.payCharge(charge.id)
    await world.tipping.hint(world.token(charge.callbackUrl))
    await world.settle()
    expect((await join('carol', origin(), here.interaction)).join).toMatchObject({ people: 1, total: sats(90) })
  })

  it('pays a joiner’s amount to each of its recipients', async () => {
    const given = await tip('20', ['bob', 'dave'])
    const joined = await join('carol', origin(), given.key)
    expect(joined.join).toMatchObject({ people: 1, total: sats(80) })
    expect([await balance('bob'), await balance('dave'), await balance('carol')]).toEqual([590, 540, 460].map(sats))
  })

  it('cannot be joined by a person whose balance is too small', async () => {
    await expect(join('newcomer')).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { needed: sats(50), missing: sats(50) },
    })
    expect(await tips()).toBe(1)
  })

  it('respects the server’s limits', async () => {
    const change = { perDay: sats(60) }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await join('carol')
    const other = await tip('20')
    await expect(join('carol', origin(), other.key)).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('moves no joiner’s sats before a confirmation if the amount is above the limit', async () => {
    const change = { confirmAbove: sats(40) }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    const asked = (await world.tipping.tips.join({ key, from: 'carol', origin: origin() })) as PendingTip
    expect(asked).toMatchObject({ total: sats(50), to: ['bob'] })
    expect(await tips()).toBe(1)
    const confirm = () =>
      world.run(world.tipping.tips.confirm({ asked: asked.asked, member: 'carol', origin: origin() }))
    await confirm()
    await confirm()
    expect((await balance('carol')).valueOf()).toBe(sats(450))
    const [first] = await world.database.read.tip.findMany({ where: { joins: null } })
    expect((await world.tipping.tips.view(first?.id ?? '')).join).toMatchObject({ people: 1, total: sats(100) })
    expect(await world.database.read.card.count({ where: { kind: 'tip' } })).toBe(1)
  })

  it('cannot be joined from another channel, or by the id of an unknown command', async () => {
    const elsewhere = { ...origin(), channel: 'elsewhere' }
    for (const press of [() => join('carol', elsewhere), () => join('carol', origin(), 'no such command')]) {
      await expect(press()).rejects.toMatchObject({ code: 'not-there' })
    }
    const direct = { ...world.origin(), guild: null, channel: 'channel' }
    const people = [{ id: 'bob', bot: false }]
    const alone = await world.run(world.tipping.tips.send({ from: 'alice', to: people, amount: '5', origin: direct }))
    expect(alone.join).toBeUndefined()
  })

  it('holds joined sats for a newcomer too, but stops counting them once they return', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { claimDays: 1 } })
    const given = await tip('10', ['stranger'])
    await join('carol', origin(), given.key)
    expect((await world.tipping.tips.view(given.id)).join).toMatchObject({ people: 1, total: sats(20) })
    await world.pass(25 * 3_600_000)
    const back = await world.tipping.tips.view(given.id)
    expect(back.shares).toMatchObject([{ state: 'returned' }])
    expect(back.join).toBeUndefined()
    expect(await balance('carol')).toBe(sats(500))
    await expect(join('dave', origin(), given.key)).rejects.toMatchObject({ code: 'not-there' })
  })

  it('counts a press once even if the process dies at that moment', async () => {
    const at = origin()
    for (const moment of ['before', 'after'] as const) {
      const died = world.dieAtCommit(1, moment)
      void world.tipping.tips.join({ key, from: 'carol', origin: at })
      await died
      await world.reborn()
    }
    expect((await join('carol', at)).join).toMatchObject({ people: 1 })
    expect(await balance('carol')).toBe(sats(450))
  })
})
