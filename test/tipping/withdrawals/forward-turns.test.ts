import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { forwardJob } from '../../../src/tipping/engine/gifts/onward.ts'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './outside.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

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
  await start()
})

afterEach(() => bob.close())

const start = (address = bob.address) =>
  world.run(world.tipping.forwarding.start({ member: 'bob', address, origin: world.origin() }))
const keep = (amount: string) => world.tipping.forwarding.keep({ member: 'bob', amount, origin: world.origin() })
const forwarding = async () => (await world.tipping.balances.view('bob')).forwarding

/** Tips bob, and waits for the consequences. */
async function tip(amount: string): Promise<void> {
  await world.run(world.tip('alice', 'bob', amount))
  await world.pass(500)
}

const rows = () => world.database.read.withdrawal.findMany({ where: { member: 'bob' }, orderBy: { createdAt: 'asc' } })
const sent = async () => (await rows()).map(({ state, amount }) => [state, Number(amount / 1_000n)])

/** Returns the milliseconds until the next check; undefined if none is scheduled. */
async function nextInMs(): Promise<number | undefined> {
  const job = await world.database.read.pollJob.findUnique({ where: { id: forwardJob('bob') } })
  return job?.nextAt == null ? undefined : job.nextAt.getTime() - world.clock.now()
}

const setMember = (data: object) => world.database.write.member.update({ where: { id: 'bob' }, data })

describe('the display of forwarded tips', () => {
  it('shows their address, their costs, and the sum so far', async () => {
    await tip('200')
    const terms = { address: bob.address, keepHere: 0n, smallest: sats(100), feePercent: 1, leastFee: sats(10) }
    expect(await forwarding()).toEqual({ ...terms, due: 0n, sent: sats(190), again: undefined })
    // What bob sends there himself is not counted, nor what went to another address.
    await world.fund('bob', 1_000)
    const { withdrawals } = world.tipping
    const own = { member: 'bob', amount: '300', to: bob.address, origin: world.origin() }
    const { id } = await world.run(withdrawals.ask(own))
    await world.run(withdrawals.confirm({ withdrawal: id, member: 'bob', origin: world.origin() }))
    expect(await sent()).toEqual([
      ['paid', 190],
      ['paid', 300],
    ])
    expect(await forwarding()).toMatchObject({ sent: sats(190) })
    await setMember({ forwardTo: 'bob@elsewhere.test' })
    expect(await forwarding()).toMatchObject({ sent: 0n })
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    expect(await forwarding()).toBeUndefined()
  })

  it('is based on withdrawals that the book records without a command', async () => {
    await tip('200')
    const [row] = await rows()
    expect(row).toMatchObject({ kind: 'address', forwarded: true, destination: bob.address, feeLimit: sats(10) })
    expect(row).toMatchObject({ card: row?.id, key: `withdrawal-${row?.id}`, state: 'paid', everything: false })
    const operation = await world.database.read.operation.findFirst({ where: { id: row?.id ?? '' } })
    expect(operation).toMatchObject({ verb: 'withdraw', record: row?.id, interaction: null })
    const { body } = world.provider.outgoing.only('payments')
    expect(world.token(body.callbackUrl ?? '')).toBe(row?.token)
  })
})

