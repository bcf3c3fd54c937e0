import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { TipView } from '../../../src/tipping/tipping.ts'
import type { PayFault, ScriptedWallet } from '../../support/scripted-wallets.ts'
import { hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let alice: ScriptedWallet
let bob: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  alice = await world.connected('alice')
  bob = await world.connected('bob')
})

/** Returns the tip's only share once all present work is done. */
async function shareOf({ id }: Pick<TipView, 'id'>) {
  await world.settle()
  return (await world.tipping.tips.view(id)).shares[0]
}

const moves = () => world.database.read.move.count()
const TWO_MINUTES = 120_000
const OVER = 5 * 60_000

describe('a tip from a member with a wallet of their own', () => {
  it('is paid from wallet to wallet, and moves no sats in the book', async () => {
    const before = await moves()
    const tip = await world.tip('alice', 'bob', '500')
    expect(tip).toMatchObject({ total: 500_000n, shares: [{ recipient: 'bob', amount: 500_000n, state: 'asked' }] })
    expect(await shareOf(tip)).toMatchObject({ state: 'direct', amount: 500_000n })
    expect(world.wallets.payments).toMatchObject([{ amount: 500_000n, to: 'bob', by: ['alice'] }])
    expect(await moves()).toBe(before)
    expect(await world.available('bob')).toBe(0n)
  })

  it('is paid once, however often its command is delivered', async () => {
    const [one, other] = await Promise.all([
      world.tip('alice', 'bob', '500', 'again'),
      world.tip('alice', 'bob', '500', 'again'),
    ])
    await world.settle()
    const later = await world.tip('alice', 'bob', '500', 'again')
    expect(new Set([one.id, other.id, later.id]).size).toBe(1)
    await world.settle()
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('comes from the balance if it is anonymous, since a wallet can see who pays it', async () => {
    await world.fund('alice', 100)
    const origin = { ...world.origin(), guild: 'guild' }
    const about = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '100', anonymous: true, origin }
    const tip = await world.run(world.tipping.tips.send(about))
    expect(await shareOf(tip)).toMatchObject({ state: 'credited' })
    expect(alice.asked).not.toContain('pay_invoice')
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('pays several people one after another, each with an invoice of their own', async () => {
    await world.connected('carol')
    const tip = await world.tip('alice', ['bob', 'carol'], '100')
    await world.settle()
    const { shares, total } = await world.tipping.tips.view(tip.id)
    expect(total).toBe(200_000n)
    expect(shares.map(({ recipient, state }) => [recipient, state])).toEqual([
      ['bob', 'direct'],
      ['carol', 'direct'],
    ])
    expect(alice.asked.filter((method) => method === 'pay_invoice')).toHaveLength(2)
  })

  it('comes from the balance if one recipient has no wallet', async () => {
    await world.fund('alice', 1_000)
    const tip = await world.tip('alice', ['bob', 'newcomer'], '100')
    expect(tip.shares.map(({ state }) => state)).toEqual(['credited', 'parked'])
    expect(alice.asked).not.toContain('pay_invoice')
  })

  it('comes from the balance if its amount is “all”', async () => {
    await world.fund('alice', 1_000)
    expect((await world.tip('alice', 'bob', 'all')).shares[0]?.state).toBe('credited')
  })

  it('counts for its message and on the leaderboard once its payment is proven', async () => {
    const messageTip = { from: 'alice', message: '77', author: { id: 'bob', bot: false }, amount: '300' }
    alice.payFaults.push('answer-lost')
    const origin = { ...world.origin(), guild: 'guild' }
    expect(await world.tipping.messageTips.ask({ ...messageTip, origin })).toMatchObject({ tips: 0 })
    await world.settle()
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ total: 300_000n, tips: 1 })
    expect(await world.tipping.insights.leaderboard('guild', 'week')).toMatchObject({
      tippers: [{ member: 'alice', amount: 300_000n }],
      receivers: [{ member: 'bob', amount: 300_000n }],
    })
  })

  it('waits for its confirmation if it exceeds the limit, and is paid once', async () => {
    const command = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '20000', origin: world.origin() }
    const asked = await world.tipping.tips.ask(command)
    if (!('asked' in asked)) throw new Error('it was not asked about')
    expect(asked).toMatchObject({ total: 20_000_000n, source: 'wallet' })
    const word = { asked: asked.asked, member: 'alice' }
    const [tip] = await Promise.all([
      world.tipping.tips.confirm({ ...word, origin: world.origin() }),
      world.tipping.tips.confirm({ ...word, origin: world.origin() }),
    ])
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('is not taken from the balance if its confirmation named the wallet as the source', async () => {
    await world.fund('alice', 50_000)
    const command = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '20000', origin: world.origin() }
    const asked = await world.tipping.tips.ask(command)
    await world.tipping.ownWallets.disconnect('alice')
    const word = { asked: 'asked' in asked ? asked.asked : '', member: 'alice', origin: world.origin() }
    await expect(world.tipping.tips.confirm(word)).rejects.toMatchObject({ code: 'own-wallet-gone' })
    expect(await world.available('alice')).toBe(50_000_000n)
  })
})

describe('a tip above the confirmation limit', () => {
  it('is not sent or promised if the recipient’s wallet is gone at the confirmation', async () => {
    const command = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '20000', origin: world.origin() }
    const asked = await world.tipping.tips.ask(command)
    await world.tipping.ownWallets.disconnect('bob')
    const word = { asked: 'asked' in asked ? asked.asked : '', member: 'alice', origin: world.origin() }
    await expect(world.tipping.tips.confirm(word)).rejects.toMatchObject({ code: 'own-wallet-gone' })
    expect(await world.tipping.ownWallets.promises('alice')).toEqual([])
  })
})

