import { beforeEach, describe, expect, it } from 'vitest'
import type { Card } from '../../src/tipping/tipping.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  for (const card of await world.tipping.cards.pending(10)) await world.tipping.cards.shown(card)
})

const pending = () => world.tipping.cards.pending(10)

async function onlyPending(): Promise<Card> {
  const cards = await pending()
  expect(cards).toHaveLength(1)
  return cards[0] as Card
}

describe('a card', () => {
  it('records where its command was used, and is pending until it is shown', async () => {
    const tip = await world.tip('alice', 'carol', '100', 'command-7')
    const card = await onlyPending()
    expect(card).toMatchObject({ id: tip.card, kind: 'tip', record: tip.id, revision: 1, shown: 0, message: undefined })
    expect(card.origin).toEqual(world.origin('command-7'))
    expect(card.audience).toEqual({ channel: 'channel' })
    await world.tipping.cards.shown(card, 'message-1')
    expect(await pending()).toEqual([])
    expect(await world.tipping.cards.get(card.id)).toMatchObject({ shown: 1, message: 'message-1' })
  })

  it('is pending again after its record changes, and keeps its message', async () => {
    const tip = await world.tip('alice', 'carol', '100')
    await world.tipping.cards.shown(await onlyPending(), 'message-1')
    await world.tipping.claims.take({ member: 'carol', origin: world.origin() })
    const [card] = await pending()
    expect(card).toMatchObject({ id: tip.card, revision: 2, shown: 1, message: 'message-1' })
  })

  it('stays pending if it changes while it is being shown', async () => {
    const tip = await world.tip('alice', 'carol', '100')
    const before = await onlyPending()
    await world.tipping.claims.take({ member: 'carol', origin: world.origin() })
    await world.tipping.cards.shown(before, 'message-1')
    expect((await pending()).map((card) => card.id)).toContain(tip.card)
    await world.tipping.cards.shown({ ...before, revision: 2 })
    await world.tipping.cards.shown(before)
    expect(await world.tipping.cards.get(tip.card)).toMatchObject({ shown: 2, revision: 2, message: 'message-1' })
    expect((await pending()).map((card) => card.kind)).toEqual(['claim'])
  })

  it('ignores the message of a delivery that began before the card moved', async () => {
    const { card: id } = await world.tipping.deposits.open({ member: 'alice', amount: '5', origin: world.origin() })
    const before = await onlyPending()
    const origin = world.origin()
    await world.tipping.cards.move(id, origin)
    await world.tipping.cards.shown(before, 'channel/message')
    const moved = await onlyPending()
    expect(moved).toMatchObject({ id, origin, message: undefined, shown: 1, revision: 2 })
    await world.tipping.cards.shown(moved, 'answer')
    expect(await world.tipping.cards.get(id)).toMatchObject({ message: 'answer', shown: 2 })
    expect(await pending()).toEqual([])
  })

  it('is still pending after a restart', async () => {
    const tip = await world.tip('alice', 'carol', '100')
    await world.restart()
    expect((await onlyPending()).id).toBe(tip.card)
  })

  it('is given up if its channel is gone, but a private card waits for a command', async () => {
    const tip = await world.tip('alice', 'carol', '100')
    await world.tipping.cards.undeliverable(tip.card, 1)
    expect(await pending()).toEqual([])
    const deposit = await world.tipping.deposits.open({ member: 'alice', amount: '5', origin: world.origin() })
    await world.tipping.cards.undeliverable(deposit.card, 1)
    expect(await pending()).toEqual([])
    const [untold, ...more] = await world.tipping.cards.untold('alice')
    expect(untold?.id).toBe(deposit.card)
    expect(more).toEqual([])
    expect(await world.tipping.cards.untold('carol')).toEqual([])
    await world.tipping.cards.shown(untold as Card)
    expect(await world.tipping.cards.untold('alice')).toEqual([])
  })

  it('does not exist if the change that it would show cannot be saved (fault 11)', async () => {
    world.failCommits = 1
    await expect(world.tip('alice', 'carol', '100')).rejects.toThrow('nothing happened')
    await expect(world.tip('alice', 'carol', '1001')).rejects.toMatchObject({ code: 'insufficient-funds' })
    expect(await pending()).toEqual([])
  })

  it('is announced to listeners once it can be read', async () => {
    const announced = Promise.withResolvers<void>()
    let calls = 0
    const end = world.tipping.cards.subscribe(() => {
      calls += 1
      void pending().then((cards) => (cards.length > 0 ? announced.resolve() : undefined))
    })
    await world.tip('alice', 'carol', '100')
    await announced.promise
    end()
    const before = calls
    await world.tip('alice', 'carol', '100')
    await world.settle()
    expect(calls).toBe(before)
  })
})
