import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

const MAY_ASK = { methods: ['get_info', 'make_invoice', 'get_balance'] }

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
})
const holds = () => world.tipping.ownWallets.holds('alice')

it('a connected wallet is asked for its balance whenever the balance is shown', async () => {
  const wallet = await world.connected('alice', MAY_ASK)
  expect(await holds()).toBe(100_000_000n)
  wallet.holds = 7_001n as never
  expect(await holds()).toBe(7_001n)
  expect(await world.tipping.ownWallets.holds('bob')).toBeUndefined()
})

it('a wallet is not asked for its balance if its connection does not permit this', async () => {
  const wallet = await world.connected('alice')
  expect(await holds()).toBeUndefined()
  expect(wallet.asked).not.toContain('get_balance')
})

it.each(['isAway', 'knowsNothing'] as const)(
  'a wallet that does not answer (%s) is reported as silent',
  async (fault) => {
    const wallet = await world.connected('alice', MAY_ASK)
    wallet[fault] = true
    expect(await holds()).toBe('silent')
    wallet[fault] = false
    expect(await holds()).toBe(100_000_000n)
  },
)

it('a connected wallet’s remaining budget is shown if the connection permits it', async () => {
  const budget = (member = 'alice') => world.tipping.ownWallets.budget(member)
  const wallet = await world.connected('alice', { methods: ['get_info', 'make_invoice', 'get_budget'] })
  expect(await budget()).toBeUndefined()
  wallet.budgetLeft = sats(4_000)
  expect(await budget()).toEqual({ total: sats(10_000), left: sats(4_000) })
  wallet.isAway = true
  expect(await budget()).toBeUndefined()
  const other = await world.connected('bob', MAY_ASK)
  other.budgetLeft = sats(4_000)
  expect(await budget('bob')).toBeUndefined()
  expect(other.asked).not.toContain('get_budget')
  expect(await budget('carol')).toBeUndefined()
})

it('a disconnected wallet is not asked for its balance', async () => {
  const wallet = await world.connected('alice', MAY_ASK)
  await world.tipping.ownWallets.disconnect('alice')
  expect(await holds()).toBeUndefined()
  expect(wallet.asked).not.toContain('get_balance')
})
