import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/**
 * Opens a world in which the pool has 1,000 sats, and a wallet pays the rewards of the server; bob has a wallet of his
 * own.
 */
beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  await world.tipping.pools.budget({ guild: 'guild', member: 'owner', role: 'staff', amount: '1000', period: 'day' })
  await world.fund('donor', 1_000)
  await world.tipping.pools.give({ guild: 'guild', member: 'donor', amount: 'all', origin: world.origin() })
  await connect()
  await world.connected('bob')
})
async function connect(): Promise<void> {
  const { uri: text } = world.wallets.add('server:guild')
  const { token } = await world.tipping.ownWallets.invite({ member: 'mod', guild: 'guild', locale: 'en' })
  expect(await world.tipping.ownWallets.connect({ token, text })).toMatchObject({ guild: 'guild' })
}

async function shareOf({ id }: { readonly id: string }) {
  await world.settle()
  return (await world.tipping.rewards.view(id)).share
}

describe('a server’s wallet after a restore', () => {
  const restore = async () => {
    await world.pass(60_000)
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await world.pass(60_000)
  }
  const people = {
    localeOf: () => 'en',
    moderator: async () => ['staff'],
    person: async () => ({ bot: false, roles: [] }),
  }
  const give = () =>
    world.tipping.rewards.give({
      ...{ guild: 'guild', member: 'mod', roles: ['staff'], to: { id: 'bob', bot: false }, amount: '300' },
      ...{ reason: 'for help', origin: world.origin() },
    })
  const makeKey = () =>
    world.tipping.apiKeys.create({
      ...{ guild: 'guild', channel: 'arena', member: 'mod', name: 'game', scopes: ['rewards'] },
      ...{ budget: '500', days: 30, interaction: world.origin().interaction },
    })
  const byKey = (key: string, idempotencyKey: string, to = 'bob') =>
    world.run(world.tipping.apiKeys.reward({ key, idempotencyKey, to, amount: sats(100), reason: 'won', people }))
  const hear = () =>
    world.run(
      world.tipping.rules.heard({
        ...{ guild: 'guild', channel: 'channel', locale: 'en', recipient: { id: 'bob', bot: false } },
        what: { kind: 'seen' },
        facts: async () => ({ accountSince: new Date(0), memberSince: new Date(0), roles: ['regulars'] }),
        moderator: async () => ['staff'],
      }),
    )

  it('pays, like the pool, no reward of a program or rule until it is reconnected', async () => {
    const { key } = await makeKey()
    const terms = { recipe: 'role-welcome', amount: '100', budget: '500', reason: 'well done', trial: false } as const
    const rule = { guild: 'guild', member: 'mod', role: 'regulars', interaction: world.origin().interaction }
    await world.tipping.rules.create({ ...rule, ...terms })
    await restore()
    await expect(byKey(key.id, 'match-1')).rejects.toMatchObject({ code: 'server-wallet-restored' })
    await expect(byKey(key.id, 'match-2', 'carol')).rejects.toMatchObject({ code: 'server-wallet-restored' })
    expect(await hear()).toEqual([])
    expect(await world.tipping.rules.list('guild')).toMatchObject([{ trouble: 'server-wallet-restored' }])
    expect(world.wallets.payments).toEqual([])
    expect((await world.tipping.pools.view('guild')).available).toBe(sats(1_000))
    await world.tipping.ownWallets.disconnectServer({ guild: 'guild', member: 'mod' })
    await connect()
    expect(await shareOf(await byKey(key.id, 'match-1'))).toMatchObject({ state: 'direct' })
  })

  it('still pays the rewards that a moderator gives', async () => {
    await restore()
    expect(await shareOf(await give())).toMatchObject({ state: 'direct' })
  })
})
