import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from '../../../src/tipping/audit/cover.ts'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'
import { invoiceFor as invoiceOutside } from './outside.ts'

let world: TippingWorld

/** Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n, ...options })
  await world.fund('alice', 10_000)
}

const invoiceFor = (amount: number | undefined, expiresInSeconds = 3_600) =>
  invoiceOutside(world, amount, { expiresInSeconds })

function ask(amount: string, to?: string, member = 'alice', interaction?: string): Promise<WithdrawalView> {
  return world.run(world.tipping.withdrawals.ask({ member, amount, to, origin: world.origin(interaction) }))
}

function confirm(withdrawal: WithdrawalView, member = 'alice'): Promise<WithdrawalView> {
  return world.run(world.tipping.withdrawals.confirm({ withdrawal: withdrawal.id, member, origin: world.origin() }))
}

async function send(amount: string, to?: string): Promise<WithdrawalView> {
  return await confirm(await ask(amount, to))
}

const now = (withdrawal: WithdrawalView) => world.tipping.withdrawals.view(withdrawal.id)

/** Returns alice's balance, and the sum of her payments under way, in sats. */
async function alice(): Promise<{ available: number; inFlight: number }> {
  const { available, inFlight } = await world.tipping.balances.view('alice')
  return { available: Number(available) / 1_000, inFlight: Number(inFlight) / 1_000 }
}

const refusedAs = (code: string) => expect.objectContaining({ code })
/** Returns a fault three times, since the client itself sends a repeatable request three times. */
const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

