import { beforeEach, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  await world.fund('erin', 1_000)
})

const view = (member: string) => world.tipping.balances.view(member)

it('a balance shows sats that wait for its owner, with the deadline, or for others', async () => {
  expect(await view('alice')).toMatchObject({ unclaimed: undefined, waitingForOthers: 0n })
  const first = await world.tip('alice', 'carol', '10')
  await world.pass(60_000)
  await world.tip('alice', 'carol', '20')
  await world.tip('erin', 'carol', '40')
  await world.tip('erin', 'dave', '80')
  await world.tip('alice', 'erin', '5')
  expect(first.shares[0]?.state).toBe('parked')
  const shares = await world.database.read.tipShare.findMany({ where: { tipId: first.id } })
  const carol = await view('carol')
  expect(carol).toMatchObject({ available: 0n, waitingForOthers: 0n })
  expect(carol.unclaimed).toEqual({ amount: 70_000n, count: 3, until: shares[0]?.until })
  expect(await view('alice')).toMatchObject({ unclaimed: undefined, waitingForOthers: 30_000n })
  expect(await view('erin')).toMatchObject({ unclaimed: undefined, waitingForOthers: 120_000n })
})

it('a balance shows the payouts to its owner’s wallet, and none to other wallets', async () => {
  await world.linked('bob')
  await world.linked('carol')
  await world.tip('alice', 'bob', '10')
  await world.tip('alice', 'bob', '20')
  await world.tip('alice', 'carol', '40')
  expect(await view('bob')).toMatchObject({ sentToGamertag: 30_000n, inFlight: 0n })
  expect(await view('carol')).toMatchObject({ sentToGamertag: 40_000n })
  expect(await view('alice')).toMatchObject({ sentToGamertag: 0n })
})

it('a balance shows its owner’s open deposits, the earliest first', async () => {
  const deposit = (member: string, amount: string) =>
    world.tipping.deposits.open({ member, amount, origin: world.origin() })
  const first = await deposit('alice', '10')
  await world.pass(1_000)
  const second = await deposit('alice', '20')
  await deposit('erin', '30')
  expect((await view('alice')).openDeposits.map(({ id }) => id)).toEqual([first.id, second.id])
  expect((await view('bob')).openDeposits).toEqual([])
})
