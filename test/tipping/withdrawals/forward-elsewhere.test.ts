import { afterEach, beforeEach, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress, invoiceFor } from './outside.ts'

const MINUTE = 60_000

let world: TippingWorld
let old: AddressHost
let another: AddressHost

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, settings: { maxConcurrentPayouts: 1 } })
  await world.fund('alice', 10_000)
  ;[old, another] = [await hostAddress(world), await hostAddress(world)]
})

afterEach(() => Promise.all([old.close(), another.close()]))

const start = ({ address }: AddressHost) =>
  world.tipping.forwarding.start({ member: 'bob', address, origin: world.origin() })
const sent = async () =>
  (await world.database.read.withdrawal.findMany({ where: { member: 'bob' }, orderBy: { createdAt: 'asc' } })).map(
    ({ state, destination, amount }) => [state, destination, Number(amount / 1_000n)],
  )

/** Makes all outgoing payments wait behind a payment of alice's that gets no answer. */
async function reserveAndWait(): Promise<void> {
  const to = invoiceFor(world, 500)
  const { id } = await world.tipping.withdrawals.ask({ member: 'alice', amount: '500', to, origin: world.origin() })
  world.provider.misbehave('sendPayment', 'act-then-hang')
  void world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
  await world.pass(100)
  await world.tip('alice', 'bob', '200')
  await world.pass(1_000)
  expect(await sent()).toEqual([['reserved', old.address, 190]])
}

it.each<[string, () => Promise<unknown>, () => unknown[]]>([
  ['set another address', () => start(another), () => [['paid', another.address, 290]]],
  ['stopped forwarding', () => world.tipping.links.unlink({ member: 'bob', origin: world.origin() }), () => []],
  ['deleted their data', () => world.tipping.privacy.forget('bob'), () => []],
])('sats reserved for an address are returned, not sent, once the member has %s', async (_, change, later) => {
  await start(old)
  await reserveAndWait()
  await change()
  await world.pass(10 * MINUTE)
  const [first, ...rest] = await sent()
  // Where its data were deleted, so was the address.
  expect(first?.[0]).toBe('returned')
  // Alice's is the only other one that ever left.
  expect(world.provider.outgoing.payments.size).toBe(1 + rest.length)
  await world.run(world.tip('alice', 'bob', '300'))
  await world.pass(10 * MINUTE)
  expect((await sent()).slice(1)).toEqual(later())
})
