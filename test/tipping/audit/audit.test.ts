import { describe, expect, it } from 'vitest'
import type { Origin } from '../../../src/tipping/tipping.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { invoiceFor } from '../withdrawals/outside.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
}

describe('an audit', () => {
  it('books the wallet’s first balance once, to the operator’s account', async () => {
    await begin({ wallet: 50_000_000n })
    expect(await world.tipping.audit()).toMatchObject({ holds: true, operator: 50_000_000n, expected: 50_000_000n })
    await world.restart()
    await world.settle()
    expect(await world.tipping.audit()).toMatchObject({ holds: true, operator: 50_000_000n, owed: 0n })
  })

  it.each<[string, (by: { member: string; origin: Origin }) => Promise<unknown>]>([
    ['a deposit', (by) => world.tipping.deposits.open({ ...by, amount: '100' })],
    ['a pool', (by) => world.tipping.pools.fund({ ...by, guild: 'guild', amount: '100' })],
    ['a fundraiser', (by) => world.tipping.pools.fundraise({ ...by, guild: 'guild', amount: '100', goal: '500' })],
    ['an address', (by) => world.tipping.addresses.take({ ...by, name: undefined, ideas: ['alice'] })],
    ['a code', (by) => world.tipping.vouchers.redeem({ ...by, code: world.provider.vouchers.foreign(7_000n).code })],
  ])('must have read the wallet and begun the book before %s can bring in sats', async (_, letIn) => {
    await begin({ walletUnread: true, wallet: 5_000n })
    const moved = ['createStaticCharge', 'redeemVoucher']
    await expect(world.run(letIn({ member: 'alice', origin: world.origin() }))).rejects.toMatchObject({
      code: 'provider-unreachable',
    })
    expect(world.provider.calls.filter(({ operation }) => moved.includes(operation))).toEqual([])
    world.provider.stopMisbehaving('getWallet')
    await world.run(letIn({ member: 'alice', origin: world.origin() }))
    await world.fund('alice', 100)
    expect(await world.tipping.audit()).toMatchObject({ holds: true, operator: 5_000n })
  })

  it('expects an exact balance in the wallet if no operation is open', async () => {
    await begin({ wallet: 1_000n })
    await world.fund('alice', 100)
    expect(await world.tipping.audit()).toMatchObject({
      holds: true,
      faults: [],
      owed: 100_000n,
      expected: 101_000n,
      wallet: 101_000n,
      mayHaveLeft: 0n,
      mayHaveArrived: 0n,
      openOperations: 0,
    })
  })

  it('allows for sats that may have left or arrived without a report', async () => {
    await begin({ replays: false })
    await world.fund('alice', 1_000)
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', 'act-then-error')
    await world.tip('alice', 'bob', '100')
    const open = await world.tipping.deposits.open({ member: 'alice', amount: '500', origin: world.origin() })
    world.provider.payCharge(world.provider.chargeOf(open.request).id)
    expect(await world.tipping.audit()).toMatchObject({
      holds: true,
      expected: 1_000_000n,
      wallet: 1_400_000n,
      mayHaveLeft: 100_000n,
      mayHaveArrived: 500_000n,
      openOperations: 1,
    })
  })

  it('counts a reserved payout as open, and a sent one as possibly paid', async () => {
    await begin({ wallet: 100_000n })
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    expect((await world.tip('alice', 'bob', '50')).shares[0]?.state).toBe('paid')
    const [looked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.provider.misbehave('getGamertagByUserId', { before: () => looked.promise })
    world.provider.misbehave('payToGamertag', { before: () => answered.promise })
    const inFlight = async () => (await world.tipping.balances.view('bob')).inFlight

    const tip = world.tip('alice', 'bob', '100')
    await world.provider.asked('getGamertagByUserId', 2)
    expect(await world.tipping.audit()).toMatchObject({ holds: true, mayHaveLeft: 0n, openOperations: 1 })
    expect(await inFlight()).toBe(100_000n)

    looked.resolve()
    await world.provider.asked('payToGamertag', 2)
    expect(await world.tipping.audit()).toMatchObject({ holds: true, mayHaveLeft: 100_000n, openOperations: 1 })
    expect(await inFlight()).toBe(100_000n)

    answered.resolve()
    await world.run(tip)
    expect(await world.tipping.audit()).toMatchObject({ holds: true, mayHaveLeft: 0n, openOperations: 0 })
    expect(await inFlight()).toBe(0n)
    expect(world.received(bob)).toBe(150_000n)
  })

  it('allows for an unused fee that returns while the wallet is read', async () => {
    await begin({ wallet: 100_000n })
    await world.fund('alice', 1_000)
    const { provider, tipping } = world
    provider.outgoing.next = 'processing'
    const request = { member: 'alice', amount: '500', to: invoiceFor(world, 500) }
    const { id } = await tipping.withdrawals.ask({ ...request, origin: world.origin() })
    await world.run(tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    const { token } = await world.database.read.withdrawal.findFirstOrThrow()
    const sending = provider.outgoing.only('payments')
    const leftOver = sending.limit - provider.outgoing.fee
    provider.misbehave('getWallet', {
      before: async () => {
        provider.outgoing.end(sending, 'completed')
        await tipping.hint(token ?? '')
        await tipping.settled()
        provider.wallet -= leftOver
      },
    })
    expect(await world.run(tipping.audit())).toMatchObject({ holds: true, faults: [] })
    expect((await tipping.withdrawals.view(id)).state).toBe('paid')
    provider.wallet += leftOver
  })

  it('checks the book even if the wallet cannot be read', async () => {
    await begin()
    await world.fund('alice', 100)
    await world.provider.down()
    expect(await world.run(world.tipping.audit())).toMatchObject({ holds: true, wallet: undefined, owed: 100_000n })
    await world.provider.up()
  })

  it('pauses payments, even across restarts, while the wallet holds too little', async () => {
    await begin()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    world.provider.wallet -= 1n
    const audit = await world.tipping.audit()
    expect(audit).toMatchObject({ holds: false, faults: [expect.stringContaining('holds 0.001 sats less')] })
    await world.restart()
    await world.settle()
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('credited')
    expect(world.received(bob)).toBe(0n)
    expect(await world.database.read.alert.count()).toBe(1)
    world.provider.wallet += 1n
    expect((await world.tipping.audit()).holds).toBe(true)
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('paid')
  })

  it('keeps the pause for missing sats while the wallet cannot be read', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.linked('bob')
    world.provider.wallet -= 1n
    await world.tipping.audit()
    world.provider.misbehave('getWallet', 'error', 'error', 'error')
    expect(await world.run(world.tipping.audit())).toMatchObject({ wallet: undefined, faults: [] })
    expect((await world.tipping.administration.status()).paused?.source).toBe('cover')
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('credited')
    world.provider.wallet += 1n
    await world.tipping.audit()
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })

  it('accepts a surplus only after 5 minutes', async () => {
    await begin()
    await world.fund('alice', 1_000)
    world.provider.wallet += 7_000n
    const suspense = async () => (await world.tipping.audit()).suspense
    for (const pauseMs of [0, 0, 0, 299_999]) {
      await world.pass(pauseMs)
      expect(await suspense()).toBe(0n)
    }
    expect(await suspense()).toBe(0n)
    // What left and came again is another surplus.
    world.provider.wallet -= 7_000n
    expect(await suspense()).toBe(0n)
    world.provider.wallet += 7_000n
    await world.pass(1)
    // What one audit puts there, the next one shows.
    for (let times = 0; times < 3; times += 1) expect(await suspense()).toBe(0n)
    await world.pass(300_000)
    await world.tipping.audit()
    expect(await suspense()).toBe(7_000n)
  })

  it('reports a surplus without a pause, and puts it in suspense later', async () => {
    await begin()
    await world.fund('alice', 1_000)
    await world.linked('bob')
    world.provider.wallet += 7_000n
    expect((await world.tipping.audit()).faults).toEqual([expect.stringContaining('7 sats more')])
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('paid')
    await world.pass(300_000)
    await world.tipping.audit()
    expect(await world.tipping.audit()).toMatchObject({ holds: true, owed: 907_000n, operator: 0n })
  })

  it('credits a surplus once to the member whose closed code was paid', async () => {
    await begin()
    const { request } = await world.tipping.deposits.open({ member: 'alice', amount: '500', origin: world.origin() })
    const { id } = world.provider.chargeOf(request)
    await world.pass(60 * 3_600_000)
    expect(await world.database.read.deposit.findFirst()).toMatchObject({ state: 'closed', disabled: true })
    world.provider.payCharge(id)
    const read = world.provider.count('getStaticCharge')
    await world.tipping.audit()
    await world.pass(300_000)
    expect(world.provider.count('getStaticCharge')).toBe(read)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(3).fill('error'))
    await world.run(world.tipping.audit())
    expect(await world.tipping.audit()).toMatchObject({ suspense: 0n, owed: 0n })
    await world.pass(300_000)
    await world.tipping.audit()
    expect(await world.tipping.audit()).toMatchObject({ holds: true, suspense: 0n, owed: 500_000n })
    expect(await world.available('alice')).toBe(500_000n)
  })

  it('pauses payments if the operator’s account cannot cover a loss', async () => {
    await begin({ replays: false })
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const swap = () => {
      world.provider.rename(bob, 'bobby')
      world.provider.user('bob-tag')
    }
    world.provider.misbehave('payToGamertag', { before: swap })
    await world.tip('alice', 'bob', '100')
    expect(await world.tipping.audit()).toMatchObject({ holds: false, operator: -100_000n })
    await world.linked('carol')
    expect((await world.tip('alice', 'carol', '100')).shares[0]?.state).toBe('credited')
    world.excused = /operator's account stands at -100 sats/
  })

  it('finds a balance that was edited by hand', async () => {
    await begin()
    await world.fund('alice', 100)
    const change = (balance: bigint) =>
      world.database.write.account.updateMany({ where: { owner: 'alice', kind: 'member' }, data: { balance } })
    await change(200_000n)
    const audit = await world.tipping.audit()
    expect(audit.faults).toContain('member alice shows 200000 msats, but its moves make 100000')
    await change(100_000n)
  })

  it('pauses payments and names an operation whose record contradicts its reserve', async () => {
    await begin()
    await world.fund('alice', 100)
    await world.tip('alice', 'stranger', '40')
    await world.tip('alice', 'newcomer', '10')
    const share = await world.database.read.tipShare.findFirstOrThrow({ where: { recipient: 'newcomer' } })
    const change = (amount: bigint) =>
      world.database.write.tipShare.updateMany({ where: { recipient: 'newcomer' }, data: { amount } })
    await change(9_000n)
    const audit = await world.tipping.audit()
    const [fault] = audit.faults
    expect(audit.faults).toHaveLength(1)
    expect(fault).toMatch(/^held alice holds 10000 msats for \S+, but its record \(unclaimed tip, parked\) says 9000$/)
    expect(fault).toContain(share.id)
    expect((await world.tipping.administration.status()).paused).toEqual({ source: 'cover', reason: fault })
    expect((await world.tipping.administration.untoldAlerts(10))[0]?.text).toContain(share.id)
    expect(await world.available('alice')).toBe(50_000n)
    await change(10_000n)
    expect((await world.tipping.audit()).holds).toBe(true)
  })
})

describe('a full disk (fault 26)', () => {
  it('makes the bot refuse a tip and move no sats', async () => {
    await begin()
    await world.fund('alice', 1_000)
    world.failCommits = 1
    await expect(world.tip('alice', 'bob', '100')).rejects.toThrow('nothing happened')
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it.each([
    ['that the provider has paid', 'payToGamertag'],
    ['that is about to be marked as sent', 'getGamertagByUserId'],
  ])('only delays the record of a payout %s', async (_, operation) => {
    await begin({ replays: false })
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const fill = () => {
      world.failCommits = 4
    }
    world.provider.misbehave(operation, { before: fill })
    const tip = await world.run(world.tip('alice', 'bob', '100'))
    expect(tip.shares[0]?.state).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
    expect(world.provider.count('payToGamertag')).toBe(1)
  })
})