describe('a withdrawal to an invoice', () => {
  it('reserves the amount and the fee limit, and returns the unused part of the limit', async () => {
    await begin()
    const asked = await ask('500', invoiceFor(500))
    expect(asked).toMatchObject({ state: 'asked', amount: 500_000n, feeLimit: 10_000n, card: undefined })
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
    world.provider.outgoing.next = 'processing'
    const sending = await confirm(asked)
    expect(sending.state).toBe('sending')
    expect(await alice()).toEqual({ available: 9_490, inFlight: 510 })
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n })
    expect((await world.run(world.tipping.audit())).faults).toEqual([])
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed', 3_000n)
    await world.pass(10_000)
    expect(await now(asked)).toMatchObject({ state: 'paid', fee: 3_000n })
    expect(await alice()).toEqual({ available: 9_497, inFlight: 0 })
  })

  it('charges the operator, not the member, for a fee above the limit', async () => {
    await begin()
    world.provider.outgoing.fee = 25_000n
    expect(await send('500', invoiceFor(500))).toMatchObject({ state: 'paid', fee: 25_000n })
    expect(await alice()).toEqual({ available: 9_490, inFlight: 0 })
  })

  it.each<[string, Fault[] | 'failed', string]>([
    ['failed on the network', 'failed', 'failed'],
    ['was refused', [{ refuse: 400, message: 'This invoice is your own.', code: 'self_payment' }], 'refused'],
    ['never left', thrice('nothing-sent'), 'unreachable'],
  ])('returns its sats if it %s, and the invoice can be paid again', async (_, how, because) => {
    await begin()
    const invoice = invoiceFor(500)
    if (how === 'failed') world.provider.outgoing.next = 'failed'
    else world.provider.misbehave('sendPayment', ...how)
    expect(await send('500', invoice)).toMatchObject({ state: 'returned', because })
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
    world.provider.outgoing.next = 'completed'
    expect(await send('500', invoice)).toMatchObject({ state: 'paid' })
  })

  it('stays reserved if the first answer is “already paid”, until operators decide', async () => {
    await begin()
    const said: Fault = { refuse: 409, message: 'This invoice is already paid.', code: 'already_paid' }
    world.provider.misbehave('sendPayment', ...Array<Fault>(100).fill(said))
    const { id: payment } = await send('500', invoiceFor(500))
    await world.pass(24 * 3_600_000)
    expect((await world.tipping.administration.unknown(10))[0]).toMatchObject({ id: payment, evidence: said.message })
    expect(await alice()).toEqual({ available: 9_490, inFlight: 510 })
    for (const operator of ['olga', 'oscar']) {
      await world.tipping.administration.decide({ payment, outcome: 'failed', reason: 'paid by its owner', operator })
    }
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
  })

  it.each<Fault>(['act-then-error', 'act-then-reset'])(
    'is found by its key even if the answer is lost: %s',
    async (fault) => {
      await begin()
      world.provider.misbehave('sendPayment', ...thrice(fault))
      const sent = await send('500', invoiceFor(500))
      expect(sent).toMatchObject({ state: 'unknown' })
      expect(await alice()).toEqual({ available: 9_490, inFlight: 510 })
      await world.pass(60_000)
      expect(await now(sent)).toMatchObject({ state: 'paid', fee: 1_000n })
      expect(world.provider.outgoing.payments.size).toBe(1)
    },
  )

  it('stays unknown if a second attempt is refused, since the first may have paid', async () => {
    await begin()
    world.provider.misbehave('sendPayment', ...thrice('act-forget-then-error'))
    const sent = await send('500', invoiceFor(500))
    await world.pass(3 * 24 * 3_600_000)
    expect(await now(sent)).toMatchObject({ state: 'unknown' })
    expect(await alice()).toEqual({ available: 9_490, inFlight: 510 })
    const alerts = await world.database.read.alert.findMany({ where: { kind: 'withdrawal-unknown' } })
    expect(alerts).toHaveLength(1)
  })

  it('is returned after a restart if it was never marked as sent', async () => {
    await begin({ settings: { maxConcurrentPayouts: 0 } })
    const sent = await send('500', invoiceFor(500))
    expect(sent.state).toBe('sending')
    expect(await alice()).toEqual({ available: 9_490, inFlight: 510 })
    await world.restart()
    expect(await now(sent)).toMatchObject({ state: 'returned', because: 'interrupted' })
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
  })

  it('is polled after a restart if it may have been sent', async () => {
    await begin()
    const asked = await ask('500', invoiceFor(500))
    world.provider.misbehave('sendPayment', 'act-then-hang')
    const decision = { withdrawal: asked.id, member: 'alice', origin: world.origin() }
    world.tipping.withdrawals.confirm(decision).catch(() => undefined)
    await world.provider.asked('sendPayment')
    await world.restart()
    await world.settle()
    expect(await now(asked)).toMatchObject({ state: 'paid' })
    expect(world.provider.outgoing.payments.size).toBe(1)
  })

  it('does not count as missing sats if it is returned during an audit', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send('500', invoiceFor(500))
    const parts = { database: world.database, clock: world.clock, settings: { maxAmount: sats(1_000_000) } }
    const before = await readBeforeTheWallet(parts)
    const { wallet } = world.provider
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'failed')
    await world.pass(10_000)
    expect(await now(sent)).toMatchObject({ state: 'returned' })
    expect(gapOf(wallet, before, await readAfterTheWallet(parts, before))?.short).toBe(0n)
  })

  it('is sent only once, and can be confirmed only by its owner', async () => {
    await begin()
    const asked = await ask('500', invoiceFor(500))
    await expect(confirm(asked, 'bob')).rejects.toThrow(refusedAs('not-yours'))
    // All but the first could not be covered either.
    await world.run(world.tip('alice', 'bob', '9400'))
    const all = await Promise.all([confirm(asked), confirm(asked), confirm(asked)])
    expect(new Set(all.map(({ card }) => card)).size).toBe(1)
    expect(world.provider.outgoing.payments.size).toBe(1)
    expect((await confirm(asked)).state).toBe('paid')
  })

  it('pays an invoice only once, however many members request it', async () => {
    await begin()
    await world.fund('bob', 5_000)
    const invoice = invoiceFor(500)
    const [mine, theirs] = [await ask('500', invoice), await ask('500', invoice, 'bob')]
    await confirm(mine)
    await expect(confirm(theirs, 'bob')).rejects.toThrow(refusedAs('invoice-taken'))
    await expect(ask('500', invoice, 'bob')).rejects.toThrow(refusedAs('invoice-taken'))
    expect(await world.available('bob')).toBe(5_000_000n)
  })

  it('is refused if three of the member’s payments are in flight', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const fourth = await ask('100', invoiceFor(100))
    for (let i = 0; i < 3; i += 1) await send('100', invoiceFor(100))
    await expect(confirm(fourth)).rejects.toThrow(refusedAs('too-many-withdrawals'))
    await expect(ask('100')).rejects.toThrow(refusedAs('too-many-withdrawals'))
  })

  it('uses the requested amount if the invoice states none', async () => {
    await begin()
    expect(await send('750', invoiceFor(undefined))).toMatchObject({ state: 'paid', amount: 750_000n })
    expect(world.provider.outgoing.only('payments').amount).toBe(750_000n)
  })

  it('is refused with invalid terms before any sats move', async () => {
    await begin()
    await expect(ask('500', invoiceFor(501))).rejects.toThrow(refusedAs('invoice-amount-differs'))
    await expect(ask('500', invoiceFor(500, 30))).rejects.toThrow(refusedAs('invoice-expired'))
    await expect(ask('500', 'lnbc1damaged')).rejects.toThrow(refusedAs('invoice-unreadable'))
    await expect(ask('500', 'somewhere')).rejects.toThrow(refusedAs('wallet-name-unknown'))
    await expect(ask('500', 'somewhere@')).rejects.toThrow(refusedAs('destination-half'))
    await expect(ask('500', 'some where')).rejects.toThrow(refusedAs('destination-not-understood'))
    await expect(ask('500', 'a@b.invalid')).rejects.toThrow(/^address-(no-host|unreachable) /)
    await expect(ask('9,999')).rejects.toThrow(refusedAs('insufficient-with-fee'))
    await expect(ask('0')).rejects.toThrow(refusedAs('amount-zero'))
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
  })

  it('is refused if the invoice expires before the confirmation', async () => {
    await begin()
    const asked = await ask('500', invoiceFor(500, 120))
    await world.pass(90_000)
    await expect(confirm(asked)).rejects.toThrow(refusedAs('invoice-expired'))
  })

  it('cannot be confirmed while outgoing payments are paused, but can be afterwards', async () => {
    await begin()
    const asked = await ask('500', invoiceFor(500))
    const stolen = world.provider.wallet
    world.provider.wallet = 1n
    await world.run(world.tipping.audit())
    await expect(confirm(asked)).rejects.toThrow(refusedAs('outgoing-paused'))
    await expect(ask('500')).rejects.toThrow(refusedAs('outgoing-paused'))
    world.provider.wallet = stolen
    await world.run(world.tipping.audit())
    expect(await confirm(asked)).toMatchObject({ state: 'paid' })
  })
})

