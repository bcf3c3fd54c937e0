import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
function dryRun(run: (api: Tipping) => Promise<unknown>, claims?: string) {
  return world.run(world.tipping.dryRun(run, claims))
}

const to = [{ id: 'bob', bot: false }]

it('a dry run is refused with the same facts as a real command, and changes nothing', async () => {
  const origin = world.origin()
  const tip = (amount: string) => (api: Tipping) => api.tips.ask({ from: 'alice', to, amount, origin })
  const told = dryRun(tip('5000'))
  await expect(told).rejects.toMatchObject({
    code: 'insufficient-funds',
    facts: { balance: 1_000_000n, needed: 5_000_000n, missing: 4_000_000n },
  })
  await expect(dryRun(tip('lots'))).rejects.toMatchObject({ code: 'amount-not-understood' })
  const drop = { member: 'alice', amount: '2000', shares: 2, origin }
  await expect(dryRun((api) => api.drops.open(drop))).rejects.toMatchObject({ code: 'insufficient-funds' })
  const rain = { from: 'alice', guild: 'guild', amount: '100', activeWithinMinutes: 60, origin }
  await expect(dryRun((api) => api.rain.fall(rain))).rejects.toMatchObject({ code: 'nobody-active' })
  expect(await dryRun(tip('all'))).toBe('asks')
  expect(await dryRun(tip('400'))).toBe('goes')
  expect(await world.available('alice')).toBe(1_000_000n)
  expect(await world.database.read.tip.count()).toBe(0)
})

it('a dry run counts the member’s unclaimed sats, unless they go to a linked account', async () => {
  await world.run(world.tipping.tips.send({ from: 'alice', to, amount: '300', origin: world.origin() }))
  const origin = world.origin()
  const tip = (amount: string) => (api: Tipping) =>
    api.tips.ask({ from: 'bob', to: [{ id: 'alice', bot: false }], amount, origin })
  await expect(dryRun(tip('200'))).rejects.toMatchObject({ facts: { balance: 0n } })
  expect(await dryRun(tip('200'), 'bob')).toBe('goes')
  await expect(dryRun(tip('400'), 'bob')).rejects.toMatchObject({ facts: { balance: 300_000n, missing: 100_000n } })
  await world.linked('bob')
  await expect(dryRun(tip('200'), 'bob')).rejects.toMatchObject({ facts: { balance: 0n } })
  expect(await world.tipping.claims.hasUnclaimed('bob')).toBe(true)
})

it('a dry run counts unclaimed sats that a linked member keeps in the balance', async () => {
  await world.run(world.tipping.tips.send({ from: 'alice', to, amount: '300', origin: world.origin() }))
  await world.linked('bob')
  await world.tipping.forwarding.keep({ member: 'bob', amount: '200', origin: world.origin() })
  const origin = world.origin()
  const tip = (amount: string) => (api: Tipping) =>
    api.tips.ask({ from: 'bob', to: [{ id: 'alice', bot: false }], amount, origin })
  expect(await dryRun(tip('200'), 'bob')).toBe('goes')
  await expect(dryRun(tip('300'), 'bob')).rejects.toMatchObject({ facts: { balance: 200_000n, missing: 100_000n } })
})

it('a dry run adds unclaimed sats to no account but the member’s own', async () => {
  const { pools } = world.tipping
  await world.run(world.tipping.tips.send({ from: 'alice', to, amount: '300', origin: world.origin() }))
  await pools.give({ guild: 'guild', member: 'alice', amount: '100', origin: world.origin() })
  await pools.budget({ guild: 'guild', member: 'owner', role: 'mods', amount: '500', period: 'day' })
  const reward = { guild: 'guild', member: 'bob', roles: ['mods'], to: { id: 'carol', bot: false }, reason: 'help' }
  const give = (amount: string) => (api: Tipping) => api.rewards.give({ ...reward, amount, origin: world.origin() })
  expect(await dryRun(give('100'), 'bob')).toBe('goes')
  const facts = { balance: 100_000n, needed: 200_000n }
  await expect(dryRun(give('200'), 'bob')).rejects.toMatchObject({ code: 'pool-insufficient', facts })
  const tip = (api: Tipping) => api.tips.ask({ from: 'dave', to, amount: '200', origin: world.origin() })
  await expect(dryRun(tip, 'bob')).rejects.toMatchObject({ code: 'insufficient-funds', facts: { balance: 0n } })
})

it('a dry run of any command writes nothing and does not call the provider', async () => {
  const [entries, calls] = [await world.database.read.entry.count(), world.provider.calls.length]
  const origin = world.origin()
  await world.linked('alice')
  const asked = world.provider.calls.length
  const verbs: ((api: Tipping) => Promise<unknown>)[] = [
    (api) => api.tips.send({ from: 'alice', to, amount: '100', origin }),
    (api) => api.drops.open({ member: 'alice', amount: '100', shares: 2, origin }),
    (api) => api.giveaways.start({ member: 'alice', prize: '10', winners: 1, duration: '1h', origin }),
    (api) => api.invoices.create({ member: 'alice', amount: '100', origin }),
    (api) => api.deposits.open({ member: 'alice', amount: '100', origin }),
    (api) => api.pools.fundraise({ guild: 'guild', member: 'alice', amount: '100', goal: '500', origin }),
    (api) => api.vouchers.create({ member: 'alice', amount: '100', origin }),
    (api) => api.withdrawals.ask({ member: 'alice', amount: '100', origin }),
  ]
  for (const verb of verbs) expect(await dryRun(verb)).toBe('goes')
  expect(await world.database.read.entry.count()).toBe(entries)
  expect(world.provider.calls.length).toBe(asked)
  expect(asked).toBeGreaterThan(calls)
  expect(await world.database.read.operation.count({ where: { interaction: origin.interaction } })).toBe(0)
})

it('a dry run says that a giver must confirm, and the real command then asks', async () => {
  await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(100) } })
  const command = { from: 'alice', to, amount: '500', origin: world.origin() }
  expect(await dryRun((api) => api.tips.ask(command))).toBe('asks')
  expect(await world.run(world.tipping.tips.ask(command))).toMatchObject({ asked: expect.any(String) })
})

it('a dry run uses up no allowance and no budget', async () => {
  const { preferences } = world.tipping
  await preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(300) } })
  const tip = (amount: string) => (api: Tipping) => api.tips.ask({ from: 'alice', to, amount, origin: world.origin() })
  await expect(dryRun(tip('400'))).rejects.toMatchObject({ code: 'limit-reached', facts: { left: 300_000n } })
  expect(await dryRun(tip('300'))).toBe('goes')
  expect(await dryRun(tip('300'))).toBe('goes')
  expect(await world.database.read.usage.count()).toBe(0)
  const reward = { guild: 'guild', member: 'mod', roles: ['staff'], to: { id: 'bob', bot: false }, reason: 'help' }
  const give = (api: Tipping) => api.rewards.give({ ...reward, amount: '50', origin: world.origin() })
  await world.tipping.pools.give({ guild: 'guild', member: 'alice', amount: '200', origin: world.origin() })
  await expect(dryRun(give)).rejects.toMatchObject({ code: 'budget-none' })
})
