import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n, ...options })
  await world.fund('alice', 10_000)
}

let made = 0

/** Creates an outsider's invoice, which has no amount if none is given. */
function invoiceFor(amount: number | undefined): string {
  made += 1
  return encodeInvoice({
    network: 'regtest',
    amount: amount === undefined ? undefined : sats(amount),
    description: 'outside',
    paymentHash: hash(`hash ${made}`),
    paymentSecret: hash(`secret ${made}`),
    createdAt: new Date(world.clock.now()),
    expiresInSeconds: 3_600,
    privateKey: hash('outside'),
  })
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function send(amount: string, to?: string): Promise<WithdrawalView> {
  const { withdrawals } = world.tipping
  const { id } = await world.run(withdrawals.ask({ member: 'alice', amount, to, origin: world.origin() }))
  return await world.run(withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
}

const stateOf = async ({ id }: WithdrawalView) => (await world.tipping.withdrawals.view(id)).state
const always = (fault: Fault): Fault[] => Array<Fault>(200).fill(fault)

describe('the callback of a payment whose answer was lost', () => {
  it.each<[string, (said: Record<string, string>) => unknown]>([
    ['for another payment of the bot', (said) => ({ ...said, internalId: 'another' })],
    ['for another amount', (said) => ({ ...said, amount: '499999' })],
    ['with an invalid amount', (said) => ({ ...said, amount: '5e5' })],
    ['for another invoice', (said) => ({ ...said, invoice: `${said.invoice}x` })],
    ['without an invoice', ({ invoice: _, ...said }) => said],
    ['with an id that contains a path', (said) => ({ ...said, id: '../wallet ' })],
    ['with an empty id', (said) => ({ ...said, id: '' })],
    ['with a very long id', (said) => ({ ...said, id: 'x'.repeat(65) })],
    ['without an id', ({ id: _, ...said }) => said],
    ['that is not an object', () => 'paid'],
    ['that is empty', () => null],
  ])('is ignored if it is a callback %s', async (_, alter) => {
    await begin({ replays: false })
    world.provider.misbehave('sendPayment', 'act-then-reset')
    const sent = await send('500', invoiceFor(500))
    const { id, body } = world.provider.outgoing.only('payments')
    const said = { id, internalId: body.internalId ?? '', amount: '500000', invoice: body.invoice ?? '' }
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), alter(said))
    await world.settle()
    expect(await stateOf(sent)).toBe('unknown')
    expect(world.provider.count('retrievePayment')).toBe(0)
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), { ...said, invoice: said.invoice.toUpperCase() })
    await world.settle()
    expect(await stateOf(sent)).toBe('paid')
  })

  it('is ignored if its id belongs to another withdrawal', async () => {
    await begin({ replays: false })
    const first = await send('500', invoiceFor(500))
    expect(first.state).toBe('paid')
    const { id } = world.provider.outgoing.only('payments')
    world.provider.misbehave('sendPayment', 'act-then-reset')
    const second = await send('500', invoiceFor(500))
    const { body } = [...world.provider.outgoing.payments.values()][1] ?? { body: {} as Record<string, string> }
    const said = { id, internalId: body.internalId, amount: '500000', invoice: body.invoice }
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), said)
    await world.settle()
    expect(await stateOf(second)).toBe('unknown')
  })
})

describe('the provider’s record of a withdrawal', () => {
  it.each<[string, Record<string, string>]>([
    ['a different invoice', { invoice: 'lnbcrt1another' }],
    ['a different amount', { amount: '400000' }],
  ])('proves nothing about a payment if it contains %s', async (_, answer) => {
    await begin()
    world.provider.misbehave('sendPayment', { answer })
    const sent = await send('500', invoiceFor(500))
    expect(sent.state).toBe('unknown')
    const [unknown] = await world.tipping.administration.unknown(1)
    expect(unknown?.evidence).toMatch(/the provider shows another payment: \d+ msats, completed/)
    const { available, inFlight } = await world.tipping.balances.view('alice')
    expect({ available, inFlight }).toEqual({ available: 9_490_000n, inFlight: 510_000n })
  })

  it('proves nothing if it shows a withdrawal request for another amount', async () => {
    await begin()
    world.provider.misbehave('createWithdrawalRequest', { answer: { amount: '1' } })
    const sent = await send('500')
    expect(sent).toMatchObject({ state: 'unknown', request: undefined })
    expect((await world.tipping.administration.unknown(1))[0]?.evidence).toMatch(/another withdrawal request: 1 msats/)
  })

  it('causes the sats to be returned once if it later reports a failure', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send('500', invoiceFor(500))
    await world.pass(60_000)
    expect(await stateOf(sent)).toBe('sending')
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'failed')
    await world.pass(60_000)
    expect(await stateOf(sent)).toBe('returned')
    expect(await world.available('alice')).toBe(10_000_000n)
  })
})

describe('a request to a provider for a withdrawal', () => {
  it('contains the fee limit and a callback, but no amount if the invoice has one', async () => {
    await begin()
    const invoice = invoiceFor(500)
    const { id } = await send('500', invoice)
    const { body } = world.provider.outgoing.only('payments')
    expect(body).toMatchObject({
      invoice,
      internalId: id,
      maxFee: '10000',
      callbackUrl: expect.stringMatching(/[\w-]{43}$/),
    })
    expect(body.amount).toBeUndefined()
    await send('700', invoiceFor(undefined))
    const [, second] = [...world.provider.outgoing.payments.values()]
    expect(second?.body.amount).toBe('700000')
  })

  it('contains no fee limit if the provider does not support limits', async () => {
    await begin({ replays: false })
    await send('500', invoiceFor(500))
    expect(world.provider.outgoing.only('payments').body.maxFee).toBeUndefined()
  })

  it('contains the amount, purpose and duration of a code', async () => {
    await begin({ settings: { withdrawalOpenSeconds: 900 } })
    await send('1234')
    const { body } = world.provider.outgoing.only('requests')
    expect(body).toMatchObject({ amount: '1234000', description: 'Satchel', expiresIn: 900 })
  })
})

describe('the report of a withdrawal to operators', () => {
  it('is made after an hour if the withdrawal has no outcome', async () => {
    await begin({ replays: false })
    world.provider.misbehave('sendPayment', 'act-then-error')
    await send('500', invoiceFor(500))
    await world.pass(3_600_000 - 1_000)
    expect(await world.tipping.administration.untoldAlerts(5)).toEqual([])
    await world.pass(3_600_000)
    const [alert, ...more] = await world.tipping.administration.untoldAlerts(5)
    expect(more).toEqual([])
    expect(alert).toMatchObject({ kind: 'withdrawal-unknown' })
    expect(alert?.text).toMatch(
      /^a withdrawal \(invoice\) of 500000 msats is "unknown" since .*Z: Something went wrong\. Two operators can decide it: \/admin unknown$/,
    )
  })
})

describe('a code that nobody was shown', () => {
  it('does not end just because the clock is set ahead', async () => {
    await begin({ replays: false })
    world.provider.misbehave('createWithdrawalRequest', ...always('error'))
    const sent = await send('1000')
    world.clock.jump(5 * 3_600_000)
    await world.pass(10 * 60_000)
    expect(await stateOf(sent)).toBe('unknown')
    expect(await world.available('alice')).toBe(8_990_000n)
    world.clock.jump(-5 * 3_600_000)
    await world.pass(30 * 3_600_000)
    expect(await stateOf(sent)).toBe('returned')
    expect(await world.available('alice')).toBe(10_000_000n)
  })
})
