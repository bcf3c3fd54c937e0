import { beforeEach, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.tipping.balances.view('bob')
})

it('a command that was refused can be redelivered, and takes effect only once', async () => {
  const deliver = () => world.tip('alice', 'bob', '100', 'one-interaction')
  await expect(deliver()).rejects.toMatchObject({ code: 'insufficient-funds' })
  await world.fund('alice', 150)
  const { id } = await deliver()
  expect((await deliver()).id).toBe(id)
  expect(await world.available('bob')).toBe(100_000n)
  const other = world.tip('alice', 'bob', '50', 'one-interaction')
  await expect(other).rejects.toMatchObject({ code: 'already-done' })
  expect(await world.available('alice')).toBe(50_000n)
})