describe('sats that could not be forwarded', () => {
  it('are tried again after 10 minutes, and then at doubled intervals up to a day', async () => {
    const usual = bob.invoice
    bob.invoice = () => ({ status: 'ERROR', reason: 'Bob is asleep.' })
    await tip('200')
    const again = async () => ((await forwarding())?.again?.getTime() ?? 0) - world.clock.now()
    const due = { due: sats(200), sent: 0n }
    for (const minutes of [10, 20, 40]) {
      expect(await forwarding()).toMatchObject(due)
      const [shown, planned] = [await again(), await nextInMs()]
      expect(planned).toBe(shown)
      expect(minutes * MINUTE - shown).toBeLessThanOrEqual(1_000)
      expect(minutes * MINUTE - shown).toBeGreaterThanOrEqual(0)
      await world.pass(shown + 500)
    }
    expect(await world.database.read.member.findUnique({ where: { id: 'bob' } })).toMatchObject({
      ...{ forwardFailures: 4, forwardProblem: 'address-refused' },
    })
    for (const [forwardFailures, minutes] of [
      [7, 1_280],
      [8, 1_440],
      [5_000, 1_440],
    ] as const) {
      await setMember({ forwardFailures, forwardAfter: null })
      await tip('1')
      expect(Math.round((await again()) / MINUTE)).toBe(minutes)
    }
    bob.invoice = usual
    await world.pass(24 * HOUR)
    expect(await sent()).toEqual([['paid', 193]])
    expect(await forwarding()).toMatchObject({ again: undefined, due: 0n })
    bob.invoice = () => ({ status: 'ERROR', reason: 'Bob is asleep.' })
    await tip('200')
    expect(Math.round((await again()) / MINUTE)).toBe(10)
  })

  it('are due again, including the fee limit, and not sooner because of another tip', async () => {
    world.provider.misbehave('sendPayment', { refuse: 400, message: 'No way.', code: 'self_payment' })
    await tip('200')
    expect(await sent()).toEqual([['returned', 190]])
    expect(await forwarding()).toMatchObject({ due: sats(200), again: expect.any(Date) })
    await tip('100')
    expect(await sent()).toHaveLength(1)
    await world.pass(10 * MINUTE)
    expect(await sent()).toEqual([
      ['returned', 190],
      ['paid', 290],
    ])
  })

  it('are sent at once if the same address is set again, but not if another one is set', async () => {
    const usual = bob.invoice
    bob.invoice = () => ({ status: 'ERROR', reason: 'Bob is asleep.' })
    await tip('200')
    bob.invoice = usual
    // However it is written.
    expect(await start(` lightning:${bob.address.toUpperCase()}`)).toMatchObject({ due: sats(200), again: undefined })
    await world.pass(1_000)
    expect(await sent()).toEqual([['paid', 190]])
    await tip('50')
    expect(await start(`carol@${bob.address.split('@')[1]}`)).toMatchObject({ due: 0n, sent: 0n })
    await world.pass(HOUR)
    expect(await sent()).toHaveLength(1)
  })

  it('stay in the balance if the address returns an invoice that was paid before', async () => {
    const invoice = invoiceFor(world, 190, { ...RIGHT, expiresInSeconds: 90_000 })
    bob.invoice = () => ({ pr: invoice })
    await tip('200')
    await tip('191')
    expect(await sent()).toEqual([['paid', 190]])
    expect(await forwarding()).toMatchObject({ due: sats(191), again: expect.any(Date) })
    expect(world.provider.outgoing.payments.size).toBe(1)
  })

  it('wait 10 minutes during a pause, and do not count as failed', async () => {
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await tip('200')
    expect(await sent()).toEqual([])
    expect(await nextInMs()).toBeGreaterThan(10 * MINUTE - 1_000)
    expect(await nextInMs()).toBeLessThanOrEqual(10 * MINUTE)
    expect(await forwarding()).toMatchObject({ again: undefined, due: sats(200) })
    await world.tipping.administration.resume({ operator: 'olga' })
    await world.pass(10 * MINUTE)
    expect(await sent()).toEqual([['paid', 190]])
  })
})

