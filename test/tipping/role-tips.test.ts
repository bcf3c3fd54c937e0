import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { confirmAbove: sats(100) } })
  await world.fund('alice', 1_000)
})

it('a tip to a role goes to those who still have that role, and to all named people', async () => {
  const to = ['bob', 'carol', 'dave'].map((id) => ({ id, bot: false, ...(id !== 'dave' && { role: 'regulars' }) }))
  const given = await world.tipping.tips.ask({ from: 'alice', to, amount: '200', origin: world.origin() })
  if (!('asked' in given)) throw new Error('it was sent at once')
  const asked: (string | undefined)[][] = []
  const tip = await world.run(
    world.tipping.tips.confirm({
      ...{ asked: given.asked, member: 'alice', origin: world.origin() },
      isStillMeant: async ({ id, role }) => {
        asked.push([id, role])
        return id === 'bob'
      },
    }),
  )
  expect(asked).toEqual([
    ['bob', 'regulars'],
    ['carol', 'regulars'],
  ])
  expect(tip.shares.map(({ recipient, amount }) => [recipient, amount])).toEqual([
    ['bob', sats(200)],
    ['dave', sats(200)],
  ])
  expect(await world.available('alice')).toBe(sats(600))
})

it('a tip to a role is refused if nobody has the role when the giver confirms', async () => {
  const to = [{ id: 'bob', bot: false, role: 'regulars' }]
  const given = await world.tipping.tips.ask({ from: 'alice', to, amount: '500', origin: world.origin() })
  if (!('asked' in given)) throw new Error('it was sent at once')
  const word = { asked: given.asked, member: 'alice', origin: world.origin() }
  const confirming = world.run(world.tipping.tips.confirm({ ...word, isStillMeant: async () => false }))
  await expect(confirming).rejects.toMatchObject({ code: 'no-recipients' })
  expect(await world.available('alice')).toBe(sats(1_000))
})
