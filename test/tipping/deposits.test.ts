import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { DepositView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

let world: TippingWorld

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
}

function deposit(amount = '1000', member = 'alice', interaction?: string): Promise<DepositView> {
  return world.tipping.deposits.open({ member, amount, origin: world.origin(interaction) })
}

const chargeOf = (view: DepositView) => world.provider.chargeOf(view.request)
const hint = (view: DepositView) => world.tipping.hint(world.token(chargeOf(view).callbackUrl))
const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

describe('a deposit', () => {
  it('is credited when its code is paid and the callback comes', async () => {
    await begin()
    const open = await deposit('1,000')
    expect(open).toMatchObject({ state: 'open', amount: 1_000_000n, request: expect.stringContaining('lnurl1') })
    expect((await world.tipping.balances.view('alice')).openDeposits).toEqual([open])
    world.provider.payCharge(chargeOf(open).id)
    expect(await hint(open)).toBe('noted')
    await world.settle()
    expect(await world.tipping.deposits.view(open.id)).toMatchObject({ state: 'paid', paidAt: expect.any(Date) })
    expect(await world.available('alice')).toBe(1_000_000n)
    const creation = world.provider.calls.find((call) => call.operation === 'createStaticCharge')
    expect(creation).toMatchObject({ key: expect.any(String), body: { allowedSlots: 1 } })
  })

  it.each(['all', '0', '-5', '0.5', 'ten', '999999999', '1.0001', '$5', ''])(
    'is refused if its amount is %j',
    async (amount) => {
      await begin()
      await expect(deposit(amount)).rejects.toMatchObject({
        name: 'TippingRefusal',
        code: expect.stringMatching(/^amount-/),
      })
      expect(world.provider.count('createStaticCharge')).toBe(0)
    },
  )

  it('is refused if its member has five open deposits, even with simultaneous requests', async () => {
    await begin()
    const six = await Promise.allSettled(Array.from({ length: 6 }, () => deposit()))
    expect(six.filter((one) => one.status === 'fulfilled')).toHaveLength(5)
    const facts = { most: 5, until: new Date(world.clock.now() + 24 * 3_600_000) }
    await expect(deposit()).rejects.toMatchObject({ code: 'too-many-open-deposits', facts })
    await expect(deposit('1000', 'bob')).resolves.toMatchObject({ state: 'open' })
  })

  it('is refused until the bot has read the wallet once', async () => {
    await begin({ walletUnread: true })
    await expect(world.run(deposit())).rejects.toMatchObject({ code: 'provider-unreachable' })
    expect(world.provider.count('createStaticCharge')).toBe(0)
    expect(await world.database.read.deposit.count()).toBe(0)
    world.provider.stopMisbehaving('getWallet')
  })

  it('is refused if it cannot be stored, and the reason is logged', async () => {
    const errors: { msg: string; deposit: string; err?: { message: string } }[] = []
    const destination = { write: (line: string) => void errors.push(JSON.parse(line)) }
    await begin({ logger: createLogger({ level: 'error', name: 'bot', destination }) })
    const fill = () => {
      world.failCommits = 1
    }
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'No.' }, { before: fill })
    await expect(deposit()).rejects.toMatchObject({ code: 'provider-refused' })
    expect(errors).toEqual([])
    await expect(deposit()).rejects.toMatchObject({ code: 'provider-unreachable' })
    const { id } = await world.database.read.deposit.findFirstOrThrow({ where: { state: 'failed', reason: null } })
    expect(errors).toMatchObject([{ msg: 'a deposit could not be opened', deposit: id, err: expect.anything() }])
  })

  it('is abandoned if the database was unavailable during its creation', async () => {
    await begin()
    const fail = () => {
      world.failCommits = 3
    }
    world.provider.misbehave('createStaticCharge', { before: fail })
    const refused = expect(deposit()).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.pass(60_000)
    await refused
    expect(await world.database.read.deposit.count({ where: { state: 'failed' } })).toBe(1)
    expect(await world.database.read.deposit.count({ where: { state: 'creating' } })).toBe(0)
  })

  it.each<[string, Fault, string]>([
    ['already paid when it is created', { answer: { slots: 1 } }, 'The new charge says that it was paid 1 times.'],
    ['for a different amount', { answer: { maxAmount: '2000000' } }, 'The new charge is for another amount.'],
    ['payable with a smaller amount', { answer: { minAmount: '1' } }, 'The new charge is for another amount.'],
    ['payable more than once', { answer: { allowedSlots: 2 } }, 'The new charge can be paid more than once.'],
    ['closed', { answer: { status: 'disabled' } }, 'The new charge is disabled.'],
    ['refused', { refuse: 400, message: 'Too much.' }, 'Too much.'],
  ])('is not shown if its charge is %s', async (_, fault, message) => {
    await begin()
    world.provider.misbehave('createStaticCharge', fault)
    await expect(deposit()).rejects.toMatchObject({ code: 'provider-refused', facts: { message } })
    expect((await world.tipping.balances.view('alice')).openDeposits).toEqual([])
    expect(await world.tipping.cards.pending(10)).toEqual([])
  })

  it('is refused while the service is down, and again when its command is redelivered', async () => {
    await begin()
    await world.provider.down()
    const again = async () =>
      await expect(world.run(deposit('10', 'alice', 'once'))).rejects.toMatchObject({ code: 'provider-unreachable' })
    await again()
    await world.provider.up()
    await again()
    expect(world.provider.count('createStaticCharge')).toBe(0)
    await expect(deposit('10', 'alice')).resolves.toMatchObject({ state: 'open' })
  })

  it('fails without affecting other deposits, and for the same reason if repeated', async () => {
    await begin({ settings: { minAmount: sats(5) } })
    await expect(deposit('4')).rejects.toMatchObject({ code: 'amount-too-small', facts: { smallest: 5_000n } })
    const open = await deposit('10')
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'Not today.' })
    for (const _ of [1, 2]) {
      await expect(deposit('20', 'alice', 'again')).rejects.toMatchObject({ facts: { message: 'Not today.' } })
    }
    expect(await world.tipping.deposits.view(open.id)).toMatchObject({ state: 'open' })
    expect((await world.tipping.balances.view('alice')).openDeposits).toEqual([open])
  })

  it('is never shown if its creation was interrupted', async () => {
    await begin()
    world.provider.misbehave('createStaticCharge', ...thrice('act-then-hang'))
    const lost = deposit('10', 'alice', 'lost').catch((error) => error)
    await world.provider.asked('createStaticCharge')
    await world.restart()
    await expect(deposit('10', 'alice', 'lost')).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.settle()
    expect(await world.run(lost)).toBeInstanceOf(Error)
  })
})