describe('a withdrawal by code', () => {
  it('is offered, claimed and paid, and its fee can become known later', async () => {
    await begin()
    const offered = await send('all')
    expect(offered).toMatchObject({ state: 'offered', amount: 9_900_000n, feeLimit: 99_000n, everything: true })
    expect(offered.request).toMatch(/^lnurl1/)
    const request = world.provider.outgoing.only('requests')
    request.status = 'processing'
    await world.pass(5_000)
    expect((await now(offered)).state).toBe('claimed')
    world.provider.outgoing.end(request, 'completed', null)
    await world.pass(30_000)
    expect(await now(offered)).toMatchObject({ state: 'paid', fee: undefined, request: undefined })
    expect(await alice()).toEqual({ available: 1, inFlight: 99 })
    expect((await world.run(world.tipping.audit())).faults).toEqual([])
    world.provider.outgoing.price(request, 4_000n)
    await world.pass(60_000)
    expect(await now(offered)).toMatchObject({ state: 'paid', fee: 4_000n })
    expect(await alice()).toEqual({ available: 96, inFlight: 0 })
  })

  it('returns its sats soon after its expiry', async () => {
    await begin()
    const offered = await send('1000')
    await world.pass(11 * 60_000)
    expect((await now(offered)).state).toBe('offered')
    world.provider.outgoing.end(world.provider.outgoing.only('requests'), 'expired')
    await world.pass(10 * 60_000)
    expect(await now(offered)).toMatchObject({ state: 'returned', because: 'expired' })
    expect(await alice()).toEqual({ available: 10_000, inFlight: 0 })
  })

  it('is found by its key if its creation was not answered, and is then offered', async () => {
    await begin()
    world.provider.misbehave('createWithdrawalRequest', ...thrice('act-then-reset'))
    const sent = await send('1000')
    expect(sent.state).toBe('unknown')
    await world.pass(10_000)
    expect((await now(sent)).state).toBe('offered')
    expect(world.provider.outgoing.requests.size).toBe(1)
  })
})

