import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { TipView } from '../../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../support/scripted-wallets.ts'
import { hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let alice: ScriptedWallet

beforeEach(async () => {
  // Nothing else is to happen in the weeks that a promise lasts.
  const settings = { custody: 'none', sweepEveryMs: 100 * DAY_MS, noticeEveryMs: 100 * DAY_MS } as const
  world = await TippingWorld.open({ ownWallets: true, settings })
  alice = await world.connected('alice', { methods: METHODS })
})

const METHODS = ['get_info', 'pay_invoice', 'make_invoice', 'lookup_invoice', 'get_budget', 'get_balance']
const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000

async function sharesOf({ id }: Pick<TipView, 'id'>) {
  await world.settle()
  return (await world.tipping.tips.view(id)).shares
}

/** Returns the kinds of the cards about promises, each with its recipient. */
async function told() {
  const cards = await world.database.read.card.findMany({ where: { kind: { startsWith: 'promise-' } } })
  return cards.map(({ kind, member }) => `${kind} ${member}`).sort()
}

const BOTH = ['promise-given alice', 'promise-received newcomer']
const mine = () => world.tipping.ownWallets.promises('alice')

describe('in a bot without custody, a tip to somebody without a wallet', () => {
  it('is only a promise, for which no wallet is contacted and no sats move', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    expect(tip.shares).toMatchObject([{ recipient: 'newcomer', amount: 500_000n, state: 'promised' }])
    await world.pass(2 * DAY_MS)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'promised' }])
    expect(alice.asked).not.toContain('pay_invoice')
    expect(await told()).toEqual([])
  })

  it('is paid when its recipient connects a wallet', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    await world.pass(DAY_MS)
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ recipient: 'newcomer', state: 'direct' }])
    expect(world.wallets.payments).toMatchObject([{ amount: 500_000n, to: 'newcomer', by: ['alice'] }])
    expect(await world.database.read.move.count()).toBe(0)
    expect(await mine()).toEqual([])
  })

  it('is paid when its recipient enters a Lightning Address', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    const host = await hostAddress(world)
    try {
      host.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] })
      await world.tipping.forwarding.start({ member: 'newcomer', address: host.address, origin: world.origin() })
      await world.settle()
      const { receiver } = await world.database.read.walletPayment.findFirstOrThrow()
      expect(receiver).toBe(`address ${host.address}`)
      expect((await sharesOf(tip))[0]?.state).not.toBe('promised')
    } finally {
      await host.close()
    }
  })

  it('is a promise only to that person, and is paid immediately to other recipients', async () => {
    await world.connected('bob')
    const tip = await world.tip('alice', ['newcomer', 'bob'], '100')
    expect((await sharesOf(tip)).map(({ recipient, state }) => [recipient, state])).toEqual([
      ['bob', 'direct'],
      ['newcomer', 'promised'],
    ])
    await world.connected('newcomer')
    expect((await sharesOf(tip)).map(({ state }) => state)).toEqual(['direct', 'direct'])
    expect(world.wallets.payments).toHaveLength(2)
  })

  it('is one promise, even if its command is delivered twice', async () => {
    const [one, other] = await Promise.all([
      world.tip('alice', 'newcomer', '500', 'again'),
      world.tip('alice', 'newcomer', '500', 'again'),
    ])
    expect(one.id).toBe(other.id)
    expect(await mine()).toHaveLength(1)
  })

  it('is paid at most once if its recipient connects two wallets and the process dies', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    const died = world.dieAtCommit(3, 'after')
    void Promise.all([world.connected('newcomer'), world.connected('newcomer')]).catch(() => undefined)
    await died
    await world.reborn()
    await world.pass(2 * HOUR_MS)
    await world.connected('newcomer')
    await world.pass(HOUR_MS)
    expect(world.wallets.payments.filter(({ to }) => to === 'newcomer').length).toBeLessThanOrEqual(1)
    expect(['direct', 'unpaid']).toContain((await sharesOf(tip))[0]?.state)
  })

  it('is paid once even if the process dies before it contacts the giver’s wallet', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    const died = world.dieAtCommit(5, 'before')
    void world.connected('newcomer').catch(() => undefined)
    await died
    expect(await world.database.read.walletPayment.findMany()).toMatchObject([{ state: 'asked' }])
    await world.reborn()
    await world.pass(70_000)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'direct' }])
    expect(world.wallets.payments).toHaveLength(1)
  })
})