describe('a deposit with duplicate, late or out-of-order callbacks (fault 20)', () => {
  it('is credited once even if several callbacks come', async () => {
    await begin()
    const open = await deposit()
    world.provider.payCharge(chargeOf(open).id)
    await Promise.all([hint(open), hint(open), hint(open)])
    await world.settle()
    await hint(open)
    await world.settle()
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is credited only once it has been paid, even if a callback comes earlier', async () => {
    await begin()
    const open = await deposit()
    await hint(open)
    await world.settle()
    expect(await world.available('alice')).toBe(0n)
    world.provider.payCharge(chargeOf(open).id)
    await hint(open)
    await world.settle()
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is polled again if a callback comes during a poll', async () => {
    await begin()
    const open = await deposit()
    const charge = chargeOf(open)
    let hinted: Promise<unknown> = Promise.resolve()
    // The answer to the first reading was made before the payment; the hint comes before that answer is recorded.
    world.provider.misbehave('getStaticCharge', {
      answer: {},
      after: () => {
        world.provider.payCharge(charge.id)
        hinted = hint(open)
      },
    })
    await hint(open)
    await world.settle()
    await hinted
    await world.settle()
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is credited once even if two bots poll it simultaneously', async () => {
    await begin()
    const open = await deposit()
    world.provider.payCharge(chargeOf(open).id)
    const other = world.tipping
    await world.start()
    await Promise.all([hint(open), other.hint(world.token(chargeOf(open).callbackUrl))])
    await world.settle()
    await world.run(other.settled())
    expect(await world.available('alice')).toBe(1_000_000n)
  })
})

describe('a callback, which may be about another resource (fault 30)', () => {
  it('makes the bot read only the resource whose callback URL it was sent to', async () => {
    await begin()
    const [mine, other] = [await deposit('10'), await deposit('5000', 'bob')]
    world.provider.payCharge(chargeOf(other).id)
    const said = { id: chargeOf(other).id, slots: 1, internalId: other.id, status: 'disabled' }
    await world.tipping.hint(world.token(chargeOf(mine).callbackUrl), said)
    await world.settle()
    expect(await world.available('alice')).toBe(0n)
    expect((await world.tipping.deposits.view(mine.id)).state).toBe('open')
    await hint(other)
    await world.settle()
    expect(await world.available('bob')).toBe(5_000_000n)
  })

  it('is not accepted at a callback URL that was never issued', async () => {
    await begin()
    expect(await world.tipping.hint('x'.repeat(43))).toBe('unknown')
  })

  it.each([
    [
      'the amount',
      { minAmount: '9000000', maxAmount: '9000000', slots: 1 },
      /of a deposit of 1000000 msats now takes 9000000 to 9000000 .* paid 1 times/,
    ],
    ['the smallest amount', { minAmount: '1', slots: 1 }, /takes 1 to 1000000 msats and was paid 1 times; nothing/],
    ['the largest amount', { maxAmount: '1000001', slots: 1 }, /takes 1000000 to 1000001 msats/],
    ['the number of payments', { slots: 11 }, /was paid 11 times/],
  ])('credits nothing if the charge differs from the request (%s), and raises an alert', async (_, answer, text) => {
    await begin()
    const open = await deposit()
    world.provider.misbehave('getStaticCharge', { answer })
    await hint(open)
    await world.settle()
    expect(await world.available('alice')).toBe(0n)
    expect(await world.database.read.alert.findMany()).toMatchObject([
      { kind: 'deposit-changed', about: open.id, text: expect.stringMatching(text) },
    ])
  })

  it('announces each payment of its own deposit, even the tenth', async () => {
    await begin()
    const open = await deposit()
    const told = async () => {
      const card = await world.database.read.card.findFirst({ where: { kind: 'deposit-paid', record: open.id } })
      return card?.revision ?? 0
    }
    for (let times = 1; times <= 10; times += 1) {
      world.provider.payCharge(chargeOf(open).id)
      await hint(open)
      await world.settle()
      expect(await told()).toBe(times)
    }
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('never makes the bot close a charge that the provider has already closed', async () => {
    await begin()
    const open = await deposit()
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(300).fill({ answer: { status: 'disabled' } }))
    await world.pass(28 * 3_600_000)
    expect((await world.tipping.deposits.view(open.id)).state).toBe('closed')
    expect(world.provider.count('updateStaticCharge')).toBe(0)
  })
})