describe('a provider that offers only the interface', () => {
  it('leaves a payment with a lost answer unknown until a callback contains its id', async () => {
    await begin({ replays: false })
    world.provider.misbehave('sendPayment', 'act-then-reset')
    const sent = await send('500', invoiceFor(500))
    await world.pass(2 * 3_600_000)
    expect((await now(sent)).state).toBe('unknown')
    expect(world.provider.count('sendPayment')).toBe(1)
    const { id, body } = world.provider.outgoing.only('payments')
    const said = { id, internalId: body.internalId, amount: '500000', invoice: body.invoice, status: 'completed' }
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), { ...said, amount: '1' })
    await world.settle()
    expect((await now(sent)).state).toBe('unknown')
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), said)
    await world.settle()
    expect(await now(sent)).toMatchObject({ state: 'paid', fee: 1_000n })
  })
})

describe('a request for sats', () => {
  it('is paid once even if a second press comes while the first is processed', async () => {
    await begin()
    await world.linked('bob')
    const invoice = await world.run(
      world.tipping.invoices.create({ member: 'bob', amount: '1000', origin: world.origin() }),
    )
    const pay = () => world.tipping.withdrawals.pay({ invoice: invoice.id, member: 'alice', origin: world.origin() })
    const { invoice: table } = world.database.read
    const { findFirst } = table
    let first: string | undefined
    table.findFirst = (async (asked: never) => {
      table.findFirst = findFirst
      first = (await pay()).id
      return findFirst.call(table, asked)
    }) as unknown as typeof findFirst
    expect((await world.run(pay())).id).toBe(first)
    expect(first).toBeDefined()
    expect(world.provider.count('sendPayment')).toBe(1)
  })

  it('is paid only once despite repeated presses by two members, and reserves no fee', async () => {
    await begin()
    await world.linked('bob')
    const origin = world.origin()
    const invoice = await world.run(world.tipping.invoices.create({ member: 'bob', amount: '1000', origin }))
    const pay = (member: string) =>
      world.run(world.tipping.withdrawals.pay({ invoice: invoice.id, member, origin: world.origin() }))
    await expect(pay('bob')).rejects.toThrow(refusedAs('invoice-own'))
    world.provider.outgoing.fee = 0n
    world.provider.outgoing.next = 'processing'
    // The book knows another withdrawal.
    await ask('100')
    const presses = await Promise.all([pay('alice'), pay('alice'), pay('alice')])
    expect(new Set(presses.map(({ id }) => id)).size).toBe(1)
    expect(await alice()).toEqual({ available: 9_000, inFlight: 1_000 })
    await world.fund('carol', 2_000)
    await expect(pay('carol')).rejects.toThrow(refusedAs('invoice-taken'))
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed', 0n)
    await world.pass(10_000)
    expect(await pay('alice')).toMatchObject({ state: 'paid', fee: 0n, payee: 'bob' })
  })
})
