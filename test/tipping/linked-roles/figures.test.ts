import { beforeEach, expect, it } from 'vitest'
import { claim, open } from '../drops/drop-steps.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, ownWallets: true })
})
/** Returns the figures that Discord would now receive for a member. */
const figuresOf = async (member: string) =>
  (await world.tipping.linkedRoles.connect({ member, tokens: 'tokens' })).figures

it('only the claimed shares of a drop count as given in linked roles', async () => {
  await world.fund('alice', 10_000)
  const drop = await open(world)
  await world.linked('bob')
  await claim(world, drop.id, 'bob')
  expect(await figuresOf('alice')).toMatchObject({ given: 10_000n, tips: 0 })
  expect(await figuresOf('bob')).toMatchObject({ given: 0n, tips: 0 })
})

it('an anonymous tip does not count in linked roles, whose figures are public', async () => {
  await world.fund('alice', 1_000)
  await world.available('bob')
  const to = [{ id: 'bob', bot: false }]
  for (const anonymous of [true, false]) {
    const origin = { ...world.origin(), guild: 'guild' }
    await world.run(world.tipping.tips.send({ from: 'alice', to, amount: '100', anonymous, origin }))
  }
  expect(await figuresOf('alice')).toMatchObject({ given: 100_000n, tips: 1 })
})

it('a tip from wallet to wallet counts in linked roles once it is proven', async () => {
  await world.connected('alice')
  await world.connected('bob')
  await world.tip('alice', 'bob', '500')
  expect(await figuresOf('alice')).toMatchObject({ given: 0n, tips: 0 })
  await world.settle()
  expect(await figuresOf('alice')).toMatchObject({ given: 500_000n, tips: 1 })
})

it('a member without activity counts in linked roles from the time they connected', async () => {
  const since = new Date(world.clock.now())
  expect(await figuresOf('alice')).toEqual({ given: 0n, tips: 0, since })
})

it('a connection whose figures are due is taken by only one of two processes', async () => {
  await figuresOf('alice')
  expect(await world.tipping.linkedRoles.takeDue(10)).toEqual([])
  await world.clock.advance(60 * 60_000)
  const taken = await Promise.all([world.tipping.linkedRoles.takeDue(10), world.tipping.linkedRoles.takeDue(10)])
  expect(taken.flat()).toHaveLength(1)
})
