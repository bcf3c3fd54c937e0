import { beforeEach, expect, it } from 'vitest'
import { claim as claimShare, close as closeDrop, open as openDrop } from '../drops/drop-steps.ts'
import { hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
})
const forget = (member: string) => world.tipping.privacy.forget(member)

it.each([
  ['paid', 'completed'],
  ['returned', 'failed'],
] as const)('a data deletion removes the address of a %s withdrawal from the export and card', async (state, next) => {
  const bob = await hostAddress(world)
  bob.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT) })
  world.provider.outgoing.next = next
  const asked = await world.tipping.withdrawals.ask({
    ...{ member: 'alice', amount: '500', to: bob.address },
    origin: world.origin(),
  })
  await world.tipping.withdrawals.confirm({ withdrawal: asked.id, member: 'alice', origin: world.origin() })
  await bob.close()
  expect(await world.tipping.withdrawals.view(asked.id)).toMatchObject({ state, destination: bob.address })
  await forget('alice')
  expect(JSON.stringify(await world.tipping.privacy.export('alice'))).not.toContain(bob.address)
  expect((await world.tipping.withdrawals.view(asked.id)).destination).not.toBe(bob.address)
})

it('a data deletion removes a forwarding address that was never used', async () => {
  const bob = await hostAddress(world)
  await world.tipping.forwarding.start({ member: 'bob', address: bob.address, origin: world.origin() })
  await bob.close()
  await forget('bob')
  expect(JSON.stringify(await world.tipping.privacy.export('bob'))).not.toContain(bob.address)
  expect((await world.tipping.balances.view('bob')).forwarding).toBeUndefined()
})

it('a data deletion gives no person or Lightning account a second share of a drop', async () => {
  const drop = await openDrop(world)
  await world.linked('bob')
  const first = await claimShare(world, drop.id, 'bob')
  await forget('bob')
  // Pressed again, it shows the share that there was.
  expect((await claimShare(world, drop.id, 'bob')).id).toBe(first.id)
  await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
  await expect(claimShare(world, drop.id, 'carol')).rejects.toMatchObject({ code: 'drop-lightning-taken' })
  // Once the drop is over, nobody needs to know any more.
  await closeDrop(world, drop.id)
  await forget('bob')
  const claims = await world.database.read.dropClaim.findMany({ where: { member: 'bob' } })
  expect(claims.map(({ lightningId }) => lightningId)).toEqual([null])
  await expect(claimShare(world, drop.id, 'carol')).rejects.toMatchObject({ code: 'drop-over' })
})

it.each([
  ['phrase', {}],
  ['sum', {}],
  ['trivia', { question: 'Who lives in the lilac house?', answer: 'Aunt Hilda' }],
] as const)('a data deletion removes the %s puzzle of an ended drop, but not of an open one', async (puzzle, own) => {
  const over = await openDrop(world, { puzzle, ...own })
  await closeDrop(world, over.id)
  const open = await openDrop(world, { puzzle, ...own })
  await forget('alice')
  const find = (id: string) => world.database.read.drop.findUniqueOrThrow({ where: { id } })
  expect(await find(over.id)).toMatchObject({ puzzle: null, question: null, answer: null })
  expect((await world.tipping.drops.view(over.id)).puzzle).toBeUndefined()
  expect((await world.tipping.drops.view(open.id)).puzzle).toEqual(open.puzzle)
  await closeDrop(world, open.id)
  await forget('alice')
  expect(await find(open.id)).toMatchObject({ puzzle: null, question: null, answer: null })
})