describe('the daily allowance of a giver whose wallet pays', () => {
  beforeEach(async () => {
    await world.tipping.preferences.changeServer({
      guild: 'guild',
      member: 'mod',
      change: { perDay: sats(1_000) },
    })
  })

  it('is reduced by the wallet’s payments', async () => {
    await shareOf(await world.tip('alice', 'bob', '900'))
    await expect(world.tip('alice', 'bob', '200')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('is restored if the wallet pays nothing', async () => {
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    expect(await shareOf(await world.tip('alice', 'bob', '900'))).toMatchObject({ state: 'unpaid', failure: 'budget' })
    expect(await shareOf(await world.tip('alice', 'bob', '900'))).toMatchObject({ state: 'direct' })
  })
})

describe('a giver’s wallet whose answers are unclear', () => {
  const paid: [string, PayFault][] = [
    ['pays and its answer is lost', 'answer-lost'],
    ['pays and shows no preimage', 'no-preimage'],
    ['pays and shows a wrong preimage', 'wrong-preimage'],
    ['pays and says that the payment failed', { error: 'PAYMENT_FAILED', paysFirst: true }],
    ['pays and says that it lacks funds', { error: 'INSUFFICIENT_BALANCE', paysFirst: true }],
    ['pays and has an internal error', { error: 'INTERNAL', paysFirst: true }],
  ]

  it.each(paid)('has its payment proven by the receiver’s wallet if it %s', async (_, fault) => {
    alice.payFaults.push(fault)
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toHaveLength(1)
  })

  it('leaves the gift unsure until it has paid, even if it pays late', async () => {
    alice.payFaults.push('late')
    const tip = await world.tip('alice', 'bob', '500')
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.pass(30_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.pass(TWO_MINUTES)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
  })

  const unpaid: [string, PayFault][] = [
    ['never heard of it', 'lost'],
    ['shows a preimage of something else', 'not-paid'],
    ['says that the payment failed', { error: 'PAYMENT_FAILED' }],
  ]

  it.each(unpaid)('makes a gift fail once its invoice has expired unpaid, if the wallet %s', async (_, fault) => {
    alice.payFaults.push(fault)
    const tip = await world.tip('alice', 'bob', '500')
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.pass(TWO_MINUTES)
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.pass(OVER)
    expect(await shareOf(tip)).toMatchObject({ state: 'unpaid', failure: 'expired' })
    expect(world.wallets.payments).toEqual([])
  })

  it('makes a gift fail when it shows that the sats in flight have returned', async () => {
    alice.payFaults.push('under-way')
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(OVER)
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    alice.underWay.clear()
    await world.pass(6 * 3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unpaid', failure: 'expired' })
  })

  it('is asked again to pay the same invoice if it was busy', async () => {
    alice.payFaults.push({ error: 'RATE_LIMITED' })
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(3_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(bob.asked.filter((method) => method === 'make_invoice')).toHaveLength(1)
  })

  it('pays a gift only once, and leaves it unconfirmed, if nothing proves the payment', async () => {
    alice.payFaults.push('answer-lost')
    alice.knowsNothing = true
    bob.knowsNothing = true
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(OVER)
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.pass(2 * 24 * 3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unconfirmed' })
    expect(world.wallets.payments).toHaveLength(1)
  })
})

describe('a receiver’s wallet', () => {
  it.each(['silent', 'other-amount', 'other-network', 'expired', 'no-invoice', { error: 'RESTRICTED' }] as const)(
    'makes the tip fail before any payment if it gives no valid invoice: %s',
    async (fault) => {
      world.network = 'regtest'
      await world.restart()
      bob.invoiceFaults.push(fault)
      expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({
        state: 'unpaid',
        failure: 'receiver',
      })
      expect(alice.asked).not.toContain('pay_invoice')
    },
  )

  it('is paid only once for an invoice that it returns twice', async () => {
    await shareOf(await world.tip('alice', 'bob', '500'))
    bob.invoiceFaults.push('used')
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({
      state: 'unpaid',
      failure: 'receiver',
    })
    expect(world.wallets.payments).toHaveLength(1)
  })
})

describe('a process that dies during a tip from wallet to wallet', () => {
  it('makes the tip fail without a payment if it has not yet contacted the wallet', async () => {
    const died = world.dieAtCommit(2, 'before')
    void world.tip('alice', 'bob', '500')
    await died
    await world.reborn()
    const { id } = await world.database.read.tip.findFirstOrThrow()
    await world.pass(70_000)
    expect(await shareOf({ id })).toMatchObject({ state: 'unpaid', failure: 'interrupted' })
    expect(world.wallets.payments).toEqual([])
  })

  it.each(['before', 'after'] as const)(
    'leaves the outcome to the receiver’s proof if it dies just %s writing an outcome',
    async (moment) => {
      const died = world.dieAtCommit(3, moment)
      void world.tip('alice', 'bob', '500')
      await died
      await world.reborn()
      const { id } = await world.database.read.tip.findFirstOrThrow()
      await world.pass(70_000)
      expect(await shareOf({ id })).toMatchObject({ state: 'direct' })
      expect(world.wallets.payments).toHaveLength(1)
    },
  )
})

it('a wallet receives no request after its member disconnects it', async () => {
  const { wallets } = world
  alice.payFaults.push('answer-lost')
  const tip = await world.tip('alice', 'bob', '500')
  await world.tipping.ownWallets.disconnect('alice')
  expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
  await expect(world.tip('alice', 'bob', '500')).rejects.toMatchObject({ code: 'insufficient-funds' })
  expect(wallets.payments).toHaveLength(1)
})

it('a tip goes to the Lightning Address of a member without a connected wallet', async () => {
  const host = await hostAddress(world)
  try {
    await world.tipping.forwarding.start({ member: 'carol', address: host.address, origin: world.origin() })
    host.invoice = (sats) => ({ pr: invoiceFor(world, sats, RIGHT), routes: [] })
    alice.payFaults.push('lost')
    const tip = await world.tip('alice', 'carol', '500')
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    expect(host.asked.filter((path) => path === '/invoice')).toHaveLength(2)
  } finally {
    await host.close()
  }
})

it('a deletion of data removes a Lightning Address once no payment to it is open', async () => {
  const host = await hostAddress(world)
  const holds = async () => JSON.stringify(await world.tipping.privacy.export('carol')).includes(host.address)
  try {
    await world.tipping.forwarding.start({ member: 'carol', address: host.address, origin: world.origin() })
    host.invoice = (sats) => ({ pr: invoiceFor(world, sats, RIGHT), routes: [] })
    alice.payFaults.push('lost')
    const tip = await world.tip('alice', 'carol', '500')
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    await world.tipping.privacy.forget('carol')
    expect(await holds()).toBe(true)
    for (let hours = 0; hours < 30; hours += 1) await world.pass(3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unconfirmed' })
    await world.tipping.privacy.forget('carol')
    expect(await holds()).toBe(false)
  } finally {
    await host.close()
  }
})
