import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/amount.ts'
import { World } from './world.ts'

let world: World

beforeEach(async () => {
  world = await World.open({ settings: { confirmAbove: sats(100) } })
  await world.fund('alice', 1_000)
  await world.tipping.balance('bob')
})
afterEach(() => world.close())

function ask(amount: string, more: { split?: boolean; to?: string[]; interaction?: string } = {}) {
  const to = (more.to ?? ['bob']).map((id) => ({ id, bot: false }))
  return world.tipping.askTip({
    ...{ from: 'alice', to, amount, split: more.split, accountSince: new Date(0) },
    origin: world.origin(more.interaction),
  })
}

async function asked(amount: string, more: Parameters<typeof ask>[1] = {}) {
  const given = await ask(amount, more)
  if (!('asked' in given)) throw new Error('it was sent at once')
  return given
}

describe('a tip of more than goes with one word', () => {
  it('is sent when its giver says so again, once, also after a restart', async () => {
    const { asked: id, total } = await asked('101', { interaction: 'same' })
    expect((await asked('101', { interaction: 'same' })).asked).toBe(id)
    expect([total, await world.available('bob')]).toEqual([sats(101), 0n])
    await world.restart()
    await expect(world.tipping.confirmTip({ asked: id, member: 'bob', origin: world.origin() })).rejects.toMatchObject({
      code: 'not-yours',
    })
    for (const _ of [1, 2]) await world.tipping.confirmTip({ asked: id, member: 'alice', origin: world.origin() })
    expect(await world.available('bob')).toBe(sats(101))
  })

  it('counts all recipients, and means by “half” what it meant then', async () => {
    expect('asked' in (await ask('100'))).toBe(false)
    expect(await asked('60', { to: ['bob', 'carol'] })).toMatchObject({ total: sats(120), recipients: 2 })
    const { asked: id } = await asked('half')
    await world.fund('alice', 5_000)
    await world.tipping.confirmTip({ asked: id, member: 'alice', origin: world.origin() })
    expect(await world.available('bob')).toBe(sats(550))
  })

  it('follows the server’s own threshold, and what is not there is refused at once', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(500) } })
    expect('asked' in (await ask('500'))).toBe(false)
    await expect(ask('600')).rejects.toMatchObject({ code: 'insufficient-funds' })
  })
})
