import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './outside.ts'

let world: TippingWorld
let bob: AddressHost

/**
 * Opens a world in which alice has 10,000 sats, and bob's tips are forwarded to an address that accepts from 100 to
 * 1,000 sats.
 */
beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
  bob = await hostAddress(world)
})

afterEach(() => bob.close())

const start = (member = 'bob', address = bob.address) =>
  world.tipping.forwarding.start({ member, address, origin: world.origin() })
const keep = (amount: string, member = 'bob') =>
  world.tipping.forwarding.keep({ member, amount, origin: world.origin() })
async function tip(amount: string): Promise<void> {
  await world.run(world.tip('alice', 'bob', amount))
  await world.settle()
}
const sent = async () =>
  (await world.database.read.withdrawal.findMany({ where: { member: 'bob' }, orderBy: { createdAt: 'asc' } })).map(
    ({ state, amount, forwarded }) => ({ state, sats: Number(amount / 1_000n), forwarded }),
  )
const forwarding = async () => (await world.tipping.balances.view('bob')).forwarding

describe('tips to a member with a Lightning Address', () => {
  it('are forwarded less the fee limit, whose unused part stays in the balance', async () => {
    expect(await start()).toMatchObject({ address: bob.address, due: 0n, sent: 0n })
    await tip('500')
    expect(await sent()).toEqual([{ state: 'paid', sats: 490, forwarded: true }])
    expect(world.provider.outgoing.only('payments')).toMatchObject({ amount: 490_000n, status: 'completed' })
    // The fee was one sat of ten.
    expect(await world.available('bob')).toBe(9_000n)
    expect(await forwarding()).toMatchObject({ sent: 490_000n, due: 0n, again: undefined })
  })

  it('wait until their sum is worth a payment, and are then sent together', async () => {
    await start()
    await tip('60')
    expect(await sent()).toEqual([])
    expect(await forwarding()).toMatchObject({ due: 60_000n })
    await tip('60')
    expect(await sent()).toEqual([{ state: 'paid', sats: 110, forwarded: true }])
  })

  it('are forwarded only above the kept part, and deposits stay', async () => {
    await start()
    expect(await keep('300')).toBe(300_000n)
    await tip('500')
    expect(await sent()).toEqual([{ state: 'paid', sats: 190, forwarded: true }])
    await world.fund('bob', 5_000)
    expect(await sent()).toHaveLength(1)
    expect(await keep('0')).toBe(0n)
    await world.settle()
    expect((await sent()).map(({ sats }) => sats)).toEqual([190, 290])
    expect(await world.available('bob')).toBe(5_018_000n)
  })

  describe('are forwarded only to the extent that they are unspent', () => {
    /**
     * Gives bob 900 sats of tips that his address does not accept yet, and then makes him give these sums to others.
     */
    async function tippedAndGave(...given: string[]): Promise<void> {
      bob.takes = { minSendable: 5_000_000, maxSendable: 9_000_000 }
      // The address is tried with the least that it takes.
      bob.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] })
      await start()
      await tip('900')
      for (const amount of given) await world.run(world.tip('bob', 'alice', amount))
      await world.settle()
    }
    /** Makes the address accept what it did not accept before. */
    async function open(): Promise<void> {
      bob.takes = { minSendable: 100_000, maxSendable: 1_000_000 }
      await keep('0')
      await world.settle()
    }

    it('if all of them were spent before a deposit, which stays', async () => {
      await tippedAndGave('900')
      await world.fund('bob', 5_000)
      expect(await forwarding()).toMatchObject({ due: 0n })
      await open()
      expect(await sent()).toEqual([])
      expect(await world.available('bob')).toBe(5_000_000n)
    })

    it('if their sum was spent after a deposit, which stays', async () => {
      await world.fund('bob', 5_000)
      await tippedAndGave('900')
      await open()
      expect(await sent()).toEqual([])
      expect(await world.available('bob')).toBe(5_000_000n)
    })

    it('if part of them was spent', async () => {
      await world.fund('bob', 5_000)
      await tippedAndGave('300', '150')
      expect(await forwarding()).toMatchObject({ due: 450_000n })
      await open()
      expect((await sent()).map(({ sats }) => sats)).toEqual([440])
      // The fee was one sat of ten.
      expect(await world.available('bob')).toBe(5_009_000n)
    })

    it('if more than their sum was spent, so that only later tips are due', async () => {
      await world.fund('bob', 5_000)
      await tippedAndGave('2000')
      await tip('200')
      expect(await forwarding()).toMatchObject({ due: 200_000n })
      await open()
      expect((await sent()).map(({ sats }) => sats)).toEqual([190])
    })

    it.each<[string, () => Promise<unknown>]>([
      [
        'a withdrawal',
        async () => {
          const command = { member: 'bob', amount: '500', to: invoiceFor(world, 500), origin: world.origin() }
          const { id } = await world.tipping.withdrawals.ask(command)
          await world.tipping.withdrawals.confirm({ withdrawal: id, member: 'bob', origin: world.origin() })
        },
      ],
      ['a voucher', () => world.tipping.vouchers.create({ member: 'bob', amount: '500', origin: world.origin() })],
      ['a drop', () => world.tipping.drops.open({ member: 'bob', amount: '500', shares: 2, origin: world.origin() })],
      ['a tip that waits to be claimed', () => world.tip('bob', 'stranger', '500')],
    ])('if part of them was spent on %s', async (_, spend) => {
      await world.fund('bob', 5_000)
      await tippedAndGave()
      const before = await world.available('bob')
      await world.run(spend())
      const left = 900_000n - (before - (await world.available('bob')))
      const { due = -1n } = (await forwarding()) ?? {}
      // What a fee limit kept back and gave back again is not due a second time.
      expect(due).toBeLessThanOrEqual(left)
      expect(due).toBeGreaterThan(380_000n)
    })

    it('if their owner gives many tips at the same moment', async () => {
      await world.fund('bob', 5_000)
      await tippedAndGave()
      await world.run(Promise.all(Array.from({ length: 20 }, () => world.tip('bob', 'alice', '40'))))
      expect(await forwarding()).toMatchObject({ due: 100_000n })
    })
  })

  it('are sent in parts if the address does not accept them in one payment', async () => {
    await start()
    await tip('2500')
    expect((await sent()).map(({ sats }) => sats)).toEqual([1_000, 1_000, 470])
  })

  it('are also forwarded if they were claimed', async () => {
    await world.tip('alice', 'bob', '700')
    await start()
    await world.run(world.tipping.claims.take({ member: 'bob', origin: world.origin() }))
    await world.settle()
    expect(await sent()).toEqual([{ state: 'paid', sats: 690, forwarded: true }])
  })

  it('stay reserved while a payment’s outcome is unknown, and no other payment is made', async () => {
    await start()
    world.provider.misbehave('sendPayment', 'act-then-reset', ...Array<Fault>(12).fill('error'))
    await world.run(world.tip('alice', 'bob', '500'))
    await world.pass(10_000)
    expect(await sent()).toEqual([{ state: 'unknown', sats: 490, forwarded: true }])
    await world.run(world.tip('alice', 'bob', '400'))
    await world.pass(1_000)
    expect(await world.available('bob')).toBe(400_000n)
    expect(await sent()).toHaveLength(1)
    // The answer to the first attempt is replayed, and the rest follows.
    await world.pass(3_700_000)
    expect((await sent()).map(({ state, sats }) => [state, sats])).toEqual([
      ['paid', 490],
      ['paid', 390],
    ])
  })

  it('are due again after 10 minutes if a payment is proven to have failed', async () => {
    await start()
    world.provider.misbehave('sendPayment', { refuse: 400, message: 'No way.' })
    await world.run(world.tip('alice', 'bob', '500'))
    await world.pass(1_000)
    expect((await sent()).map(({ state }) => state)).toEqual(['returned'])
    expect(await world.available('bob')).toBe(500_000n)
    const again = (await forwarding())?.again?.getTime() ?? 0
    expect(again - world.clock.now()).toBeGreaterThan(9 * 60_000)
    await world.pass(10 * 60_000)
    expect((await sent()).map(({ state }) => state)).toEqual(['returned', 'paid'])
    expect((await forwarding())?.again).toBeUndefined()
  })

  it('stay in the balance, unreserved, while the address returns no valid invoice', async () => {
    await start()
    const usual = bob.invoice
    bob.invoice = () => ({ pr: invoiceFor(world, 501, RIGHT) })
    await world.run(world.tip('alice', 'bob', '500'))
    await world.pass(1_000)
    expect(await sent()).toEqual([])
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 500_000n, inFlight: 0n })
    bob.invoice = usual
    await world.pass(11 * 60_000)
    expect((await sent()).map(({ state }) => state)).toEqual(['paid'])
  })

  it('stay in the balance once the address is unlinked', async () => {
    await start()
    await tip('60')
    expect(await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })).toEqual({
      address: bob.address,
    })
    await tip('600')
    expect(await sent()).toEqual([])
    expect(await world.available('bob')).toBe(660_000n)
  })

  it('are forwarded after a restart if the bot died before the payment', async () => {
    await start()
    const died = world.dieAtCommit(2, 'after')
    const tipped = world.tip('alice', 'bob', '500')
    tipped.catch(() => undefined)
    await world.run(died)
    await world.reborn()
    await world.pass(3_600_000)
    expect((await sent()).filter(({ state }) => state === 'paid')).toEqual([
      { state: 'paid', sats: 490, forwarded: true },
    ])
  })
})