describe('a promise', () => {
  it('lapses after 30 days, and its giver and its recipient are notified', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    await world.clock.advance(30 * DAY_MS - HOUR_MS)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'promised' }])
    await world.clock.advance(2 * HOUR_MS)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'lapsed' }])
    expect(await told()).toEqual(BOTH)
    await world.connected('newcomer')
    await world.pass(HOUR_MS)
    expect(world.wallets.payments).toEqual([])
  })

  it('can be withdrawn only by its giver, and is then no longer paid', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    const [promise] = await mine()
    const { revoke } = world.tipping.ownWallets
    await expect(revoke({ promise: promise?.id ?? '', member: 'bob' })).rejects.toMatchObject({ code: 'not-yours' })
    const word = { promise: promise?.id ?? '', member: 'alice' }
    expect(await revoke(word)).toMatchObject({ state: 'revoked', to: 'newcomer' })
    expect(await revoke(word)).toMatchObject({ state: 'revoked' })
    await world.connected('newcomer')
    await world.pass(HOUR_MS)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'revoked' }])
    expect(world.wallets.payments).toEqual([])
  })

  it('cannot be withdrawn once the giver’s wallet has been contacted', async () => {
    await world.tip('alice', 'newcomer', '500')
    const [promise] = await mine()
    await world.connected('newcomer')
    await world.settle()
    const word = { promise: promise?.id ?? '', member: 'alice' }
    await expect(world.tipping.ownWallets.revoke(word)).rejects.toMatchObject({ code: 'promise-over' })
  })

  it('is refused beyond ten open promises, or 100,000 promised sats, for each giver', async () => {
    for (let nth = 0; nth < 10; nth += 1) await world.tip('alice', `newcomer-${nth}`, '1')
    await expect(world.tip('alice', 'newcomer-10', '1')).rejects.toMatchObject({
      code: 'too-many-promises',
      facts: { count: 10, most: sats(100_000) },
    })
    const [first] = await mine()
    await world.tipping.ownWallets.revoke({ promise: first?.id ?? '', member: 'alice' })
    await expect(world.tip('alice', 'newcomer-10', '99992')).rejects.toMatchObject({ code: 'too-many-promises' })
    await world.tip('alice', 'newcomer-10', '99991')
    expect(await mine()).toHaveLength(10)
  })
})

describe('a promise that cannot be kept yet', () => {
  it.each(['disconnected', 'budget', 'insufficient', 'silent'] as const)(
    'waits because of “%s”, is reported to giver and recipient, and is paid later',
    async (hindrance) => {
      const tip = await world.tip('alice', 'newcomer', '500')
      if (hindrance === 'disconnected') await world.tipping.ownWallets.disconnect('alice')
      if (hindrance === 'budget') alice.budgetLeft = sats(499)
      if (hindrance === 'insufficient') alice.holds = sats(499)
      alice.isAway = hindrance === 'silent'
      await world.connected('newcomer')
      expect(await sharesOf(tip)).toMatchObject([{ state: 'promised', hindrance }])
      expect(await told()).toEqual(BOTH)
      alice.budgetLeft = undefined
      alice.holds = sats(500)
      alice.isAway = false
      if (hindrance === 'disconnected') {
        const { token } = await world.tipping.ownWallets.invite({ member: 'alice', locale: 'en' })
        await world.tipping.ownWallets.connect({ token, text: alice.uri })
      } else await world.pass(HOUR_MS + 60_000)
      expect(await sharesOf(tip)).toMatchObject([{ state: 'direct' }])
      expect(world.wallets.payments).toHaveLength(1)
    },
  )

  it('waits while the server’s limits forbid it, and counts on the day of its payment', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(1_000) } })
    await world.connected('bob')
    const tip = await world.tip('alice', 'newcomer', '400')
    await world.tip('alice', 'bob', '700')
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ state: 'promised', hindrance: 'limits' }])
    await world.pass(DAY_MS)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'direct' }])
    await expect(world.tip('alice', 'bob', '700')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('waits while it exceeds the server’s largest tip', async () => {
    const change = (largestTip: bigint) =>
      world.tipping.preferences.changeServer({
        guild: 'guild',
        member: 'mod',
        change: { largestTip: sats(largestTip) },
      })
    const tip = await world.tip('alice', 'newcomer', '400')
    await change(399n)
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ state: 'promised', hindrance: 'limits' }])
    expect(await told()).toEqual(BOTH)
    await change(400n)
    await world.pass(HOUR_MS + 60_000)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'direct' }])
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('returns its sats to the day’s allowance if the wallet pays nothing', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(1_000) } })
    await world.connected('bob')
    const tip = await world.tip('alice', 'newcomer', '900')
    await world.pass(DAY_MS)
    alice.payFaults.push({ error: 'RESTRICTED' })
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ state: 'unpaid' }])
    expect((await sharesOf(await world.tip('alice', 'bob', '900')))[0]).toMatchObject({ state: 'direct' })
  })

  it('is offered to its giver for payment by hand if the giver’s wallet refuses to pay', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ state: 'unpaid', failure: 'budget' }])
    const { id } = await world.database.read.walletPayment.findFirstOrThrow()
    const { invoice } = await world.tipping.ownWallets.byHand(id)
    world.wallets.settle(world.wallets.add('phone'), invoice)
    await world.pass(10_000)
    expect(await sharesOf(tip)).toMatchObject([{ state: 'direct' }])
  })
})

describe('a promise in a restored book', () => {
  it('is not paid, since it may have been paid after the backup', async () => {
    const tip = await world.tip('alice', 'newcomer', '500')
    await world.pass(60_000)
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await world.connected('newcomer')
    expect(await sharesOf(tip)).toMatchObject([{ state: 'unconfirmed' }])
    expect(world.wallets.payments).toEqual([])
    expect(await told()).toEqual(BOTH)
  })
})

describe('a member whose data is deleted', () => {
  it.each(['alice', 'newcomer'])('has no more open promises, given or received (%s)', async (member) => {
    await world.tip('alice', 'newcomer', '500')
    await world.tipping.privacy.forget(member)
    expect(await world.database.read.walletPromise.count({ where: { state: 'promised' } })).toBe(0)
  })
})