describe('the amount that is forwarded', () => {
  it.each([
    [109, []],
    [110, [['paid', 100]]],
  ])('is at least 100 sats after the fee limit is deducted (%d sats due: %j)', async (due, paid) => {
    const before = bob.asked.length
    await tip(String(due))
    expect(await sent()).toEqual(paid)
    if (paid.length > 0) return
    // Nothing is asked before there is more: neither the address nor, later, the book.
    expect(bob.asked).toHaveLength(before)
    expect(await nextInMs()).toBeUndefined()
  })

  it('is within the bounds of the address and of payments, and a smaller sum waits', async () => {
    bob.takes = { minSendable: 300_000, maxSendable: 1_000_000 }
    await tip('309')
    expect(await sent()).toEqual([])
    expect(await forwarding()).toMatchObject({ again: undefined, due: sats(309) })
    await tip('1')
    expect(await sent()).toEqual([['paid', 300]])
    bob.takes = { minSendable: 1_000, maxSendable: 99_999 }
    await tip('400')
    expect(await sent()).toHaveLength(1)
    expect(await forwarding()).toMatchObject({ again: undefined })
    await world.tipping.close()
    await world.start({ maxAmount: sats(150) })
    bob.takes = { minSendable: 1_000, maxSendable: 1_000_000 }
    await tip('1')
    await world.pass(HOUR)
    expect((await sent()).slice(1)).toEqual([
      ['paid', 150],
      ['paid', 150],
    ])
  })

  it('is the balance above the kept part, without sats that were given away', async () => {
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await tip('500')
    await world.run(world.tip('bob', 'carol', '200'))
    await keep('50')
    await world.pass(MINUTE)
    await world.tipping.administration.resume({ operator: 'olga' })
    await world.pass(10 * MINUTE)
    expect(await sent()).toEqual([['paid', 240]])
    expect(await forwarding()).toMatchObject({ due: sats(50), keepHere: sats(50) })
    // What is to stay may be more than there is.
    await keep('900')
    await tip('300')
    expect(await sent()).toHaveLength(1)
    expect(await nextInMs()).toBeUndefined()
  })

  /** Runs the given function while an invoice is requested from the address. */
  function meanwhile(happens: () => Promise<unknown>): void {
    const usual = bob.invoice
    bob.invoice = async (amount) => {
      bob.invoice = usual
      await happens()
      return usual(amount)
    }
  }

  it('is determined again a second later if sats are spent during the invoice request', async () => {
    meanwhile(() => world.tip('bob', 'carol', '300'))
    await tip('500')
    expect(await sent()).toEqual([])
    expect(await nextInMs()).toBeGreaterThan(0)
    expect(await nextInMs()).toBeLessThanOrEqual(1_000)
    await world.pass(1_000)
    expect(await sent()).toEqual([['paid', 190]])
    expect(await forwarding()).toMatchObject({ again: undefined })
  })

  it('is determined again if the kept part is raised during the invoice request', async () => {
    meanwhile(() => keep('300'))
    await tip('500')
    await world.pass(1_000)
    expect(await sent()).toEqual([['paid', 190]])
    expect(await forwarding()).toMatchObject({ again: undefined })
  })

  it('excludes a deposit even if its owner’s tip is booked together with another tip', async () => {
    await world.fund('bob', 1_000)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const happening: Promise<unknown>[] = []
    meanwhile(async () => {
      // Nothing else is written meanwhile, so that what waits comes to be written together.
      happening.push(world.database.write.$transaction(() => held, { timeout: MINUTE }))
      for (const [from, amount] of [
        ['alice', '1'],
        ['bob', '300'],
      ] as const) {
        happening.push(world.tip(from, 'carol', amount))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      setTimeout(release, 300)
    })
    await world.run(world.tip('alice', 'bob', '500'))
    await world.pass(500)
    await Promise.all(happening)
    await world.pass(MINUTE)
    expect(await sent()).toEqual([['paid', 190]])
    // The deposit, and what the fee took less.
    expect(await world.available('bob')).toBe(sats(1_009))
  })

  it('is 0 if the address is unlinked during the invoice request', async () => {
    const usual = bob.invoice
    bob.invoice = async (amount) => {
      await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
      return usual(amount)
    }
    await tip('500')
    await world.pass(HOUR)
    expect(await sent()).toEqual([])
    expect(await world.available('bob')).toBe(sats(500))
  })
})

describe('the rate of forwarding', () => {
  const SMALL = { minSendable: 100_000, maxSendable: 100_000 }

  it('is at most six payments an hour to an address with a low maximum', async () => {
    bob.takes = SMALL
    await tip('9000')
    await world.pass(10 * MINUTE)
    expect(await sent()).toEqual(Array(6).fill(['paid', 100]))
    await world.pass(50 * MINUTE)
    expect(await sent()).toHaveLength(12)
    await world.pass(HOUR)
    expect(await sent()).toHaveLength(18)
    // No failure: the rest stays due, and nothing says that the address is at fault.
    expect(await forwarding()).toMatchObject({ again: undefined })
  })

  it('does not rise after a tip, a restart of forwarding, or a change of address', async () => {
    bob.takes = SMALL
    await tip('3000')
    await world.pass(10 * MINUTE)
    for (const address of [bob.address, `carol@${bob.address.split('@')[1]}`, bob.address]) {
      await start(address)
      await tip('500')
      await world.pass(5 * MINUTE)
    }
    expect(await sent()).toHaveLength(6)
  })

  it('is at most six payments an hour, however many tips arrive', async () => {
    for (let tips = 0; tips < 9; tips += 1) await tip('200')
    expect(await sent()).toHaveLength(6)
    await world.pass(HOUR)
    expect(await sent()).toHaveLength(7)
    expect((await sent()).at(-1)).toEqual(['paid', 590])
  })

  it('is counted for each member separately', async () => {
    bob.takes = SMALL
    await tip('3000')
    await world.run(world.tipping.forwarding.start({ member: 'carol', address: bob.address, origin: world.origin() }))
    await world.run(world.tip('alice', 'carol', '200'))
    await world.pass(500)
    expect(await world.database.read.withdrawal.count({ where: { member: 'carol', state: 'paid' } })).toBe(1)
  })

  it('includes failed payments, so that an address gains nothing by refusals', async () => {
    bob.takes = SMALL
    world.provider.misbehave('sendPayment', { refuse: 400, message: 'No way.', code: 'self_payment' })
    await tip('3000')
    await world.pass(20 * MINUTE)
    expect(await sent()).toEqual([['returned', 100], ...Array(5).fill(['paid', 100])])
  })
})

describe('the kept part of forwarded tips', () => {
  it('is 0 sats, or at least 1 sat', async () => {
    for (const none of ['0', ' 00 ']) expect(await keep(none)).toBe(0n)
    expect(await keep('1')).toBe(1_000n)
    await expect(keep('0.5')).rejects.toMatchObject({ code: 'amount-too-small', facts: { smallest: 1_000n } })
    await expect(keep('100000000')).rejects.toMatchObject({ code: 'amount-too-large' })
    await expect(keep('0x')).rejects.toMatchObject({ code: 'amount-with-words' })
    await expect(keep('x0')).rejects.toMatchObject({ code: 'amount-not-understood' })
  })

  it('can be lowered, which releases sats for forwarding', async () => {
    await keep('500')
    await tip('500')
    expect(await sent()).toEqual([])
    await keep('200')
    await world.pass(1_000)
    expect(await sent()).toEqual([['paid', 290]])
  })
})
