import { beforeEach, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
const press = (member: string, under: string) => world.tipping.claims.take({ member, under, origin: world.origin() })

it('a press under another’s tip, claimed or not, is refused, naming the recipient', async () => {
  const tip = await world.tip('alice', 'bob', '100')
  const refusal = { code: 'claim-not-yours', facts: { members: ['bob'] } }
  await expect(press('mallory', tip.id)).rejects.toMatchObject(refusal)
  await expect(press('alice', tip.id)).rejects.toMatchObject(refusal)
  // A button may name the command that gave the tip.
  const command = await world.database.read.card.findFirstOrThrow({ where: { kind: 'tip', record: tip.id } })
  await expect(press('mallory', command.interaction ?? '')).rejects.toMatchObject(refusal)
  await press('bob', tip.id)
  await expect(press('mallory', tip.id)).rejects.toMatchObject(refusal)
  // Its own people are told that nothing waits, and so is anybody under a balance.
  await expect(press('bob', tip.id)).rejects.toMatchObject({ code: 'nothing-to-claim' })
  await expect(press('mallory', 'mallory')).rejects.toMatchObject({ code: 'nothing-to-claim' })
})

it('a member with unclaimed tips can claim them with the button under any tip', async () => {
  const tip = await world.tip('alice', 'bob', '100')
  await world.tip('alice', 'carol', '50')
  expect(await press('carol', tip.id)).toMatchObject({ amount: 50_000n })
  expect(await world.available('bob')).toBe(0n)
})

it('a press under another’s reward is refused with the recipient’s name', async () => {
  const [guild, origin] = ['guild', world.origin()]
  await world.tipping.pools.give({ guild, member: 'alice', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '600', period: 'day' })
  const about = { guild, member: 'mod', roles: ['mods'], amount: '50', reason: 'Soup', origin }
  const { id, key } = await world.tipping.rewards.give({ ...about, to: { id: 'bob', bot: false } })
  expect(key).toBe(origin.interaction)
  const refusal = { code: 'claim-not-yours', facts: { members: ['bob'] } }
  for (const under of [id, key]) await expect(press('mallory', under)).rejects.toMatchObject(refusal)
  expect(await press('bob', key)).toMatchObject({ amount: 50_000n })
})