describe('an address for forwarding', () => {
  it('must be a Lightning Address at another host, and the host must answer', async () => {
    const link = 'bitcoin:?lightning=lnbc1damaged&label=a@b.test'
    for (const typed of ['lnbcrt1', 'bob@', '@bob', 'bob', 'bob@nowhere', link]) {
      const facts = { text: typed }
      await expect(start('bob', typed)).rejects.toMatchObject({ code: 'address-not-understood', facts })
    }
    const own = await world.tipping.addresses.take({ member: 'alice', ideas: ['alice'], origin: world.origin() })
    await expect(start('bob', own.address)).rejects.toMatchObject({ code: 'address-here' })
    await bob.close()
    await expect(start()).rejects.toMatchObject({ code: 'address-unreachable' })
    expect(await forwarding()).toBeUndefined()
    bob = await hostAddress(world)
  })

  it('replaces a linked account, and a linked account replaces it', async () => {
    await world.linked('bob')
    await start()
    expect((await world.tipping.balances.view('bob')).link).toBeUndefined()
    await world.tipping.links.link({ member: 'bob', gamertag: 'bob-tag', origin: world.origin() })
    expect(await world.tipping.balances.view('bob')).toMatchObject({
      forwarding: undefined,
      link: { gamertag: 'bob-tag' },
    })
  })
})

describe('the part that a linked member keeps', () => {
  it('stays in the balance, and the rest is paid out', async () => {
    const id = await world.linked('bob')
    await keep('300')
    await tip('200')
    await tip('500')
    expect(world.received(id)).toBe(400_000n)
    expect(await world.available('bob')).toBe(300_000n)
  })

  it('is measured against the balance without sats that others have yet to claim', async () => {
    const id = await world.linked('bob')
    await world.fund('bob', 400)
    await keep('300')
    await tip('10')
    expect(world.received(id)).toBe(10_000n)
    // Somebody new gets most of it, and has not come for it yet.
    await world.run(world.tip('bob', 'carol', '350'))
    await tip('100')
    expect(world.received(id)).toBe(10_000n)
    expect(await world.available('bob')).toBe(150_000n)
  })

  it('can be set only by a member with a link', async () => {
    await expect(keep('300')).rejects.toMatchObject({ code: 'not-linked' })
  })
})
