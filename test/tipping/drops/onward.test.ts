import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { aliceHasSome } from '../funded-world.ts'
import { type AddressHost, hostAddress } from '../withdrawals/outside.ts'
import type { TippingWorld } from '../world.ts'
import { claim, close, open } from './drop-steps.ts'

let world: TippingWorld
let host: AddressHost

/** Opens a world in which bob’s and carol’s tips are forwarded to a Lightning Address. */
beforeEach(async () => {
  world = await aliceHasSome()
  host = await hostAddress(world)
  for (const member of ['bob', 'carol']) {
    await world.run(world.tipping.forwarding.start({ member, address: host.address, origin: world.origin() }))
  }
})

afterEach(() => host.close())

const sent = async () =>
  (await world.database.read.withdrawal.findMany({ where: { forwarded: true }, orderBy: { member: 'asc' } })).map(
    ({ member, state, amount }) => ({ member, state, amount }),
  )

it('a claimed share is forwarded to its claimer’s Lightning Address', async () => {
  const { id } = await open(world, { amount: '300', shares: 2 })
  await claim(world, id, 'bob')
  await world.pass(1_000)
  expect(await sent()).toEqual([{ member: 'bob', state: 'paid', amount: sats(140) }])
})

it('each drawn share is forwarded to its winner’s Lightning Address', async () => {
  const { id } = await open(world, { amount: '300', shares: 2, draw: true })
  for (const who of ['bob', 'carol']) await claim(world, id, who)
  await close(world, id)
  await world.pass(1_000)
  expect(await sent()).toEqual(['bob', 'carol'].map((member) => ({ member, state: 'paid', amount: sats(140) })))
})
